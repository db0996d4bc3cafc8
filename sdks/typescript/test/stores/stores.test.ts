import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SupportChatError } from '../../src/generated/names.ts'
import { POSTGRES_BEGIN, SQLITE_PRUNE } from '../../src/generated/stores.ts'
import { checkDedupeStore } from '../../src/testing/index.ts'
import { MemoryDedupeStore } from '../../src/webhooks/index.ts'
import { PostgresDedupeStore } from '../../src/webhooks/postgres.ts'
import { RedisDedupeStore } from '../../src/webhooks/redis.ts'
import { SqliteDedupeStore } from '../../src/webhooks/sqlite.ts'
import { postgresClients, redisClients, sqliteClients } from './clients.ts'
import { useDatabases } from './databases.ts'

const databases = useDatabases('redis', 'postgres')
const closing: Array<() => unknown> = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

interface Options {
  lease?: number
  keep?: number
  holder?: string
}

const redisStores = Object.entries(redisClients).map(([library, open]) => ({
  name: `Redis through ${library}`,
  async make() {
    const { client, close } = await open(databases.redis)
    closing.push(close)
    const prefix = `${randomUUID()}:`
    return (options: Options = {}) => new RedisDedupeStore(client, { prefix, ...options })
  },
}))

const postgresStores = Object.entries(postgresClients).map(([library, open]) => ({
  name: `PostgreSQL through ${library}`,
  async make() {
    const { client, close } = await open(databases.postgres)
    closing.push(close)
    const table = `events_${randomUUID().replaceAll('-', '')}`
    await new PostgresDedupeStore(client, { table }).setup()
    return (options: Options = {}) => new PostgresDedupeStore(client, { table, ...options })
  },
}))

const sqliteStores = Object.entries(sqliteClients).map(([library, open]) => ({
  name: `SQLite through ${library}`,
  async make() {
    const { client, close } = await open(join(databases.folder, `${randomUUID()}.db`))
    closing.push(close)
    new SqliteDedupeStore(client).setup()
    return (options: Options = {}) => new SqliteDedupeStore(client, options)
  },
}))

const memory = {
  name: 'memory',
  make: async () => {
    return ({ lease, keep }: Options = {}) => new MemoryDedupeStore({ lease, keep })
  },
}

const lasting = [...redisStores, ...postgresStores, ...sqliteStores]

describe.each([memory, ...lasting])('a store in $name', ({ make }) => {
  test('keeps the rules of a store', async () => {
    await checkDedupeStore(await make())
  })
})

describe.each(lasting)('a store in $name', ({ make }) => {
  test('tells who has the lease', async () => {
    const newStore = await make()
    await newStore({ holder: 'web-3:812' }).begin('evt_1')
    const lease = await newStore().begin('evt_1')
    expect(lease).toEqual({ state: 'in_progress', holder: 'web-3:812' })
  })

  test('names the process by default', async () => {
    const newStore = await make()
    await newStore().begin('evt_1')
    const { holder } = (await newStore().begin('evt_1')) as { holder: string }
    expect(holder).toMatch(new RegExp(`.:${process.pid}$`))
  })

  test('holds a lease without a holder', async () => {
    const newStore = await make()
    await newStore({ holder: '' }).begin('evt_1')
    expect(await newStore().begin('evt_1')).toEqual({ state: 'in_progress' })
  })

  test('forgets a handled event in its time', async () => {
    const newStore = await make()
    const store = newStore({ keep: 0.01 })
    const lease = await store.begin('evt_1')
    await store.done('evt_1', lease.state === 'new' ? lease.token : '')
    await expect.poll(async () => (await store.begin('evt_1')).state).toBe('new')
  })

  test('takes any ID', async () => {
    const newStore = await make()
    const ids = ["it's", '"', '\\', '{table}', '$1', '?1', 'é🙂', ' ', 'x'.repeat(2000), '../a b\n']
    for (const id of ids) expect((await newStore().begin(id)).state).toBe('new')
    for (const id of ids) expect((await newStore().begin(id)).state).toBe('in_progress')
  })
})

describe.each([
  ['Redis', (options: Options) => new RedisDedupeStore({ eval: async () => 'new' }, options)],
  ['PostgreSQL', (o: Options) => new PostgresDedupeStore({ query: async () => ({ rows: [] }) }, o)],
  ['SQLite', (o: Options) => new SqliteDedupeStore({ prepare: never, exec: never }, o)],
])('a store in %s', (_, make) => {
  test.each(['lease', 'keep'])('refuses a negative %s', (option) => {
    expect(() => make({ [option]: -1 })).toThrow(`${option} must be 0 or more.`)
  })
})

