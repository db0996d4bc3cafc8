/** Faults on request: what an API may do to its callers, so that they can see how they bear it. */
import { splitList } from './media-type.ts'
import { Problem } from './problem.ts'

/** What shall go wrong with one request. */
export interface Fault {
  /** Answered instead, before anything is done. */
  status: number | null
  /** How long the answer waits, in milliseconds. */
  delay: number
  /** `reset`: the connection breaks before anything is done. `truncate`: it is done, and breaks in the answer. */
  cut: 'reset' | 'truncate' | null
}

interface Wish extends Fault {
  /** How many requests it is for, whether they get it or not; the following ones pass. */
  times: number
  /** For which share of the requests. */
  rate: number
}

/** The longest delay, in milliseconds. */
const MAX_DELAY = 120_000
/** How many different faults are counted; the oldest are forgotten. */
const MAX_COUNTED = 10_000
/** What `rate` or `times` alone answer. */
const USUAL_STATUS = 503

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000 }

const READERS: ReadonlyMap<string, (value: string) => Partial<Wish> | null> = new Map(
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

/** Of these a request can have only one. */
const EXCLUSIVE = ['status', 'reset', 'truncate']

/** Counts the requests that ask for a fault which not all of them get. */
export class Faults {
  readonly #chance: (turn: number) => number
  readonly #asked = new Map<string, number>()

  /** @param chance From 0 to 1, for the first request that asks for a fault, the second and so on. */
  constructor(chance: (turn: number) => number) {
    this.#chance = chance
  }

  /**
   * What goes wrong with a request; null where nothing does.
   *
   * @param field The `x-mock-fault` header.
   * @param owner Whose requests are counted together.
   * @param request Method and path.
   * @throws {Problem} 400 for a field that says something else.
   */
  next(field: string, owner: string, request: string): Fault | null {
    const { times, rate, ...fault } = readFault(field)
    if (times === Infinity && rate === 1) return fault
    const turn = this.#count(`${owner} ${request} ${field}`)
    return turn < times && this.#chance(turn) < rate ? fault : null
  }

  /** How many there were before. */
  #count(key: string): number {
    const before = this.#asked.get(key) ?? 0
    this.#asked.delete(key)
    this.#asked.set(key, before + 1)
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > MAX_COUNTED && oldest !== undefined) this.#asked.delete(oldest)
    return before
  }
}

function readFault(field: string): Wish {
  const wish: Wish = { status: null, delay: 0, cut: null, times: Infinity, rate: 1 }
  const names: string[] = []
  for (const part of splitList(field.replaceAll(';', ','))) {
    const [, name = '', value = ''] = /^([^\s=]*)\s*=?\s*(.*)$/.exec(part) ?? []
    const read = READERS.get(name.toLowerCase())?.(value)
    if (!read) throw malformed(part)
    Object.assign(wish, read)
    names.push(name.toLowerCase())
  }
  const chosen = names.filter((name) => EXCLUSIVE.includes(name))
  if (names.length === 0 || chosen.length > 1) throw malformed(field)
  const isEmpty = chosen.length === 0 && wish.delay === 0
  return isEmpty ? { ...wish, status: USUAL_STATUS } : wish
}

function malformed(part: string): Problem {
  const detail = `x-mock-fault does not understand ${JSON.stringify(part.slice(0, 60))}. It takes one of status=503, reset and truncate, or delay=2s (up to ${MAX_DELAY / 1000}s), and times=2 or rate=0.1 with them, separated by semicolons.`
  return new Problem(400, 'malformed_fault', detail)
}
