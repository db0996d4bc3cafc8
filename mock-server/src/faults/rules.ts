/** Rules by which requests fail without asking for it. They are kept in memory, and end with a reset. */
import { LRUCache } from 'lru-cache'
import { invalid, Problem } from '../door/problem.ts'
import { fieldOf, type Ordered, orderedOf, readDelay } from './fault.ts'
import { covers, templateOf } from './paths.ts'

/** A rule as the control API takes it. `control.yaml` says what the values may be. */
export interface NewRule {
  /** @default every method */
  method?: string | undefined
  /** A path, a template of the contract, or the start of paths that ends in `*`. @default every path */
  path?: string | undefined
  status?: number | undefined
  /** In seconds. */
  retry_after?: number | undefined
  /** Such as `2s` or `300ms`. */
  delay?: string | undefined
  reset?: boolean | undefined
  truncate?: boolean | undefined
  times?: number | undefined
  rate?: number | undefined
}

/** A rule as the control API shows it. Null is what it does not have. */
export interface FaultRule {
  id: string
  method: string | null
  path: string | null
  status: number | null
  retry_after: number | null
  delay: string | null
  reset: boolean
  truncate: boolean
  times: number | null
  /** How many requests it still counts; null for all. */
  left: number | null
  rate: number
  /** How many requests it has made fail. */
  failed: number
}

export interface Rule {
  id: string
  method: string | null
  path: string | null
  fault: Ordered
  /** How many requests it has counted, and made fail. */
  counted: number
  failed: number
}

interface Owned {
  rules: Rule[]
  made: number
}

/** How many rules a sandbox has, and how many sandboxes have rules. */
const MAX_RULES = 100
const MAX_OWNERS = 1000

export class Rules {
  readonly #owners = new LRUCache<string, Owned>({ max: MAX_OWNERS })

  /** Whether any sandbox has a rule. */
  get isEmpty(): boolean {
    return this.#owners.size === 0
  }

  /**
   * @param owner The sandbox whose requests fail.
   * @param templates The paths of the contract.
   * @throws {Problem} 422 for a rule that contradicts itself or that no request can meet; 409 for too many.
   */
  add(owner: string, given: NewRule, templates: readonly string[]): FaultRule {
    const fault = faultOf(given)
    const path = given.path === undefined ? null : templateOf(given.path, templates)
    const owned = this.#owners.get(owner) ?? { rules: [], made: 0 }
    const open = owned.rules.filter((rule) => leftOf(rule) > 0)
    if (open.length >= MAX_RULES) {
      const detail = `The sandbox has ${MAX_RULES} fault rules already. Remove some of them.`
      throw new Problem(409, 'too_many_faults', detail)
    }
    const id = `flt_${owned.made + 1}`
    const method = given.method?.toUpperCase() ?? null
    const rule = { id, method, path, fault, counted: 0, failed: 0 }
    // Rules that are used up are shown until there are too many.
    const kept = owned.rules.length < MAX_RULES ? owned.rules : open
    this.#owners.set(owner, { rules: [...kept, rule], made: owned.made + 1 })
    return shown(rule)
  }

  /** In the order in which they are tried. */
  list(owner: string): FaultRule[] {
    return this.#of(owner).map(shown)
  }

  /** @throws {Problem} 404 */
  remove(owner: string, id: string): void {
    const rules = this.#of(owner)
    if (!rules.some((rule) => rule.id === id)) {
      throw new Problem(404, 'fault_not_found', `There is no fault rule ${id}.`)
    }
    this.#keep(
      owner,
      rules.filter((rule) => rule.id !== id),
    )
  }

  clear(owner: string): void {
    this.#keep(owner, [])
  }

  /** The first rule that still counts a request. */
  next(owner: string, method: string, path: string): Rule | undefined {
    const meets = (rule: Rule) =>
      (rule.method === null || rule.method === method) &&
      (rule.path === null || covers(rule.path, path))
    return this.#of(owner).find((rule) => leftOf(rule) > 0 && meets(rule))
  }

  #of(owner: string): Rule[] {
    return this.#owners.get(owner)?.rules ?? []
  }

  #keep(owner: string, rules: Rule[]): void {
    const owned = this.#owners.get(owner)
    if (owned) owned.rules = rules
  }
}

function leftOf({ fault, counted }: Rule): number {
  return fault.times - counted
}

/** @throws {Problem} 422 */
function faultOf({ status, reset, truncate, ...given }: NewRule): Ordered {
  const outcomes = [status !== undefined, reset === true, truncate === true].filter(Boolean)
  if (outcomes.length > 1) {
    throw invalid('A fault has one of `status`, `reset` and `truncate`. Add a rule for each.')
  }
  const cut = reset ? 'reset' : truncate ? 'truncate' : null
  if (cut && given.retry_after !== undefined) {
    throw invalid(`\`retry_after\` needs a response. Leave out \`${cut}\`, or \`retry_after\`.`)
  }
  const delay = given.delay === undefined ? 0 : readDelay(given.delay)
  if (delay === null) throw invalid('`delay` is longer than 120s, the longest one.')
  return orderedOf({
    cut,
    delay,
    status: status ?? null,
    retryAfter: given.retry_after ?? null,
    ...(given.times !== undefined && { times: given.times }),
    ...(given.rate !== undefined && { rate: given.rate }),
  })
}

function shown(rule: Rule): FaultRule {
  const { id, method, path, failed, fault } = rule
  const { status, retryAfter, delay, cut, times, rate } = fault
  const isCounted = times !== Infinity
  return {
    id,
    method,
    path,
    status,
    retry_after: retryAfter,
    delay: delay === 0 ? null : `${delay}ms`,
    reset: cut === 'reset',
    truncate: cut === 'truncate',
    times: isCounted ? times : null,
    left: isCounted ? leftOf(rule) : null,
    rate,
    failed,
  }
}

/** What a rule does, for a list. */
export function effectOf({ status, retry_after, delay, reset, truncate, rate }: FaultRule): string {
  const parts = [
    status !== null && `status ${status}`,
    retry_after !== null && `Retry-After ${retry_after}`,
    delay !== null && `delay ${delay}`,
    reset && 'reset',
    truncate && 'truncate',
    rate !== 1 && `rate ${rate}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** What the log of requests says about a rule. */
export function textOf({ id, fault }: Rule): string {
  return `${id}: ${fieldOf(fault)}`
}
