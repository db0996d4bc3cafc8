/** Advances a sandbox's clock, and with it everything that waits for its time. */
import type { SandboxStore } from '../store/store.ts'
import type { Sandbox } from '../store/types.ts'
import type { Worker } from './worker.ts'

/**
 * Makes every attempt that becomes due, retries included, in the order of time and each at the moment
 * when it is due. Ends early where the sandbox is reset meanwhile.
 *
 * @param ms How far to advance, in milliseconds.
 */
export async function advance(
  sandbox: Sandbox,
  ms: number,
  { store, worker, now }: { store: SandboxStore; worker: Worker; now: () => number },
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
