/** What several processes do with one schema: here several stores in one process. */
import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { POSTGRES_MIGRATIONS } from '../../src/assets.ts'
import type { PostgresOptions, PostgresStore } from '../../src/store/postgres/index.ts'
import type { Job, Sandbox } from '../../src/store/types.ts'
import { Schema } from '../postgres.ts'
import { conversation, EMPTY, endpoint, event, outcome } from './world.ts'

/** Fast enough for a test: others believe in a process for half a second. */
const QUICK = { heartbeat: 50, timeToLive: 500 }

let schema: Schema
const stores: PostgresStore[] = []
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()))
  await schema.drop()
})

async function open(options: Partial<PostgresOptions> = {}): Promise<PostgresStore> {
  schema ??= new Schema()
  const store = await schema.open({ ...QUICK, ...options })
  stores.push(store)
  return store
}

async function two(
  options: Partial<PostgresOptions> = {},
): Promise<[PostgresStore, PostgresStore]> {
  schema = new Schema()
  return [await open(options), await open(options)]
}

/** The connections that listen for notices. */
function listening() {
  const sql = `SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%${schema.name}%'`
  return schema.run(sql)
}

async function of(store: PostgresStore, key = 'a'): Promise<Sandbox> {
  const sandbox = await store.sandboxes.get(key, () => EMPTY)
  if (!sandbox) throw new Error('there is no room')
  return sandbox
}

/** A sandbox with an endpoint and due deliveries. @returns them, and the number of the endpoint */
async function waiting(store: PostgresStore, count = 1) {
  const sandbox = await of(store)
  await store.endpoints.add(sandbox, endpoint('ep_1'))
  const events = Array.from({ length: count }, (_, index) => event(`evt_${index}`))
  await store.state.commit(sandbox, { events })
  const [number = 0] = await store.outbox.endpointNumbers(sandbox)
  return { sandbox, number }
}

/** Ends as a process does that is killed: it says nothing more, and leaves all that it had. */
function kill(store: PostgresStore): void {
  stores.splice(stores.indexOf(store), 1)
  store.outbox.stop()
  store.replicas.fall()
}

const claim = (store: PostgresStore, endpoint: number) =>
  // The clocks of two stores differ by what measuring them takes.
  store.outbox.claim(endpoint, store.now() + 100, 100)

