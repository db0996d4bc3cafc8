/** Faults on request, so that a client can be tested against an API that fails. */
import type { Fault, Ordered } from './fault.ts'
import { readField } from './field.ts'
import { Rules, textOf } from './rules.ts'

/** The most different fields that are counted; the oldest are dropped. */
const MAX_COUNTED = 10_000

/** A request to the API. */
export interface Faultable {
  /** The header `x-mock-fault`, which comes before all rules. */
  field: string | undefined
  method: string
  path: string
}

/** A fault, where it comes from, and what the log says about it. */
export interface Met extends Fault {
  origin: string
  text: string
}

/** Decides which requests fail. Counts the requests for faults that not every request gets. */
export class Faults {
  readonly rules = new Rules()
  readonly #chance: (turn: number) => number
  readonly #requests = new Map<string, number>()

  /** @param chance From 0 to 1, for the first request with a fault, the second and so on. */
  constructor(chance: (turn: number) => number) {
    this.#chance = chance
  }

  /** Whether a request may fail at all. */
  concern({ field }: Pick<Faultable, 'field'>): boolean {
    return field !== undefined || !this.rules.isEmpty
  }

  /**
   * The fault of a request; null if it passes.
   *
   * @param owner The sandbox whose requests are counted together.
   * @throws {Problem} 400 for a malformed field.
   */
  next(owner: string, { field, method, path }: Faultable): Met | null {
    if (field !== undefined) {
      const fault = readField(field)
      const isCounted = fault.times !== Infinity || fault.rate !== 1
      const turn = isCounted ? this.#count(`${owner} ${method} ${path} ${field}`) : 0
      return this.#fails(fault, turn) ? { ...fault, origin: 'x-mock-fault', text: field } : null
    }
    const rule = this.rules.next(owner, method, path)
    if (!rule || !this.#fails(rule.fault, rule.counted++)) return null
    rule.failed++
    return { ...rule.fault, origin: `the fault rule ${rule.id}`, text: textOf(rule) }
  }

  #fails({ times, rate }: Ordered, turn: number): boolean {
    return turn < times && (rate === 1 || this.#chance(turn) < rate)
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