function never(): never {
  throw new Error('not called')
}

describe('a wrong client', () => {
  test.each([
    ['RedisDedupeStore', RedisDedupeStore, 'ioredis or node-redis: an object with eval()'],
    ['PostgresDedupeStore', PostgresDedupeStore, 'pg or postgres.js: an object with query()'],
    [
      'SqliteDedupeStore',
      SqliteDedupeStore,
      'better-sqlite3 or node:sqlite: an object with prepare()',
    ],
  ])('is refused by %s', (_, Store, expected) => {
    const untyped = Store as unknown as new (client: unknown) => unknown
    for (const client of [undefined, null, 'redis://localhost', {}]) {
      expect(() => new untyped(client)).toThrow(`Pass a client of ${expected}.`)
      expect(() => new untyped(client)).toThrow(SupportChatError)
    }
  })

  test.each(['unexpected', '', 'in_progres', 'OK'])('that says %j is reported', async (reply) => {
    const store = new RedisDedupeStore({ eval: async () => reply })
    await expect(store.begin('evt_1')).rejects.toThrow(SupportChatError)
  })
})

describe('the name of a table', () => {
  test.each(['', '1', 'a b', 'a"', 'a;b', 'a.', '.a', 'a..b', 'é', 'a\n'])('is not %j', (table) => {
    const client = { query: async () => ({ rows: [] }) }
    expect(() => new PostgresDedupeStore(client, { table })).toThrow(/cannot be the table/)
    const database = { prepare: never, exec: never }
    expect(() => new SqliteDedupeStore(database, { table })).toThrow(/cannot be the table/)
  })

  test('may begin with a schema', async () => {
    const { client, close } = await postgresClients['a Pool of pg'](databases.postgres)
    closing.push(close)
    const schema = `s${randomUUID().replaceAll('-', '')}`
    await client.query(`CREATE SCHEMA ${schema}`)
    const store = new PostgresDedupeStore(client, { table: `${schema}.Events_2` })
    await store.setup()
    expect((await store.begin('evt_1')).state).toBe('new')
    expect((await store.begin('evt_1')).state).toBe('in_progress')
  })
})

describe('the table', () => {
  test.each(Object.entries(postgresClients))(
    'is set up by many at once, by %s',
    async (_, open) => {
      const table = `setup_${randomUUID().replaceAll('-', '')}`
      const opened = await Promise.all(Array.from({ length: 8 }, () => open(databases.postgres)))
      closing.push(...opened.map(({ close }) => close))
      await Promise.all(
        opened.map(({ client }) => new PostgresDedupeStore(client, { table }).setup()),
      )
    },
  )

  test('says what is wrong where it is missing', async () => {
    const { client, close } = await postgresClients['postgres.js'](databases.postgres)
    closing.push(close)
    const store = new PostgresDedupeStore(client, { table: 'missing' })
    await expect(store.begin('evt_1')).rejects.toThrow(/"missing" does not exist/)
  })

  test('is not read from end to end by begin, however large it is', async () => {
    const { client, close } = await postgresClients['a Pool of pg'](databases.postgres)
    closing.push(close)
    const table = `large_${randomUUID().replaceAll('-', '')}`
    await new PostgresDedupeStore(client, { table }).setup()
    const end = "clock_timestamp() + interval '1 day'"
    const ids = 'generate_series(1, 5000) AS id'
    await client.query(`INSERT INTO ${table} SELECT id, NULL, '', ${end} FROM ${ids}`)
    const statement = `EXPLAIN (ANALYZE) ${POSTGRES_BEGIN.replaceAll('{table}', table)}`
    const { rows } = await client.query(statement, ['evt_1', 'token', 'holder', 300])
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{3}/)

    const { client: sqlite, close: closeSqlite } = await sqliteClients['node:sqlite'](':memory:')
    closing.push(closeSqlite)
    sqlite.exec(new SqliteDedupeStore(sqlite).schema)
    const prune = SQLITE_PRUNE.replaceAll('{table}', 'webhook_dedupe')
    const steps = sqlite.prepare(`EXPLAIN QUERY PLAN ${prune}`).all()
    expect(JSON.stringify(steps)).toMatch(/SEARCH webhook_dedupe USING INDEX \w+ \(expires_at<\?\)/)
  })

  test('loses what has expired, a few at a time', async () => {
    for (const { make } of [...postgresStores, ...sqliteStores]) {
      const newStore = await make()
      const store = newStore({ lease: 0 })
      for (let i = 0; i < 15; i++) await store.begin(`evt_${i}`)
      for (let i = 0; i < 15; i++) expect((await store.begin(`evt_${i}`)).state).toBe('new')
    }
  })
})