describe('an endpoint', () => {
  it('belongs to one process at a time', async () => {
    const [one, other] = await two()
    const { number } = await waiting(one, 3)
    const jobs = await claim(one, number)
    expect(jobs).toHaveLength(3)
    expect(await claim(other, number)).toEqual([])
    expect(await other.outbox.firstDue(number)).toBeNull()
    await one.outbox.record(jobs.map((job) => outcome(job, 'pending', one.now())))
    expect(await claim(other, number)).toEqual([])
    await one.outbox.leave([number])
    const again = await claim(other, number)
    expect(again.map(({ attempted }) => attempted)).toEqual([1, 1, 1])
  })

  it('is free some time after its process died, with what that had not recorded', async () => {
    const [one, other] = await two()
    const { number } = await waiting(one)
    const [lost] = await claim(one, number)
    kill(one)
    expect(await claim(other, number)).toEqual([])
    await expect
      .poll(async () => (await claim(other, number)).map(({ delivery }) => delivery))
      .toEqual([lost?.delivery])
  })

  it('is taken as soon as another one is left, where many are due', async () => {
    schema = new Schema()
    const options = { poll: 3_600_000, directUrl: undefined }
    const store = await open(options)
    const sandbox = await of(store)
    const ids = Array.from({ length: 20 }, (_, index) => `ep_${index}`)
    for (const id of ids) await store.endpoints.add(sandbox, endpoint(id))
    await store.state.commit(sandbox, { events: [event('evt_1')] })
    const found = new Set(await store.outbox.endpointNumbers())
    const look = (endpoints: readonly number[]) => {
      for (const number of endpoints) found.add(number)
    }
    store.outbox.watch({ due: look, changed: () => {} })
    // The set grows meanwhile.
    for (const number of found) {
      const jobs = await claim(store, number)
      await store.outbox.record(jobs.map((job) => outcome(job, 'succeeded')))
      await store.outbox.leave([number])
    }
    expect(found.size).toBe(ids.length)
  })

  it.each(['run', 'rows'] as const)(
    'is left at the next try where the database fails meanwhile: %s',
    async (statement) => {
      const [one, other] = await two({ directUrl: undefined })
      const { number } = await waiting(one, 2)
      const [first, second] = await claim(one, number)
      if (first) await one.outbox.record([outcome(first, 'succeeded')])
      if (second) await one.outbox.release([second.delivery])
      vi.spyOn(one.db, statement).mockRejectedValueOnce(new Error('the connection ended'))
      await expect(one.outbox.leave([number])).rejects.toThrow('the connection ended')
      // As if the second delivery had been committed while the first statement ran.
      await schema.run('UPDATE {endpoints} SET due = NULL WHERE owner IS NULL')
      await one.outbox.leave([number])
      expect(await other.outbox.endpointNumbers()).toEqual([number])
      expect(await claim(other, number)).toHaveLength(1)
    },
  )

  it('is found again by its owner, where that does not know', async () => {
    const [one] = await two()
    const { number } = await waiting(one)
    await schema.run('UPDATE {endpoints} SET owner = $1', [one.replicas.id])
    expect(await one.outbox.endpointNumbers()).toEqual([number])
  })

  it('is not lost to a process that is late, and left by one that others took for dead', async () => {
    const [one, other] = await two()
    const { number } = await waiting(one)
    await claim(one, number)
    one.replicas.fall()
    await expect.poll(() => one.outbox.isPresent).toBe(false)
    expect(await claim(one, number)).toEqual([])
    await expect.poll(() => claim(other, number)).toHaveLength(1)
    await one.replicas.start()
    expect(one.outbox.isPresent).toBe(true)
    expect(await claim(one, number)).toEqual([])
  })

  it('is looked at again for what another process commits while it is left', async () => {
    const [one, other] = await two()
    const { sandbox, number } = await waiting(one)
    const jobs = await claim(one, number)
    await one.outbox.record(jobs.map((job) => outcome(job, 'succeeded')))
    const found: number[] = []
    other.outbox.watch({ due: (endpoints) => void found.push(...endpoints), changed: () => {} })
    for (let round = 0; round < 20; round++) {
      const [made] = await Promise.all([
        other.state.commit(sandbox, { events: [event(`evt_more_${round}`)] }),
        one.outbox.leave([number]),
      ])
      void made
      // As the worker does after its commit.
      const mine = await claim(other, number)
      const theirs = mine.length > 0 ? mine : await claim(one, number)
      expect([round, theirs.map(({ event: { id }, attempted }) => [id, attempted])]).toEqual([
        round,
        [[`evt_more_${round}`, 0]],
      ])
      const owner = mine.length > 0 ? other : one
      await owner.outbox.record(theirs.map((job) => outcome(job, 'succeeded')))
      await owner.outbox.leave([number])
      await claim(one, number)
    }
  })
})

