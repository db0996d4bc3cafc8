import { seededChance } from '../src/delivery/schedule.ts'
import type { Result } from '../src/delivery/sender.ts'
import { advance } from '../src/delivery/time.ts'
import { Worker, type WorkerOptions } from '../src/delivery/worker.ts'
import type { OutboxStore } from '../src/store/store.ts'
import type { Job, Sandbox, Seed } from '../src/store/types.ts'
import { newStore } from './stores.ts'
import { SILENT } from './support.ts'

export const EMPTY: Seed = { conversations: [], sources: [], endpoints: [] }
export const OK: Result = { status: 204, reason: null, retry: false, headers: {}, body: '' }
export const FAILED: Result = { status: 503, reason: '503', retry: true, headers: {}, body: '' }
export const REFUSED: Result = { status: 404, reason: '404', retry: false, headers: {}, body: '' }

/**
 * A worker with a clock that stands still and receivers that are functions.
 *
 * @param seen The outbox as the worker sees it.
 */
export async function virtual(
  send: (job: Job) => Promise<Result | null>,
  options: Partial<WorkerOptions> = {},
  seen: (outbox: OutboxStore) => OutboxStore = (outbox) => outbox,
) {
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
  const now = () => clock.now
  const store = await newStore(now)
  const worker = new Worker({
    store: seen(store.outbox),
    send,
    now,
    schedule: { timeScale: 1, chance: seededChance },
    log: SILENT,
    index: async () => {},
    ...options,
  })
  const current = new Map<string, Sandbox>()
  let events = 0
  const sandbox = async (key = 'a') => {
    const known = current.get(key) ?? (await store.sandboxes.get(key, () => EMPTY))
    if (!known) throw new Error('there is no room')
    current.set(key, known)
    return known
  }
  return {
    clock,
    store,
    worker,
    sandbox,
    async endpoint(id: string, kinds: string[] | null = null, key = 'a') {
      const one = { id, url: `https://${id}.example/`, kinds, secret: `whsec_${id}` }
      await store.endpoints.add(await sandbox(key), one)
    },
    async emit(count = 1, kind = 'conversation.resolved', key = 'a') {
      const one = await sandbox(key)
      const made = Array.from({ length: count }, () => {
        const id = `evt_${++events}`
        return { id, kind, occurredAt: clock.now, body: JSON.stringify({ id }) }
      })
      await store.state.commit(one, { events: made })
      void worker.poke(one)
    },
    async advance(ms: number, key = 'a') {
      current.set(
        key,
        await advance(await sandbox(key), ms, { store: store.sandboxes, worker, now }),
      )
    },
    async close() {
      await worker.stop()
      await store.close()
    },
  }
}
export type Virtual = Awaited<ReturnType<typeof virtual>>

/** A promise with its `resolve`. */
export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
