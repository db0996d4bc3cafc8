/**
 * The latest calls of each sandbox, in memory. They outlive an edited contract, and not the process.
 *
 * Calls that were refused before their sandbox was known, and those that needed no key, are in the list of every
 * sandbox: a client without a key has none of its own. Where sandboxes belong to different people, they are in none.
 */
import type { RequestLine } from '../door/listener.ts'
import type { Findings, Handler, HttpResponse } from '../door/message.ts'
import { Problem } from '../door/problem.ts'
import { type Call, exchangeOf, sizeOf } from '../record/exchanges.ts'
import { type Entry, entryOf } from '../record/har.ts'
import { repeatOf } from './repeat.ts'
import { Ring } from './ring.ts'

/** How much is kept. */
export interface Bounds {
  /** The calls of a sandbox. */
  calls: number
  /**
   * Those that it keeps while more of them arrive within a second. What stays in memory for so short a time costs
   * more in garbage collections than all the rest.
   */
  busy: number
  /** Their bytes, about. */
  bytes: number
  /** The bytes of all sandboxes. */
  total: number
  sandboxes: number
}

const MEGABYTE = 1024 * 1024
const BOUNDS: Bounds = {
  calls: 500,
  busy: 100,
  bytes: 16 * MEGABYTE,
  total: 64 * MEGABYTE,
  sandboxes: 1000,
}
const SECOND = 1000
/** What a call takes beside its bodies, in bytes, about. */
const BASE = 2048
/** The key of calls without one. */
const NONE = ''

interface Logged {
  /** Grows with every call. */
  position: number
  /** In milliseconds since the start of the process. */
  at: number
  call: Call
  bytes: number
}

interface Calls {
  latest: Ring<Logged>
  earlier: Ring<Logged>
  bytes: number
  /** The position after which the sandbox shows calls. */
  since: number
}

export class RequestLog {
  /** Handles repeated calls. */
  handler: Handler | undefined
  readonly #baseUrl: () => string
  readonly #isPrivate: boolean
  readonly #bounds: Bounds
  /** By key, the least recently used one first. */
  readonly #byKey = new Map<string, Calls>()
  #latest: { key: string; calls: Calls }
  /** The names of headers and query parameters that hold secrets, in lower case. */
  readonly #secrets = new Set<string>()
  #bytes = 0
  #position = 0

  /**
   * @param baseUrl The URL of the server.
   * @param isPrivate Whether a sandbox shows its own calls alone.
   */
  constructor(baseUrl: () => string, isPrivate = false, bounds = BOUNDS) {
    this.#baseUrl = baseUrl
    this.#isPrivate = isPrivate
    this.#bounds = bounds
    this.#latest = { key: NONE, calls: this.#callsOf(NONE) }
  }

  /** The URL of the server. */
  get baseUrl(): string {
    return this.#baseUrl()
  }

  /** Adds names of headers and query parameters whose values are secrets. */
  hide(names: Iterable<string>): void {
    for (const name of names) this.#secrets.add(name.toLowerCase())
  }

  add(call: Call): void {
    const { key = NONE } = call.findings
    if (key !== this.#latest.key) this.#latest = { key, calls: this.#callsOf(key) }
    const { calls } = this.#latest
    const bytes = bytesOf(call)
    const at = performance.now()
    const left = calls.latest.push({ position: ++this.#position, at, call, bytes })
    const dropped = left && at - left.at > SECOND ? calls.earlier.push(left) : left
    this.#grow(calls, bytes - (dropped?.bytes ?? 0))
    this.#bound(calls)
  }

  /** Adds a request that was refused before it could be handled: it is no valid HTTP. */
  addRefused({ method, target }: RequestLine, response: HttpResponse): void {
    const { detail, request_id } = JSON.parse(String(response.body))
    this.add({
      started: Date.now(),
      time: 0,
      request: { method, target, headers: {} },
      sent: [],
      response,
      body: response.body,
      findings: { id: request_id, refusal: new Error(detail) },
    })
  }

  /** The calls that a sandbox shows, newest first. */
  of(key: string): Call[] {
    const own = this.#byKey.get(key)
    const all = new Set([own, this.#isPrivate ? undefined : this.#byKey.get(NONE)])
    const since = own?.since ?? 0
    return [...all]
      .flatMap((calls) => (calls ? [...calls.earlier, ...calls.latest] : []))
      .filter(({ position }) => position > since)
      .sort((a, b) => b.position - a.position)
      .map(({ call }) => call)
  }

  /** @throws {Problem} 404 */
  get(key: string, id: string): Call {
    const call = this.of(key).find(({ findings }) => findings.id === id)
    if (call) return call
    throw unknownRequest(id, this.capacity)
  }

  /** How many calls of a sandbox are kept. */
  get capacity(): number {
    return this.#bounds.calls
  }

  /** A call as a HAR file has it, without secrets. */
  entryOf(call: Call): Entry {
    return entryOf(exchangeOf(call, this.#baseUrl()), this.#secrets)
  }

  /** Forgets the calls of a sandbox. */
  clear(key: string): void {
    const calls = this.#callsOf(key)
    this.#grow(calls, -calls.bytes)
    Object.assign(calls, { ...this.#none(), since: this.#position })
  }

  /**
   * Makes a call again, with the same key.
   *
   * @param keepsKey Whether it has the same idempotency key. Otherwise, it has a new one.
   * @throws {Problem} 409 for a call that is not known completely.
   */
  async repeat(call: Call, keepsKey = false): Promise<Call> {
    const findings: Findings = { source: 'repeat' }
    await this.handler?.({ ...repeatOf(call, keepsKey), findings })
    const { key = NONE, id = '' } = findings
    const made = this.of(key).find((one) => one.findings === findings)
    return made ?? this.get(key, id)
  }

  /** The calls of a key, which is now the most recently used one. */
  #callsOf(key: string): Calls {
    const calls = this.#byKey.get(key) ?? this.#none()
    this.#byKey.delete(key)
    this.#byKey.set(key, calls)
    return calls
  }

  #none(): Calls {
    const { calls, busy } = this.#bounds
    return { latest: new Ring(busy), earlier: new Ring(calls - busy), bytes: 0, since: 0 }
  }

  #bound(latest: Calls): void {
    const { bytes, total, sandboxes } = this.#bounds
    while (latest.bytes > bytes) {
      const first = latest.earlier.shift() ?? latest.latest.shift()
      this.#grow(latest, -(first?.bytes ?? 0))
    }
    while (this.#bytes > total || this.#byKey.size > sandboxes) {
      const [[key, oldest] = [NONE, latest]] = this.#byKey
      this.#byKey.delete(key)
      this.#grow(oldest, -oldest.bytes)
    }
  }

  #grow(calls: Calls, bytes: number): void {
    calls.bytes += bytes
    this.#bytes += bytes
  }
}

export function unknownRequest(id: string, capacity: number): Problem {
  const detail = `There is no request ${id}. The server keeps the latest ${capacity} until it stops or the sandbox is reset.`
  return new Problem(404, 'request_not_found', detail)
}

function bytesOf({ request, sent, body }: Call): number {
  return BASE + request.target.length + sizeOf(sent) + sizeOf(body)
}