describe('an outcome', () => {
  async function claimed() {
    const [one, other] = await two()
    const { sandbox, number } = await waiting(one)
    const [job] = (await claim(one, number)) as [Job]
    return { one, other, sandbox, number, job }
  }

  it('is recorded once, however often it comes', async () => {
    const { one, other, sandbox, job } = await claimed()
    await one.outbox.record([outcome(job, 'pending', one.now())])
    await other.outbox.record([outcome(job, 'succeeded')])
    const [delivery] = await one.deliveries.list(sandbox, {}, 1)
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ at: expect.any(Number) }] })
  })

  it('is dropped after a replay, a reset or a restore by another process', async () => {
    const { one, other, sandbox, number, job } = await claimed()
    await other.snapshots.take(sandbox, 'before')
    await one.outbox.record([outcome(job, 'dead')])
    expect(await other.deliveries.replay(sandbox, {}, other.now())).toBe(1)
    await one.outbox.record([outcome(job, 'succeeded')])
    expect(await one.deliveries.list(sandbox, {}, 1)).toMatchObject([{ state: 'pending' }])
    await other.snapshots.restore(sandbox, 'before', [])
    await one.outbox.record([outcome(job, 'succeeded')])
    const [restored] = await one.deliveries.list(sandbox, {}, 1)
    expect(restored).toMatchObject({ state: 'pending', attempts: [] })
    // The endpoint is free, though this process did not leave it.
    expect(await claim(one, number)).toHaveLength(1)
  })
})

describe('what another process does', () => {
  it('is told at once', async () => {
    const [one, other] = await two({ poll: 3_600_000 })
    const { sandbox, number } = await waiting(one)
    await expect.poll(listening).toHaveLength(2)
    const told: unknown[] = []
    other.outbox.watch({
      due: (endpoints) => void told.push(...endpoints),
      changed: ({ id }, endpoint) => void told.push([id, endpoint]),
    })
    await one.endpoints.changeSecret(sandbox, 'ep_1', 'whsec_new')
    await expect.poll(() => told).toContainEqual([sandbox.id, 'ep_1'])
    await one.state.commit(sandbox, { events: [event('evt_more')] })
    await expect.poll(() => told).toContain(number)
  })

  it('is found without notices, too', async () => {
    schema = new Schema()
    const one = await open({ directUrl: undefined })
    const other = await open({ directUrl: undefined })
    const told: number[] = []
    other.outbox.watch({ due: (endpoints) => void told.push(...endpoints), changed: () => {} })
    const { number } = await waiting(one)
    await expect.poll(() => told).toContain(number)
  })

  it('is told again after the connection for notices broke', async () => {
    const [one, other] = await two()
    const { number } = await waiting(one)
    const told: number[] = []
    other.outbox.watch({ due: (endpoints) => void told.push(...endpoints), changed: () => {} })
    await schema.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%${schema.name}%'`,
    )
    await schema.run(`NOTIFY ${schema.name}_notices, 'not of this program'`)
    await expect.poll(() => told).toContain(number)
  })
})

describe('of several processes at once', () => {
  it('all can create the schema', async () => {
    schema = new Schema()
    await Promise.all(Array.from({ length: 8 }, () => open({ connections: 2 })))
    const versions = readdirSync(POSTGRES_MIGRATIONS).map((_, index) => ({ version: index + 1 }))
    expect(await schema.run('SELECT version FROM {migrations} ORDER BY version')).toEqual(versions)
  })

  it('one creates the sandbox of a key', async () => {
    const [one, other] = await two()
    const made = await Promise.all([one, other, one, other].map((store) => of(store, 'new')))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  })

  it('one changes a conversation', async () => {
    const [one, other] = await two()
    const sandbox = await of(one)
    const before = conversation('conv_1', 1)
    await one.state.commit(sandbox, { conversation: before })
    const results = await Promise.allSettled(
      [one, other, one, other].map((store, index) =>
        store.state.commit(sandbox, {
          conversation: conversation('conv_1', 2 + index),
          before,
          messages: [{ id: `msg_${index}`, conversationId: 'conv_1', json: `${index}` }],
        }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await other.state.messages(sandbox, 'conv_1', 9)).total).toBe(1)
  })

  it('one has a lock, and that of a dead one is free', async () => {
    const [one, other] = await two()
    const sandbox = await of(one)
    const steps: string[] = []
    const work = (store: PostgresStore, name: string) =>
      store.exclusively(sandbox, 'clock', async () => {
        steps.push(`${name} begins`)
        await delay(60)
        steps.push(`${name} ends`)
      })
    await Promise.all([work(one, 'one'), work(other, 'other')])
    expect([steps[0]?.split(' ')[0], steps[1]]).toEqual([
      steps[1]?.split(' ')[0],
      expect.stringMatching(/ends$/),
    ])
    void one.exclusively(sandbox, 'clock', () => new Promise(() => {}))
    await expect.poll(() => schema.run('SELECT 1 FROM {locks}')).toHaveLength(1)
    kill(one)
    await work(other, 'after')
    expect(steps.at(-1)).toBe('after ends')
  })

  it('one runs a request with an idempotency key, and that of a dead one is free', async () => {
    const [one, other] = await two()
    const sandbox = await of(one)
    expect(await one.state.claimKey(sandbox, 'k', 'f')).toEqual({ state: 'new' })
    expect(await other.state.claimKey(sandbox, 'k', 'f')).toEqual({ state: 'running' })
    kill(one)
    await expect
      .poll(() => other.state.claimKey(sandbox, 'k', 'f'), { interval: 50 })
      .toEqual({ state: 'new' })
  })

  it('all give numbers that no other gives', async () => {
    const [one, other] = await two()
    const sandbox = await of(one)
    const given = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? one : other).state.numbers(sandbox, 2)),
    )
    expect(given.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => 1 + 2 * i))
  })
})

