import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SqliteStore } from '../../src/store/sqlite/index.ts'
import type { Job } from '../../src/store/types.ts'
import { storeContract } from './contract.ts'
import { conversation, EMPTY, endpoint, event, nextDue, outcome } from './world.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'mock-store-'))

for (const isDurable of [false, true]) {
  storeContract(`a SQLite file${isDurable ? ', durable' : ''}`, async (now) => {
    const dir = folder()
    const open = () => new SqliteStore(join(dir, 'mock.db'), { now, isDurable })
    const store = open()
    return {
      store,
      reopen: async () => {
        await store.close()
        return open()
      },
      clean: async () => rmSync(dir, { recursive: true }),
    }
  })
}

storeContract('SQLite in memory', async (now) => ({
  store: new SqliteStore(':memory:', { now }),
  clean: async () => {},
}))

/** A store and its database. */
function opened(file = ':memory:') {
  const { exec } = DatabaseSync.prototype
  let db: DatabaseSync | undefined
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    db = this
    return exec.call(this, sql)
  })
  const store = new SqliteStore(file)
  vi.restoreAllMocks()
  if (!db) throw new Error('no database was opened')
  return { store, db }
}

describe('the deliveries of a removed endpoint', () => {
  const seeded = { ...EMPTY, endpoints: [endpoint('ep_1'), endpoint('ep_2')] }
  const EACH = 2500
  const DAY_AHEAD = Date.now() + 86_400_000

  /** Removes one of two endpoints whose deliveries are pending, dead and succeeded. */
  async function removed(file?: string) {
    const { store, db } = opened(file)
    const sandbox = await store.sandboxes.get('a', () => seeded)
    if (!sandbox) throw new Error('there is no room')
    const events = Array.from({ length: EACH }, (_, index) => event(`evt_${index}`))
    await store.state.commit(sandbox, { events })
    const [number = 0] = await store.outbox.endpointNumbers(sandbox)
    const jobs = await store.outbox.claim(number, DAY_AHEAD, EACH - 100)
    const states = ['dead', 'succeeded', 'pending'] as const
    await store.outbox.record(
      jobs.map((job, i) => outcome(job, states[i % 3] ?? 'dead', DAY_AHEAD)),
    )
    await store.endpoints.remove(sandbox, 'ep_1')
    return { store, db, sandbox, number, jobs }
  }
  const rows = (db: DatabaseSync) =>
    ['deliveries', 'attempts', 'removed_endpoints'].map(
      (table) => db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count,
    )

  it('are removed in steps, and none of them is found or attempted in between', async () => {
    const { store, db, sandbox, number, jobs } = await removed()
    const before = rows(db)
    const pruned = store.prune(0)
    const between = rows(db)
    expect(between).not.toEqual(before)
    expect(between[0]).toBeGreaterThan(EACH)
    expect(await store.outbox.claim(number, DAY_AHEAD, 9)).toEqual([])
    expect(await store.outbox.firstDue(number)).toBeNull()
    expect(await store.deliveries.list(sandbox, { endpoint: 'ep_1' }, 9)).toEqual([])
    // A delivery that ends meanwhile must not move to a state that was already removed.
    await store.outbox.record(jobs.map((job) => outcome(job, 'dead')))
    await pruned
    expect(rows(db)).toEqual([EACH, 0, 0])
    expect(await store.deliveries.list(sandbox, { state: 'pending' }, EACH)).toHaveLength(EACH)
    await store.close()
  })

  it('are removed by the next process if this one ends before', async () => {
    const dir = folder()
    const file = join(dir, 'mock.db')
    const first = await removed(file)
    const pruned = first.store.prune(0)
    await first.store.close()
    await expect(pruned).rejects.toThrow()
    const { store, db } = opened(file)
    expect(rows(db)[0]).toBeGreaterThan(EACH)
    await store.prune(0)
    expect(rows(db)).toEqual([EACH, 0, 0])
    await store.close()
    rmSync(dir, { recursive: true })
  })
})

