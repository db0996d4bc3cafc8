import { BaseError } from '../generated/names.js'
import type { DedupeLease, DedupeStore } from '../webhooks/dedupe.js'

/** Makes a store whose leases end after a number of seconds. */
export type MakeDedupeStore = (options: { lease: number }) => DedupeStore | Promise<DedupeStore>

/**
 * Checks a store of your own, on the database that it uses. Takes a few seconds, because one lease has
 * to end. The IDs of its events begin with `check-` and are new in each run.
 *
 * @example
 * test('the store', () => checkDedupeStore(({ lease }) => new MyStore(database, { lease })))
 *
 * @param makeStore Makes a store with leases of `lease` seconds.
 * @throws {Error} that names each rule that the store breaks
 */
export async function checkDedupeStore(makeStore: MakeDedupeStore): Promise<void> {
  const run = crypto.randomUUID()
  const broken: string[] = []
  for (const [position, [rule, check]] of Object.entries(RULES).entries()) {
    const lease = check === endOfLease ? SHORT_LEASE : LONG_LEASE
    try {
      await check(await makeStore({ lease }), `check-${run}-${position}`)
    } catch (error) {
      broken.push(`- ${rule}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (broken.length === 0) return
  throw new BaseError(['The store breaks these rules:', ...broken].join('\n'))
}

/** In seconds. A store may count whole ones. */
const SHORT_LEASE = 1
const LONG_LEASE = 300

/** How long a lease of `SHORT_LEASE` may at most be seen, and how long to wait before another look. */
const PATIENCE_MS = 5_000
const PAUSE_MS = 50

const CALLERS = 50
const OTHER_TOKEN = 'another-token'

type Check = (store: DedupeStore, id: string) => Promise<void>

/** The rules have the same names in every SDK. */
const RULES: Readonly<Record<string, Check>> = {
  'one caller gets the lease': async (store, id) => {
    const leases = await Promise.all(Array.from({ length: CALLERS }, () => store.begin(id)))
    const states = leases.map(({ state }) => state)
    const taken = states.filter((state) => state === 'new').length
    if (taken !== 1) fail(`${CALLERS} callers at once got ${taken} leases.`)
    const other = states.find((state) => state !== 'new' && state !== 'in_progress')
    if (other !== undefined) fail(`The state was ${other} before the event was handled.`)
  },

  'a repeat of a handled event is done': async (store, id) => {
    const token = await begin(store, id)
    await store.done(id, token)
    await expectState('done', store, id, 'after done')
    await store.done(id, token)
    await store.release(id, token)
    await expectState('done', store, id, 'after done, a second done and release')
  },

  'another token neither ends nor finishes a lease': async (store, id) => {
    await begin(store, id)
    await store.release(id, OTHER_TOKEN)
    await expectState('in_progress', store, id, 'after release with another token')
    await store.done(id, OTHER_TOKEN)
    await expectState('in_progress', store, id, 'after done with another token')
  },

  'a released event is new': async (store, id) => {
    const old = await begin(store, id)
    await store.release(id, old)
    const token = await begin(store, id)
    if (token === old) fail('Two leases had the same token.')
    await expectToken(store, id, old, token)
  },

  'a lease that ended is new': endOfLease,

  'ids do not touch each other': async (store, id) => {
    // A database may compare texts regardless of case, or of spaces at the end.
    const others = [`${id}-b`, id.toUpperCase(), `${id} `]
    await store.done(id, await begin(store, id))
    for (const other of others) {
      const token = await begin(store, other)
      await expectState('in_progress', store, other, 'after begin')
      await store.release(other, token)
    }
    await expectState('done', store, id, 'after events with other IDs')
  },
}

async function endOfLease(store: DedupeStore, id: string): Promise<void> {
  const old = await begin(store, id)
  const end = performance.now() + PATIENCE_MS
  let lease = await store.begin(id)
  while (lease.state !== 'new') {
    if (performance.now() > end) fail(`A lease of ${SHORT_LEASE} s is still ${lease.state}.`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    lease = await store.begin(id)
  }
  if (lease.token === old) fail('Two leases had the same token.')
}

/** The old token of an event has no power over its new lease. */
async function expectToken(store: DedupeStore, id: string, old: string, token: string) {
  await store.done(id, old)
  await store.release(id, old)
  await expectState(
    'in_progress',
    store,
    id,
    'after done and release with the token of an old lease',
  )
  await store.done(id, token)
  await expectState('done', store, id, 'after done')
}

/** Takes a lease. */
async function begin(store: DedupeStore, id: string): Promise<string> {
  const lease = await store.begin(id)
  if (lease.state !== 'new') fail(`The state was ${lease.state} instead of new.`)
  if (typeof lease.token !== 'string' || lease.token === '') fail('The lease had no token.')
  return lease.token
}

async function expectState(
  expected: DedupeLease['state'],
  store: DedupeStore,
  id: string,
  when: string,
): Promise<void> {
  const { state } = await store.begin(id)
  if (state !== expected) fail(`The state was ${state} instead of ${expected} ${when}.`)
}

function fail(what: string): never {
  throw new BaseError(what)
}