describe('a text', () => {
  it.each(['\0', 'a\0b', '\ud800', 'é📦'])('is kept or not found: %j', async (text) => {
    schema = new Schema()
    const store = await open()
    const sandbox = await of(store)
    const handoff = { reason: text, requestedAt: 1 }
    const one = conversation('conv_1', 1, { visitor: text, handoff })
    await store.state.commit(sandbox, { conversation: one })
    expect(await store.state.conversation(sandbox, 'conv_1')).toEqual(one)
    expect(await store.state.conversation(sandbox, text)).toBeNull()
    expect(await store.snapshots.restore(sandbox, text, [])).toBe(false)
    expect(await store.deliveries.list(sandbox, { mention: text, kind: text }, 9)).toEqual([])
  })
})

describe('a database that cannot be used', () => {
  const refusal = async (options: Partial<PostgresOptions>) => {
    schema = new Schema()
    return open(options).then(
      () => '',
      (error: Error) => `${error.constructor.name}: ${error.message}`,
    )
  }

  it.each([
    ['postgresql://u:s3cret@127.0.0.1:1/db', /cannot be reached. Start it, or check the URL/],
    ['postgresql://u:s3cret@no.invalid/db', /no\.invalid is unknown|cannot be resolved/],
  ])('is refused in a sentence without its password: %s', async (url, message) => {
    const said = await refusal({ url, directUrl: undefined })
    expect(said).toMatch(/^StoreError: /)
    expect(said).toMatch(message)
    expect(said).not.toContain('s3cret')
  })

  it('is refused where it does not exist', async () => {
    const url = new URL(new Schema().url)
    url.pathname = '/nowhere'
    expect(await refusal({ url: url.href })).toMatch(/has no database nowhere\. Create it/)
  })

  it('is refused where its clock and that of this machine are far apart', async () => {
    schema = new Schema()
    const { now } = Date
    for (const [skew, said] of [
      [-120_000, /^The clock of this machine is 120 s behind that of the database\. Set both/],
      [90_000, /^The clock of this machine is 90 s ahead of that of the database\. Set both/],
    ] as const) {
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + skew)
      await expect(open()).rejects.toThrow(said)
      clock.mockRestore()
    }
    expect(await schema.run('SELECT * FROM {replicas}')).toEqual([])
  })

  it('is refused where a newer version has written it', async () => {
    schema = new Schema()
    await (await open()).sandboxes.count()
    await schema.run('INSERT INTO {migrations} VALUES (99, now())')
    await expect(open()).rejects.toThrow(/comes from a newer version of this mock server/)
  })
})
