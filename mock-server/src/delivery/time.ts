/** Advances a sandbox's clock, and with it everything that waits for its time. */
import type { SandboxStore } from '../store/store.ts'
import type { Due, Sandbox } from '../store/types.ts'
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
  const agenda = new Agenda()
  const changed = worker.watch(sandbox)
  const note = async (endpoints?: readonly number[]) =>
    agenda.add(await store.dues(current, endpoints), current)
  try {
    await worker.settled(current)
    changed.clear()
    await note()
    while (!worker.isStopped && current.generation === sandbox.generation) {
      const wait = Math.max(0, agenda.next - now() - current.offset)
      if (wait === Number.POSITIVE_INFINITY || wait > rest) break
      current = await store.advance(current, wait)
      rest -= wait
      // Only what is due, and then what that changed: a look at all endpoints each time would take hours.
      const due = agenda.take(now() + current.offset)
      await worker.lookAt(due)
      await worker.settled(current)
      const endpoints = [...new Set([...due, ...changed])]
      changed.clear()
      await note(endpoints)
    }
  } finally {
    worker.unwatch(sandbox)
  }
  const end = await store.advance(sandbox, rest)
  await worker.poke(end)
  return end
}

/** What is due when, by the sandbox's clock. */
class Agenda {
  /** The earliest last. Those that have another time by now are passed over. */
  readonly #entries: Due[] = []
  /** By endpoint; null for the sources. */
  readonly #times = new Map<number | null, number>()

  /** The time of the earliest; infinity for none. */
  get next(): number {
    for (;;) {
      const last = this.#entries.at(-1)
      if (!last) return Number.POSITIVE_INFINITY
      if (this.#times.get(last.endpoint) === last.due) return last.due
      this.#entries.pop()
    }
  }

  /** @param dues In real time. */
  add(dues: readonly Due[], { offset }: Sandbox): void {
    for (const { endpoint, due } of dues) {
      const entry = { endpoint, due: due + offset }
      if (this.#times.get(endpoint) === entry.due) continue
      this.#times.set(endpoint, entry.due)
      this.#entries.splice(this.#placeOf(entry.due), 0, entry)
    }
  }

  /** Removes what is due until a time. @returns the endpoints */
  take(time: number): number[] {
    const taken: number[] = []
    while (this.next <= time) {
      const endpoint = this.#entries.pop()?.endpoint ?? null
      this.#times.delete(endpoint)
      if (endpoint !== null) taken.push(endpoint)
    }
    return taken
  }

  #placeOf(due: number): number {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#entries[middle]?.due ?? 0) > due) low = middle + 1
      else high = middle
    }
    return low
  }
}
