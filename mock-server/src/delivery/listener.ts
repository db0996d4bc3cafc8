/** One listener: the deliveries that wait for its consumers, and those that they hold. */
import type { Job, Sandbox } from '../store/types.ts'
import type { Result } from './sender.ts'

/** What a consumer sends with a poll. */
export interface Poll {
  /** Identifies a consumer of a listener. */
  consumer: string
  /** The deliveries that it is still working on. */
  holding: readonly string[]
  /** The most deliveries that it takes. */
  limit: number
}

/** What came of forwarding a delivery. */
export type Report = Result & { id: string }

/** Calls a function once the connection of a request is closed, or is found closed already. */
export type OnGone = (gone: () => void) => void

interface Waiting {
  job: Job
  settle: (result: Result | null) => void
}

interface Leased extends Waiting {
  consumer: string
  expiry: NodeJS.Timeout
}

/** How long a consumer may keep a delivery, and how long it may be silent, in milliseconds. */
const LEASE = 30_000
/** How long a poll waits for a delivery, in milliseconds. */
const POLL = 25_000

export class Listener {
  readonly sandbox: Sandbox
  /** The id of its endpoint. */
  readonly endpoint: string
  /** By the id of the delivery. */
  readonly #waiting = new Map<string, Waiting>()
  readonly #leased = new Map<string, Leased>()
  /** By consumer. Ends the poll; true where a delivery may be waiting for it. */
  readonly #polls = new Map<string, (mayTake: boolean) => void>()
  readonly #onAbandoned: () => void
  #silence: NodeJS.Timeout | undefined
  #isLeft = false
  #isClosed = false

  /** @param onAbandoned Called when no consumer is left and none holds a delivery. */
  constructor(sandbox: Sandbox, endpoint: string, onAbandoned: () => void) {
    this.sandbox = sandbox
    this.endpoint = endpoint
    this.#onAbandoned = onAbandoned
    this.#awaitConsumer()
  }

  /** Whether the last consumer left. It may still report the deliveries that it holds. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** Notes that a consumer is there, though it may not poll yet. */
  enter(): void {
    this.#isLeft = false
    this.#awaitConsumer()
  }

  /** Waits until a consumer has reported the result. @returns null where none did. */
  offer(job: Job): Promise<Result | null> {
    if (this.#isClosed) return Promise.resolve(null)
    return new Promise((settle) => this.#wait({ job, settle }))
  }

  /** Leases deliveries to a consumer, as soon as one is there. @returns none where none came in time. */
  async poll({ consumer, holding, limit }: Poll, onGone?: OnGone): Promise<Job[]> {
    if (this.#isClosed) return []
    // A consumer has one poll at a time. An earlier one has lost its connection, with the deliveries of its response.
    this.#polls.get(consumer)?.(false)
    for (const leased of this.#leased.values()) {
      if (leased.consumer === consumer && !holding.includes(leased.job.id)) this.#unlease(leased)
    }
    for (const id of holding) this.#lease(id, consumer)
    if (this.#waiting.size === 0 && !(await this.#arrival(consumer, onGone))) return []
    const ids = [...this.#waiting.keys()].slice(0, limit)
    return ids.flatMap((id) => this.#lease(id, consumer))
  }

  /** Settles deliveries. @returns how many of them were waiting for their result. */
  report(reports: readonly Report[]): number {
    this.#awaitConsumer()
    const settled = reports.filter(({ id, ...result }) => {
      const leased = this.#leased.get(id)
      const found = leased ?? this.#waiting.get(id)
      clearTimeout(leased?.expiry)
      this.#leased.delete(id)
      this.#waiting.delete(id)
      found?.settle(result)
      return found !== undefined
    })
    this.#checkAbandoned()
    return settled.length
  }

  /** Returns every delivery without a result. */
  clear(): void {
    const all = [...this.#waiting.values(), ...this.#leased.values()]
    for (const { expiry } of this.#leased.values()) clearTimeout(expiry)
    this.#waiting.clear()
    this.#leased.clear()
    for (const { settle } of all) settle(null)
  }

  /** Ends the polls. */
  dismiss(): void {
    for (const end of this.#polls.values()) end(false)
  }

  /** Ends the polls and returns every delivery. What is offered from now on has no result. */
  close(): void {
    this.#isClosed = true
    this.dismiss()
    clearTimeout(this.#silence)
    this.clear()
  }

  #wait(waiting: Waiting): void {
    this.#waiting.set(waiting.job.id, waiting)
    for (const end of this.#polls.values()) end(true)
  }

  #lease(id: string, consumer: string): Job[] {
    const waiting = this.#waiting.get(id)
    if (!waiting) return []
    this.#waiting.delete(id)
    const expiry = setTimeout(() => this.#unlease(leased), LEASE)
    const leased = { ...waiting, consumer, expiry }
    this.#leased.set(id, leased)
    return [waiting.job]
  }

  #unlease({ expiry, job, settle }: Leased): void {
    clearTimeout(expiry)
    this.#leased.delete(job.id)
    this.#wait({ job, settle })
    this.#checkAbandoned()
  }

  /** Waits for a delivery, but not forever. @returns whether one may be waiting. */
  #arrival(consumer: string, onGone?: OnGone): Promise<boolean> {
    clearTimeout(this.#silence)
    return new Promise((resolve) => {
      const end = (mayTake: boolean) => {
        clearTimeout(timer)
        if (this.#polls.get(consumer) === end) this.#polls.delete(consumer)
        this.#awaitConsumer()
        resolve(mayTake)
      }
      const timer = setTimeout(end, POLL, false)
      this.#polls.set(consumer, end)
      onGone?.(() => {
        if (this.#polls.get(consumer) !== end) return
        end(false)
        this.#isLeft = this.#polls.size === 0
        this.#checkAbandoned()
      })
    })
  }

  /** Gives up on consumers that are silent for too long. */
  #awaitConsumer(): void {
    clearTimeout(this.#silence)
    if (this.#isClosed || this.#polls.size > 0) return
    this.#silence = setTimeout(() => {
      this.#isLeft = true
      this.#onAbandoned()
    }, LEASE)
    this.#silence.unref()
  }

  #checkAbandoned(): void {
    if (this.#isLeft && this.#leased.size === 0) this.#onAbandoned()
  }
}
