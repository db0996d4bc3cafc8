/** Moves a sandbox's clock on, and with it everything that waits for its time. */
import type { Sandbox, Store } from '../store/types.ts'
import type { Worker } from './worker.ts'

/**
 * Returns when every attempt that became due has ended, those included that follow from one: in the
 * order of time, each at the moment that it was due. Ends early where the sandbox is reset meanwhile.
 *
 * @param ms How far to go, in milliseconds.
 */
export async function advance(
  sandbox: Sandbox,
  ms: number,
  { store, worker, now }: { store: Store; worker: Worker; now: () => number },
): Promise<Sandbox> {
  let current = sandbox
  let rest = ms
  await worker.settled(current)
  while (!worker.isStopped && current.generation === sandbox.generation) {
    const due = await store.nextDue(current)
    const wait = due === null ? null : Math.max(0, due - now())
    if (wait === null || wait > rest) break
    current = await store.advance(current, wait)
    rest -= wait
    await worker.poke(current)
    await worker.settled(current)
  }
  const end = await store.advance(sandbox, rest)
  await worker.poke(end)
  return end
}
