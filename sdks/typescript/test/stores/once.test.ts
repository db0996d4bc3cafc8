// The event is marked as handled in the transaction of the work, so that both happen or neither.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { BetterSqlite3, Pg, Postgres } from '../../../../toolchains/databases.ts'
import { type PgClient, PostgresDedupeStore } from '../../src/webhooks/postgres.ts'
import { SqliteDedupeStore } from '../../src/webhooks/sqlite.ts'
import { sqliteClients } from './clients.ts'
import { useDatabases } from './databases.ts'

const databases = useDatabases('postgres')
const closing: Array<() => unknown> = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

type Store = PostgresDedupeStore
/** Runs work in a transaction, which it commits unless the work fails. */
type InTransaction = (
  work: (client: Parameters<Store['once']>[1]) => Promise<void>,
) => Promise<void>

const libraries = {
  pg: (connectionString: string) => {
    const pool = new Pg.Pool({ connectionString, max: 12 })
    const inTransaction: InTransaction = async (work) => {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        await work(client)
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    }
    return { client: pool, inTransaction, close: () => pool.end() }
  },
  'postgres.js': (url: string) => {
    const sql = Postgres(url, { max: 12, onnotice() {} })
    const inTransaction: InTransaction = async (work) => {
      await sql.begin(async (transaction) => work(transaction))
    }
    return { client: sql, inTransaction, close: () => sql.end({ timeout: 0 }) }
  },
}

describe.each(Object.entries(libraries))('once, in a transaction of %s', (_, open) => {
  async function setUp() {
    const { client, inTransaction, close } = open(databases.postgres)
    closing.push(close)
    const table = `events_${randomUUID().replaceAll('-', '')}`
    const work = `work_${table}`
    const store = new PostgresDedupeStore(client, { table })
    await store.setup()
    const run = async (on: unknown, text: string): Promise<readonly object[]> => {
      const isPg = (one: unknown): one is PgClient => typeof one !== 'function'
      return isPg(on) ? (await on.query(text)).rows : (on as typeof sql).unsafe(text)
    }
    const sql = client as { unsafe(text: string): Promise<readonly object[]> }
    await run(client, `CREATE TABLE ${work} (id text)`)
    return {
      store,
      inTransaction,
      /** What a handler does. */
      handle: (id: string, before = async () => {}) =>
        inTransaction(async (transaction) => {
          if (!(await store.once(id, transaction))) return
          await run(transaction, `INSERT INTO ${work} VALUES ('${id}')`)
          await before()
        }),
      done: async () => (await run(client, `SELECT id FROM ${work}`)).length,
    }
  }

  test('the work is done once', async () => {
    const { handle, done } = await setUp()
    await handle('evt_1')
    await handle('evt_1')
    expect(await done()).toBe(1)
  })

  test('work that fails is undone, and done at the next delivery', async () => {
    const { handle, done } = await setUp()
    const failing = handle('evt_1', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await done()).toBe(0)
    await handle('evt_1')
    expect(await done()).toBe(1)
  })

  test('of duplicates at the same time, one does the work and the others wait', async () => {
    const { handle, done } = await setUp()
    let failures = 2
    const before = async () => {
      failures -= 1
      if (failures >= 0) throw new Error('no')
    }
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => handle('evt_1', before)))
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(2)
    expect(await done()).toBe(1)
  })

  test('a lease does not stop it, and a receiver sees what it did', async () => {
    const { store, handle, done } = await setUp()
    const lease = await store.begin('evt_1')
    await handle('evt_1')
    expect(await done()).toBe(1)
    expect(await store.begin('evt_1')).toEqual({ state: 'done' })
    await store.release('evt_1', lease.state === 'new' ? lease.token : '')
    expect(await store.begin('evt_1')).toEqual({ state: 'done' })
  })
})

test.each(Object.entries(libraries))('once, on the pool of %s, is an error', async (_, open) => {
  const { client, close } = open(databases.postgres)
  closing.push(close)
  const store = new PostgresDedupeStore(client)
  for (const wrong of [client, undefined as never]) {
    await expect(store.once('evt_1', wrong)).rejects.toThrow(
      'Pass once() the connection of your transaction, not the pool.',
    )
  }
})

describe.each(Object.entries(sqliteClients))('once, in a transaction of %s', (_, open) => {
  test('the work is done once, or not at all', async () => {
    const file = join(databases.folder, `${randomUUID()}.db`)
    const { client, close } = await open(file)
    const other = await open(file)
    closing.push(close, other.close)
    const store = new SqliteDedupeStore(client)
    store.setup()
    client.exec('CREATE TABLE work (id TEXT)')
    const handle = (end: 'COMMIT' | 'ROLLBACK', database = client) => {
      database.exec('BEGIN')
      const isNew = store.once('evt_1', database)
      if (isNew) database.exec("INSERT INTO work VALUES ('evt_1')")
      database.exec(end)
      return isNew
    }
    expect(handle('ROLLBACK')).toBe(true)
    expect(handle('COMMIT', other.client)).toBe(true)
    expect(handle('COMMIT')).toBe(false)
    expect(client.prepare('SELECT id FROM work').all()).toHaveLength(1)
  })
})

test.each(Object.entries(sqliteClients))(
  'once, outside of a transaction of %s, is an error',
  async (_, open) => {
    const { client, close } = await open(join(databases.folder, `${randomUUID()}.db`))
    closing.push(close)
    const store = new SqliteDedupeStore(client)
    store.setup()
    expect(() => store.once('evt_1')).toThrow('Call once() in a transaction of yours.')
    expect(store.begin('evt_1').state).toBe('new')
  },
)

test("once, in a transaction function of better-sqlite3, on the store's own database", () => {
  const database = new BetterSqlite3(':memory:')
  const store = new SqliteDedupeStore(database)
  store.setup()
  const results = [1, 2].map(() => database.transaction(() => store.once('evt_1'))())
  expect(results).toEqual([true, false])
  database.close()
})
