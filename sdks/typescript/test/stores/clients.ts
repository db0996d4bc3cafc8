// The database libraries whose clients the stores take. A program outside of Vitest uses it too.
import { DatabaseSync } from 'node:sqlite'
import {
  BetterSqlite3,
  IORedis,
  IORedis5,
  Pg,
  Postgres,
  redis,
  redis4,
} from '../../../../toolchains/databases.ts'

const onError = () => {} // those of lost connections; commands fail by themselves

const forIoredis = { maxRetriesPerRequest: 1 }
const forNodeRedis = (url: string) => ({ url, disableOfflineQueue: true })

/** Clients of Redis, by library. They take the URL of a server. */
export const redisClients = {
  'ioredis 6': async (url: string) => {
    const client = new IORedis(url, forIoredis).on('error', onError)
    return { client, close: () => client.disconnect() }
  },
  'ioredis 5': async (url: string) => {
    const client = new IORedis5(url, forIoredis).on('error', onError)
    return { client, close: () => client.disconnect() }
  },
  'node-redis 6': async (url: string) => {
    const client = redis.createClient(forNodeRedis(url)).on('error', onError)
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  'node-redis 4': async (url: string) => {
    const client = redis4.createClient(forNodeRedis(url)).on('error', onError)
    await client.connect()
    return { client, close: () => client.disconnect() }
  },
}

/** Clients of PostgreSQL, by library. They take the URL of a server. */
export const postgresClients = {
  'a Pool of pg': async (connectionString: string) => {
    const client = new Pg.Pool({ connectionString, max: 10 }).on('error', onError)
    return { client, close: () => client.end() }
  },
  'a Client of pg': async (connectionString: string) => {
    const client = new Pg.Client({ connectionString }).on('error', onError)
    await client.connect()
    return { client, close: () => client.end() }
  },
  'postgres.js': async (url: string) => {
    const client = Postgres(url, { max: 10, onnotice() {} })
    return { client, close: () => client.end({ timeout: 0 }) }
  },
}

/** Databases of SQLite, by library. They take the path of a file. */
export const sqliteClients = {
  'better-sqlite3': async (file: string) => {
    const client = new BetterSqlite3(file)
    return { client, close: () => client.close() }
  },
  'node:sqlite': async (file: string) => {
    const client = new DatabaseSync(file, { timeout: 5000 })
    return { client, close: () => client.close() }
  },
}