describe('as data grows', () => {
  afterEach(() => vi.restoreAllMocks())

  /** Calls every method that requests and deliveries use. */
  async function use(store: SqliteStore) {
    const seeded = { ...EMPTY, endpoints: [endpoint('ep_1')] }
    const sandbox = await store.sandboxes.get('a', () => seeded)
    if (!sandbox) throw new Error('there is no room')
    await store.state.numbers(sandbox, 1)
    await store.state.claimKey(sandbox, 'message k', 'f')
    await store.state.commit(sandbox, {
      conversation: conversation('conv_1', 1, { intent: 'shipping' }),
      messages: [{ id: 'msg_1', conversationId: 'conv_1', json: '{}' }],
      source: { id: 'src_1', json: '{}', due: 0 },
      events: [event('evt_1')],
      remembered: { scope: 'message k', status: 201, body: '' },
    })
    await store.state.conversation(sandbox, 'conv_1')
    await store.state.thread(sandbox, 'conv_1')
    for (const statuses of [undefined, ['open']]) {
      await store.state.conversations(sandbox, { statuses, before: 9, limit: 9 })
    }
    await store.state.source(sandbox, 'src_1')
    await store.outbox.firstSourceDue()
    await store.outbox.dueSources(Date.now(), 9)
    await store.state.counts(sandbox, 9)
    for (const before of [undefined, 9]) await store.deliveries.events(sandbox, 9, before)
    await store.endpoints.list(sandbox)
    const [number = 0] = await store.outbox.endpointNumbers(sandbox)
    await store.outbox.firstDue(number)
    const [job] = await store.outbox.claim(number, Date.now(), 9)
    await store.outbox.record([outcome(job as Job, 'dead')])
    for (const filter of [{}, { state: 'dead' } as const, { kind: 'a', endpoint: 'b' }]) {
      for (const before of [undefined, 'dlv_9'])
        await store.deliveries.list(sandbox, filter, 9, before)
    }
    await store.deliveries.count(sandbox, { state: 'dead' }, 9)
    await store.deliveries.eventOf(sandbox, 'dlv_1')
    await store.deliveries.get(sandbox, 'dlv_1')
    await store.deliveries.replay(sandbox, { id: 'dlv_1' }, 0)
    await store.deliveries.replay(sandbox, { state: 'dead' }, 0)
    await nextDue(store, await store.sandboxes.advance(sandbox, 1))
    await store.sandboxes.dues(sandbox, [number])
    await store.endpoints.remove(sandbox, 'ep_1')
    await store.prune(Date.now())
    await store.sandboxes.reset(sandbox, EMPTY)
  }

  it('no statement scans a table that grows', async () => {
    const { prepare } = DatabaseSync.prototype
    const statements = new Set<string>()
    const { store, db } = opened()
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
      this: DatabaseSync,
      sql: string,
    ) {
      statements.add(sql)
      return prepare.call(this, sql)
    })
    await use(store)
    vi.restoreAllMocks()
    expect(statements.size).toBeGreaterThan(40)
    const slow = [...statements].flatMap((sql) => {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Array<{ detail: string }>
      // A range over all rows reads all sandboxes. A sort for a limit reads more than the limit.
      const bad = sql.includes('LIMIT')
        ? /^SCAN (?!json_each|\()|\(rowid[<>]|TEMP B-TREE/
        : /^SCAN (?!json_each|\()|\(rowid[<>]/
      return plan.filter(({ detail }) => bad.test(detail)).map(({ detail }) => `${detail}: ${sql}`)
    })
    expect(slow).toEqual([])
    await store.close()
  })

  it('every foreign key of a removed row has an index', async () => {
    const { store, db } = opened()
    const all = <T>(sql: string) => db.prepare(sql).all() as T[]
    const tables = all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    const missing = tables.flatMap(({ name }) => {
      const first = all<{ name: string; partial: number }>(`PRAGMA index_list(${name})`)
        .filter(({ partial }) => !partial)
        .map((index) => all<{ name: string }>(`PRAGMA index_info(${index.name})`)[0]?.name)
      return all<{ from: string }>(`PRAGMA foreign_key_list(${name})`)
        .filter(({ from }) => !first.includes(from))
        .map(({ from }) => `${name}.${from}`)
    })
    expect(missing).toEqual([])
    await store.close()
  })
})
