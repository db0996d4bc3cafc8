/** The deliveries of one endpoint in this process: those claimed ahead and those that run. */
import type { Job } from '../store/types.ts'

/** How many deliveries are claimed ahead, for each that may run. */
const AHEAD = 10

export class Lane {
  readonly endpoint: number
  /** When its next delivery in the store is due; null while there is none. */
  due: number | null = null
  readonly #concurrency: number
  #queue: Job[] = []
  #running = 0
  /** How many attempts have ended and are not yet recorded. */
  #unrecorded = 0

  /** @param concurrency How many attempts may run at once. */
  constructor(endpoint: number, concurrency: number) {
    this.endpoint = endpoint
    this.#concurrency = concurrency
  }

  /** How many deliveries to claim. */
  get free(): number {
    return (AHEAD + 1) * this.#concurrency - this.#queue.length
  }

  /** When to claim more; null while it has enough, or nothing waits in the store. */
  get wanted(): number | null {
    return this.#queue.length < this.#concurrency ? this.due : null
  }

  /** Whether any claimed delivery has not started. */
  get isWaiting(): boolean {
    return this.#queue.length > 0
  }

  /** Whether nothing of it is claimed. */
  get isFree(): boolean {
    return this.#running === 0 && this.#unrecorded === 0 && this.#queue.length === 0
  }

  get isIdle(): boolean {
    return this.due === null && this.isFree
  }

  add(jobs: readonly Job[]): void {
    this.#queue.push(...jobs)
  }

  /** Starts as many attempts as may run. `attempt` must not reject. */
  start(attempt: (job: Job) => Promise<void>): void {
    while (this.#running < this.#concurrency) {
      const job = this.#queue.shift()
      if (!job) return
      this.#running++
      void attempt(job)
    }
  }

  /** Notes that an attempt has ended. */
  end(): void {
    this.#running--
    this.#unrecorded++
  }

  /** Notes that an attempt that has ended is recorded, or never will be. */
  settle(): void {
    this.#unrecorded--
  }

  /** Looks at the store no later than that. */
  expect(due: number): void {
    this.due = Math.min(due, this.due ?? due)
  }

  /** Whether any of these jobs has not started. */
  hasAny(jobs: ReadonlySet<Job>): boolean {
    return this.#queue.some((job) => jobs.has(job))
  }

  /** Removes jobs that have not started. @returns them */
  drop(jobs: ReadonlySet<Job>): Job[] {
    const dropped = this.#queue.filter((job) => jobs.has(job))
    if (dropped.length > 0) this.#queue = this.#queue.filter((job) => !jobs.has(job))
    return dropped
  }

  /** Removes all jobs that have not started. */
  empty(): Job[] {
    return this.#queue.splice(0)
  }
}
