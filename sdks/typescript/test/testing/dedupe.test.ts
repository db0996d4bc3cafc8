import { expect, test } from 'vitest'
import { SupportChatError } from '../../src/generated/names.ts'
import { checkDedupeStore } from '../../src/testing/index.ts'
import { type DedupeStore, MemoryDedupeStore } from '../../src/webhooks/index.ts'

/** A store with a mistake: what some methods do instead, given a store that works. */
type Mistake = (store: MemoryDedupeStore) => Partial<DedupeStore>

const MISTAKES: ReadonlyArray<[mistake: string, rules: string[], make: Mistake]> = [
  [
    'reads before it writes',
    ['one caller gets the lease'],
    (store) => {
      const seen = new Set<string>()
      const begin = async (id: string) => {
        const isKnown = seen.has(id)
        await Promise.resolve()
        seen.add(id)
        return isKnown ? store.begin(id) : { state: 'new' as const, token: tokenOf(store, id) }
      }
      return { begin }
    },
  ],
  ['forgets what was handled', ['a repeat of a handled event is done'], () => ({ done() {} })],
  [
    'does not compare tokens in release',
    ['another token neither ends nor finishes a lease'],
    (store) => {
      const tokens = new Map<string, string>()
      const begin = (id: string) => {
        const lease = store.begin(id)
        if (lease.state === 'new') tokens.set(id, lease.token)
        return lease
      }
      return { begin, release: (id) => store.release(id, tokens.get(id) ?? '') }
    },
  ],
  ['keeps what is released', ['a released event is new'], () => ({ release() {} })],
  [
    'gives every lease the same token',
    ['a released event is new', 'a lease that ended is new'],
    (store) => {
      const begin = (id: string) => {
        const lease = store.begin(id)
        if (lease.state === 'new') tokens.set(id, lease.token)
        return lease.state === 'new' ? { ...lease, token: 'same' } : lease
      }
      const tokens = new Map<string, string>()
      const real = (id: string, token: string) => (token === 'same' ? (tokens.get(id) ?? '') : '')
      return {
        begin,
        done: (id, token) => store.done(id, real(id, token)),
        release: (id, token) => store.release(id, real(id, token)),
      }
    },
  ],
  [
    'ignores case',
    ['ids do not touch each other'],
    (store) => ({
      begin: (id) => store.begin(id.toLowerCase()),
      done: (id, token) => store.done(id.toLowerCase(), token),
      release: (id, token) => store.release(id.toLowerCase(), token),
    }),
  ],
]

function tokenOf(store: MemoryDedupeStore, id: string): string {
  const lease = store.begin(id)
  return lease.state === 'new' ? lease.token : 'taken'
}

test.each(MISTAKES)('a store that %s breaks a rule', async (_, rules, make) => {
  const checked = checkDedupeStore(({ lease }) => {
    const store = new MemoryDedupeStore({ lease })
    const { begin, done, release } = make(store)
    return {
      begin: begin ?? ((id) => store.begin(id)),
      done: done ?? ((id, token) => store.done(id, token)),
      release: release ?? ((id, token) => store.release(id, token)),
    }
  })
  const error = await checked.then(
    () => new Error('The store keeps all rules.'),
    (error: Error) => error,
  )
  for (const rule of rules) expect(error.message).toContain(`- ${rule}: `)
  expect(error).toBeInstanceOf(SupportChatError)
})

test('a store that fails is reported, rule by rule', async () => {
  const begin = () => Promise.reject(new Error('connect ECONNREFUSED'))
  const checked = checkDedupeStore(() => ({ begin, done() {}, release() {} }))
  await expect(checked).rejects.toThrow('- one caller gets the lease: connect ECONNREFUSED')
})

test('a store whose leases never end is reported', { timeout: 60_000 }, async () => {
  const checked = checkDedupeStore(() => new MemoryDedupeStore())
  await expect(checked).rejects.toThrow(
    '- a lease that ended is new: A lease of 1 s is still in_progress.',
  )
})

test('a store that works is accepted', async () => {
  await checkDedupeStore(({ lease }) => new MemoryDedupeStore({ lease }))
})
