/** Faults on request, so that a client can be tested against an API that fails. */
import { splitList } from './media-type.ts'
import { Problem } from './problem.ts'

/** What goes wrong with one request. */
export interface Fault {
  /** Returned instead, before anything is done. */
  status: number | null
  /** How long the response is delayed, in milliseconds. */
  delay: number
  /** `reset`: the connection breaks before anything is done. `truncate`: it breaks within the response, after everything is done. */
  cut: 'reset' | 'truncate' | null
}

interface FaultRequest extends Fault {
  /** How many requests count, whether they fail or not. The following ones pass. */
  times: number
  /** The share of the requests that fail. */
  rate: number
}

/** The longest delay, in milliseconds. */
const MAX_DELAY = 120_000
/** How many different faults are counted; the oldest are dropped. */
const MAX_COUNTED = 10_000
/** The status if a fault has only `rate` or `times`. */
const DEFAULT_STATUS = 503

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000 }

const READERS: ReadonlyMap<string, (value: string) => Partial<FaultRequest> | null> = new Map(
  Object.entries({
    status: (value: string) => (/^[45]\d\d$/.test(value) ? { status: Number(value) } : null),
    delay: (value: string) => {
      const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(value) ?? []
      const delay = Number(number) * (UNITS[unit] ?? Number.NaN)
      return delay <= MAX_DELAY ? { delay } : null
    },
    reset: (value: string) => (value === '' ? { cut: 'reset' as const } : null),
    truncate: (value: string) => (value === '' ? { cut: 'truncate' as const } : null),
    times: (value: string) => (/^[1-9]\d{0,5}$/.test(value) ? { times: Number(value) } : null),
    rate: (value: string) =>
      /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(value) ? { rate: Number(value) } : null,
  }),
)

/** A request can have only one of these. */
const EXCLUSIVE = ['status', 'reset', 'truncate']

/** Counts the requests for faults that not every request gets. */
export class Faults {
  readonly #chance: (turn: number) => number
  readonly #requests = new Map<string, number>()

  /** @param chance From 0 to 1, for the first request with a fault, the second and so on. */
  constructor(chance: (turn: number) => number) {
    this.#chance = chance
  }

  /**
   * The fault of a request; null if it passes.
   *
   * @param field The `x-mock-fault` header.
   * @param owner The sandbox whose requests are counted together.
   * @param request Method and path.
   * @throws {Problem} 400 for a malformed field.
   */
  next(field: string, owner: string, request: string): Fault | null {
    const { times, rate, ...fault } = readFault(field)
    if (times === Infinity && rate === 1) return fault
    const turn = this.#count(`${owner} ${request} ${field}`)
    return turn < times && this.#chance(turn) < rate ? fault : null
  }

  /** How many requests came before. */
  #count(key: string): number {
    const before = this.#requests.get(key) ?? 0
    this.#requests.delete(key)
    this.#requests.set(key, before + 1)
    const [oldest] = this.#requests.keys()
    if (this.#requests.size > MAX_COUNTED && oldest !== undefined) this.#requests.delete(oldest)
    return before
  }
}

function readFault(field: string): FaultRequest {
  const fault: FaultRequest = { status: null, delay: 0, cut: null, times: Infinity, rate: 1 }
  const names: string[] = []
  for (const part of splitList(field.replaceAll(';', ','))) {
    const [, name = '', value = ''] = /^([^\s=]*)\s*=?\s*(.*)$/.exec(part) ?? []
    const read = READERS.get(name.toLowerCase())?.(value)
    if (!read) throw malformed(part)
    Object.assign(fault, read)
    names.push(name.toLowerCase())
  }
  const chosen = names.filter((name) => EXCLUSIVE.includes(name))
  if (names.length === 0 || chosen.length > 1) throw malformed(field)
  const isEmpty = chosen.length === 0 && fault.delay === 0
  return isEmpty ? { ...fault, status: DEFAULT_STATUS } : fault
}

function malformed(part: string): Problem {
  const detail = `${JSON.stringify(part.slice(0, 60))} is not a valid x-mock-fault. Use at most one of status=503, reset and truncate; add delay=2s (up to ${MAX_DELAY / 1000}s), times=2 or rate=0.1, separated by semicolons.`
  return new Problem(400, 'malformed_fault', detail)
}
