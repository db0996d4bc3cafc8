/** Collects the outcomes of attempts and records many in one commit. */
import type { OutboxStore } from '../store/store.ts'
import type { Job, Outcome } from '../store/types.ts'

/** An attempt that has ended. */
export interface Ended {
  job: Job
  /** The number of its endpoint. */
  endpoint: number
  /** Null if the attempt was not made. */
  outcome: Outcome | null
}

/** The attempts that ended, and those of them that were recorded. */
export interface Recorded {
  all: readonly Ended[]
  recorded: ReadonlySet<Ended>
}

/** How many outcomes one commit holds, and how long the first one waits for others, in milliseconds. */
const BATCH = 512
const BATCH_WAIT = 20

export class Recorder {
  readonly #store: OutboxStore
  readonly #onDue: () => void
  readonly #isWanted: (job: Job) => boolean
  #ended: Ended[] = []
  #isDue = false
  #timer: NodeJS.Timeout | undefined

  /**
   * @param onDue Called when a batch should be recorded.
   * @param isWanted Whether a job was not dropped. The delivery of a dropped one may have been restored.
   */
  constructor(store: OutboxStore, onDue: () => void, isWanted: (job: Job) => boolean) {
    this.#store = store
    this.#isWanted = isWanted
    this.#onDue = onDue
  }

  /** Whether a batch should be recorded. */
  get isDue(): boolean {
    return this.#isDue
  }

  get isEmpty(): boolean {
    return this.#ended.length === 0
  }

  /** @param isLast Whether no other attempt runs that it could wait for. */
  add(ended: Ended, isLast: boolean): void {
    this.#ended.push(ended)
    if (isLast || this.#ended.length >= BATCH) this.#hurry()
    else this.#timer ??= setTimeout(() => this.#hurry(), BATCH_WAIT)
  }

  /**
   * Records the outcomes of all jobs that were not dropped. Those that the store cannot take are kept: a receiver has
   * seen them.
   */
  async record(): Promise<Recorded> {
    const all = this.take()
    const batch = all.filter(({ job }) => this.#isWanted(job))
    const unattempted = batch.filter(({ outcome }) => outcome === null)
    try {
      // First, since only this may be retried.
      await this.#store.release(unattempted.map(({ job }) => job.delivery))
      await this.#store.record(batch.flatMap(({ outcome }) => outcome ?? []))
    } catch (error) {
      this.#ended = [...all, ...this.#ended]
      this.#isDue = true
      throw error
    }
    return { all, recorded: new Set(batch) }
  }

  /** Takes all outcomes out. */
  take(): Ended[] {
    this.#isDue = false
    return this.#ended.splice(0)
  }

  #hurry(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isDue = true
    this.#onDue()
  }
}
