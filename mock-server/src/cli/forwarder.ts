/** Polls a mock server for deliveries, forwards them to a local URL and reports the results. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LeasedDelivery } from '../delivery/listeners.ts'
import { type Result, Sender } from '../delivery/sender.ts'
import { type Mock, MockError } from './mock.ts'

export interface ForwarderOptions {
  mock: Mock
  forwardTo: string
  /** Headers to add to those of each delivery, which win. */
  headers?: Record<string, string>
  /** Accepts any certificate of the receiver. @default false */
  skipVerify?: boolean
  /** The secret to sign with. @default the one of the server */
  secret?: string | undefined
  /** The kinds to forward; undefined for all. */
  events: string[] | undefined
  /** Called with the first secret, and with each new one. */
  onSecret: (secret: string) => void
  onForwarded: (delivery: LeasedDelivery, result: Result, ms: number) => void
  /** Called once when the mock server stops responding, and once when it responds again. */
  onLost: () => void
  onFound: () => void
}

/** How many deliveries are forwarded at once. */
const AT_ONCE = 10
/** How long a poll and a report may take, in milliseconds. */
const POLL = 40_000
const REPORT = 10_000
/** The first and the longest wait before a retry, in milliseconds. */
const FIRST_WAIT = 100
const LONGEST_WAIT = 5000

/** A delivery that is being forwarded. */
interface Held {
  id: string
  /** Whose it is. After a restart with other data there is another listener with the same numbers. */
  listener: string
  work: Promise<void>
}

export class Forwarder {
  readonly #options: ForwarderOptions
  readonly #consumer = randomUUID()
  readonly #sender: Sender
  /** What is not reported yet, by listener and delivery. */
  readonly #held = new Map<string, Held>()
  readonly #stopping = new AbortController()
  #id = ''
  #secret = ''
  #isLost = false
  #failure: unknown

  constructor(options: ForwarderOptions) {
    this.#options = options
    const { skipVerify = false } = options
    // The user names the target, so it may be in any network.
    this.#sender = new Sender({ allowPrivate: true, encoding: 'hex', userAgent: '', skipVerify })
  }

  /** Forwards until it is stopped. Reconnects when the connection is lost. @throws {MockError} */
  async run(): Promise<void> {
    await this.#register()
    while (!this.#isStopped) {
      const free = AT_ONCE - this.#held.size
      if (free === 0) await Promise.race(this.#works())
      else for (const delivery of await this.#poll(free)) this.#hold(delivery)
    }
    await Promise.all(this.#works())
    await this.#sender.close()
    if (this.#failure) throw this.#failure
  }

  /** Polls no more. The deliveries that it holds are still forwarded and reported. */
  stop(): void {
    this.#stopping.abort()
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  async #register(): Promise<void> {
    const { mock, forwardTo: url, events, secret: given, onSecret } = this.#options
    const body = { url, ...(events && { events }), ...(given !== undefined && { secret: given }) }
    const { id, secret } = await mock.post<{ id: string; secret: string }>('/_mock/listeners', body)
    this.#id = id
    if (secret !== this.#secret) onSecret(secret)
    this.#secret = secret
  }

  async #poll(limit: number): Promise<LeasedDelivery[]> {
    const { mock } = this.#options
    const poll = async (): Promise<LeasedDelivery[]> => {
      const mine = [...this.#held.values()].filter(({ listener }) => listener === this.#id)
      const body = { consumer: this.#consumer, holding: mine.map(({ id }) => id), limit }
      try {
        const path = `/_mock/listeners/${this.#id}/poll`
        const { data } = await mock.post<{ data: LeasedDelivery[] }>(path, body, this.#signal(POLL))
        return data
      } catch (error) {
        if ((error as MockError).status !== 404) throw error
        // The listener was removed, or the server has other data now.
        await this.#register()
        return []
      }
    }
    return (await this.#persistently(poll)) ?? []
  }

  /** Ends a request after a time, or when this is stopped. */
  #signal(timeout: number): AbortSignal {
    return AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeout)])
  }

  #hold(delivery: LeasedDelivery): void {
    const listener = this.#id
    const key = `${listener} ${delivery.id}`
    if (this.#held.has(key)) return
    const work = this.#forward(listener, delivery)
      .catch((error) => {
        this.#failure ??= error
        this.stop()
      })
      .finally(() => this.#held.delete(key))
    this.#held.set(key, { id: delivery.id, listener, work })
  }

  #works(): Promise<void>[] {
    return [...this.#held.values()].map(({ work }) => work)
  }

  async #forward(listener: string, delivery: LeasedDelivery): Promise<void> {
    const { mock, forwardTo, onForwarded } = this.#options
    const { id, headers, body } = delivery
    const began = performance.now()
    const all = { ...this.#options.headers, ...headers }
    const result = await this.#sender.post(forwardTo, all, body)
    onForwarded(delivery, result, Math.round(performance.now() - began))
    const path = `/_mock/listeners/${listener}/results`
    const report = { results: [{ id, ...result }] }
    await this.#persistently(() => mock.post(path, report, AbortSignal.timeout(REPORT)))
  }

  /** Retries until the mock server responds. @returns undefined if stopped before. */
  async #persistently<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        const result = await work()
        this.#notice(false)
        return result
      } catch (error) {
        if (this.#isStopped) return undefined
        if (!(error instanceof MockError) || (error.status ?? 500) < 500) throw error
        this.#notice(true)
        await pause(wait, undefined, this.#stopping).catch(() => {})
      }
    }
  }

  #notice(isLost: boolean): void {
    const { onLost, onFound } = this.#options
    if (isLost !== this.#isLost) (isLost ? onLost : onFound)()
    this.#isLost = isLost
  }
}
