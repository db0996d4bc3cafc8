/** What the checks of a receiver act with. It keeps everything that was sent, and what came back. */
import { createHmac } from 'node:crypto'
import type { Message, Result, Sender, SignatureNames } from '../../delivery/sender.ts'
import type { Thresholds } from '../thresholds.ts'
import type { Effects } from './effects.ts'
import type { Made, Maker } from './maker.ts'

/** What a receiver should do with a request: accept it, refuse it, or only survive it. */
export type Purpose = 'genuine' | 'forged' | 'odd'

export interface Answer {
  status: number | null
  /** Why there is no status. */
  reason: string | null
  headers: Record<string, string>
  body: string
  ms: number
}

export interface Exchange {
  purpose: Purpose
  made: Made
  answer: Answer
  /** What the receiver must not say. */
  digests: readonly string[]
}

export interface StageOptions {
  url: string
  /** The newest first. */
  secrets: readonly [string, ...string[]]
  /** The names of the headers of a delivery. */
  signature: SignatureNames
  encodings: readonly BufferEncoding[]
  sender: Sender
  maker: Maker
  effects: Effects | null
  thresholds: Thresholds
  stopping: AbortSignal
}

/** The receiver does not respond any more, or the run was stopped. */
export class Interrupted extends Error {}

export class Stage {
  readonly make: Maker
  readonly options: StageOptions
  readonly exchanges: Exchange[] = []
  /** The events that came more than once, by how. */
  readonly repeated = new Map<string, Made>()
  #silent = 0

  constructor(options: StageOptions) {
    this.options = options
    this.make = options.maker
  }

  get kinds(): readonly string[] {
    return this.make.kinds
  }

  /** Counts the responses anew that did not come: many events at once say nothing about the next one. */
  forgive(): void {
    this.#silent = 0
  }

  get secret(): string {
    return this.options.secrets[0]
  }

  /** Sends an event as the service does. */
  deliver(made: Made, secret = this.secret): Promise<Answer> {
    const { sender, url } = this.options
    const job = jobOf(made, url, secret)
    return this.#keep('genuine', made, () => sender.send(job))
  }

  /** Sends an event that the service would accept, in another form. */
  vary(made: Made, message: Partial<Message>): Promise<Answer> {
    return this.#post('genuine', made, message)
  }

  /** Sends what a stranger may send: an event with another signature, or without one. */
  forge(made: Made, signature: string | null): Promise<Answer> {
    return this.#post('forged', made, { headers: this.headersOf(made, signature) })
  }

  /** Sends what is no delivery. */
  odd(made: Made, message: Partial<Message>): Promise<Answer> {
    return this.#post('odd', made, message)
  }

  /** The headers of a delivery. @param signature Null for none; by default, the right one. */
  headersOf(made: Made, signature?: string | null): Record<string, string> {
    const { sender, url, signature: names } = this.options
    const headers = sender.headersOf(jobOf(made, url, this.secret))
    const { [names.header]: right = '', ...others } = headers
    if (signature === null) return others
    return { ...others, [names.header]: signature ?? right }
  }

  digest(made: Made, encoding: BufferEncoding = 'hex', secret = this.secret, hash = 'sha256') {
    return createHmac(hash, secret)
      .update(made.body)
      .digest(encoding as 'hex')
  }

  #post(purpose: Purpose, made: Made, message: Partial<Message>): Promise<Answer> {
    const { sender, url } = this.options
    const whole = { method: 'POST' as const, headers: this.headersOf(made), body: made.body }
    return this.#keep(purpose, made, () => sender.request(url, { ...whole, ...message }))
  }

  async #keep(purpose: Purpose, made: Made, send: () => Promise<Result>): Promise<Answer> {
    const { stopping, thresholds } = this.options
    if (stopping.aborted || this.#silent >= thresholds.silent) throw new Interrupted()
    const began = performance.now()
    const { status, reason, headers, body } = await send()
    const answer = { status, reason, headers, body, ms: performance.now() - began }
    this.#silent = status === null ? this.#silent + 1 : 0
    const { encodings } = this.options
    const digests = purpose === 'genuine' ? [] : encodings.map((one) => this.digest(made, one))
    this.exchanges.push({ purpose, made, answer, digests })
    return answer
  }
}

function jobOf({ kind, id, body }: Made, url: string, secret: string) {
  const endpoint = { url, secret }
  const event = { id, kind, body, occurredAt: 0 }
  return { endpoint, event } as unknown as Parameters<Sender['send']>[0]
}

/** An answer in words, the same in every run. */
export function told({ status, reason }: Answer): string {
  if (status === null) return reason ?? 'no response'
  return status >= 300 && status < 400 ? `status ${status}, a redirect` : `status ${status}`
}

export const isAccepted = ({ status }: Answer) => status !== null && status >= 200 && status < 300
export const isRefused = ({ status }: Answer) => status !== null && status >= 400 && status < 500
export const isFailure = ({ status }: Answer) => status === null || status >= 500
