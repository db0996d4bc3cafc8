/**
 * A receiver in a process of its own: `node worker.ts STORE URL`. It prints its port, and writes to the
 * file in LOG what its handler does. The handler never ends where an ID begins with `evt_hang` and the
 * file in HANG exists.
 */
import { appendFileSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { Webhooks } from '@support-chat/sdk/webhooks'
import { webhookHandler } from '@support-chat/sdk/webhooks/node'
import { PostgresDedupeStore } from '@support-chat/sdk/webhooks/postgres'
import { RedisDedupeStore } from '@support-chat/sdk/webhooks/redis'
import { SqliteDedupeStore } from '@support-chat/sdk/webhooks/sqlite'
import { postgresClients, redisClients, sqliteClients } from './clients.ts'

const [name = '', url = ''] = process.argv.slice(2)
const { LOG = '', HANG = '' } = process.env
const options = { lease: 2 }

const stores: Record<
  string,
  () => Promise<RedisDedupeStore | PostgresDedupeStore | SqliteDedupeStore>
> = {
  Redis: async () => new RedisDedupeStore((await redisClients['ioredis 6'](url)).client, options),
  PostgreSQL: async () => {
    const { client } = await postgresClients['a Pool of pg'](url)
    const store = new PostgresDedupeStore(client, options)
    await store.setup()
    return store
  },
  SQLite: async () => {
    const store = new SqliteDedupeStore((await sqliteClients['node:sqlite'](url)).client, options)
    store.setup()
    return store
  },
}

const store = await stores[name]?.()
if (!store) throw new Error(`There is no store ${name}.`)

async function handle({ id }: { id: string }): Promise<void> {
  if (id.startsWith('evt_hang') && existsSync(HANG)) {
    appendFileSync(LOG, `hang ${id} ${process.pid}\n`)
    await new Promise(() => {})
  }
  await new Promise((resolve) => setImmediate(resolve))
  appendFileSync(LOG, `done ${id}\n`)
}

const onError = () => {} // a store that is away
const server = createServer(webhookHandler(new Webhooks('whsec_test'), handle, { store, onError }))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.stdout.write(`${address?.port}\n`)
})
process.stdin.resume().on('end', () => process.exit()) // ends with the test
