/** Faults on request, so that a client can be tested against an API that fails. */

import type { NoteStore } from '../store/store.ts'
import type { Fault, Ordered } from './fault.ts'
import { readField } from './field.ts'
import { Rules, textOf } from './rules.ts'
import { MemoryShelf, type Owner, type Shelf, StoreShelf } from './shelf.ts'

/** The most different fields that are counted; the oldest are dropped. */
const MAX_COUNTED = 10_000
/** How many sandboxes have rules. */
const MAX_OWNERS = 1000

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
  readonly rules: Rules
  /** Whether a sandbox has to be known before it is known that its requests pass. */
  readonly isShared: boolean
  readonly #chance: (turn: number) => number
  readonly #counts: Shelf

  /**
   * @param chance From 0 to 1, for the first request with a fault, the second and so on.
   * @param notes Where several processes share rules and counts; null to keep them in this one.
   */
  constructor(chance: (turn: number) => number, notes: NoteStore | null = null) {
    this.#chance = chance
    const shared = notes && new StoreShelf(notes)
    this.isShared = shared !== null
    this.rules = new Rules(shared ?? new MemoryShelf(MAX_OWNERS))
    this.#counts = shared ?? new MemoryShelf(MAX_COUNTED)
  }

  /** Whether a request may fail at all. @param owner Null where it is not known yet. */
  concern({ field }: Pick<Faultable, 'field'>, owner: Owner | null = null): boolean {
    return field !== undefined || this.rules.mayExist(owner)
  }

  /**
   * The fault of a request; null if it passes.
   *
   * @param owner The sandbox whose requests are counted together.
   * @throws {Problem} 400 for a malformed field.
   */
  async next(owner: Owner, { field, method, path }: Faultable): Promise<Met | null> {
    if (field !== undefined) {
      const fault = readField(field)
      const isCounted = fault.times !== Infinity || fault.rate !== 1
      const turn = isCounted ? await this.#count(owner, `${method} ${path} ${field}`) : 0
      return this.#fails(fault, turn) ? { ...fault, origin: 'x-mock-fault', text: field } : null
    }
    const rule = await this.rules.next(owner, method, path, (...one) => this.#fails(...one))
    if (!rule) return null
    return { ...rule.fault, origin: `the fault rule ${rule.id}`, text: textOf(rule) }
  }

  #fails({ times, rate }: Ordered, turn: number): boolean {
    return turn < times && (rate === 1 || this.#chance(turn) < rate)
  }

  /** How many requests came before. */
  #count(owner: Owner, name: string): Promise<number> {
    return this.#counts.change<{ count: number }, number>(owner, name, (before) => {
      const { count } = before ?? { count: 0 }
      return { after: { count: count + 1 }, result: count }
    })
  }
}
