/** The latest calls of each sandbox, in whichever process they were handled. */
import type { Call } from '../record/exchanges.ts'
import type { Entry } from '../record/har.ts'
import type { Peers } from '../store/peers.ts'
import { decodedCall, type EncodedCall, encodedCall } from './encoded.ts'
import { chosenOf, type RequestFilter } from './filter.ts'
import { type RequestLog, unknownRequest } from './log.ts'

/** What one process asks another for: the calls of a key, or some of them with their bodies. */
interface Wanted {
  key: string
  ids?: readonly string[]
}

export class Requests {
  readonly #log: RequestLog
  readonly #peers: Peers

  constructor(log: RequestLog, peers: Peers) {
    this.#log = log
    this.#peers = peers
    peers.handle('requests.list', async ({ key }: Wanted) =>
      log.of(key).map((call) => encodedCall(call, false)),
    )
    peers.handle('requests.get', async ({ key, ids = [] }: Wanted) => {
      const wanted = log.of(key).filter(({ findings: { id = '' } }) => ids.includes(id))
      return wanted.map((call) => encodedCall(call, true))
    })
    peers.handle('requests.clear', async ({ key }: Wanted) => log.clear(key))
  }

  /** The URL of the server. */
  get baseUrl(): string {
    return this.#log.baseUrl
  }

  /** The calls that a sandbox shows, newest first, without the bodies of those that another process handled. */
  async list(key: string): Promise<Call[]> {
    const own = this.#log.of(key)
    const others = await this.#ask('requests.list', { key })
    if (others.length === 0) return own
    return [...own, ...others].sort((one, other) => other.started - one.started)
  }

  /** Those that pass a filter, with their bodies. */
  async chosen(key: string, filter: RequestFilter, limit: number): Promise<Call[]> {
    const chosen = chosenOf(await this.list(key), filter, limit)
    const own = new Set(this.#log.of(key))
    const ids = chosen.filter((call) => !own.has(call)).flatMap(({ findings: { id } }) => id ?? [])
    if (ids.length === 0) return chosen
    const found = await this.#ask('requests.get', { key, ids })
    const whole = new Map(found.map((call) => [nameOf(call), call]))
    return chosen.map((call) => (own.has(call) ? call : (whole.get(nameOf(call)) ?? call)))
  }

  /** @throws {Problem} 404 */
  async get(key: string, id: string): Promise<Call> {
    const own = this.#log.of(key).find(({ findings }) => findings.id === id)
    const [found] = own ? [own] : await this.#ask('requests.get', { key, ids: [id] })
    if (found) return found
    throw unknownRequest(id, this.#log.capacity)
  }

  /** A call as a HAR file has it, without secrets. */
  entryOf(call: Call): Entry {
    return this.#log.entryOf(call)
  }

  /** Forgets the calls of a sandbox. */
  async clear(key: string): Promise<void> {
    this.#log.clear(key)
    await this.#peers.requestAll('requests.clear', { key })
  }

  /**
   * Makes a call again, with the same key.
   *
   * @param keepsKey Whether it has the same idempotency key. Otherwise, it has a new one.
   * @throws {Problem} 409 for a call that is not known completely.
   */
  repeat(call: Call, keepsKey = false): Promise<Call> {
    return this.#log.repeat(call, keepsKey)
  }

  async #ask(name: string, wanted: Wanted): Promise<Call[]> {
    const responses = await this.#peers.requestAll<EncodedCall[]>(name, wanted)
    return responses.flatMap(({ response }) => response.map(decodedCall))
  }
}

/** Clients may send the same request id again. */
function nameOf({ findings, started, time }: Call): string {
  return `${findings.id} ${started} ${time}`
}
