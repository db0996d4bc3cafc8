/** Rules by which requests fail without asking for it. They end with a reset. */
import { invalid, Problem } from '../door/problem.ts'
import { fieldOf, type Ordered, orderedOf, readDelay } from './fault.ts'
import { covers, templateOf } from './paths.ts'
import type { Owner, Shelf } from './shelf.ts'

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

/** How many rules a sandbox has. */
const MAX_RULES = 100
const NAME = 'rules'
const NONE: Owned = { rules: [], made: 0 }

export class Rules {
  readonly #shelf: Shelf

  constructor(shelf: Shelf) {
    this.#shelf = shelf
  }

  /** Whether a sandbox may have a rule. @param owner Null where it is not known yet. */
  mayExist(owner: Owner | null): boolean {
    return this.#shelf.mayHave(owner)
  }

  /**
   * @param owner The sandbox whose requests fail.
   * @param templates The paths of the contract.
   * @throws {Problem} 422 for a rule that contradicts itself or that no request can meet; 409 for too many.
   */
  async add(owner: Owner, given: NewRule, templates: readonly string[]): Promise<FaultRule> {
    const fault = faultOf(given)
    const path = given.path === undefined ? null : templateOf(given.path, templates)
    const method = given.method?.toUpperCase() ?? null
    return this.#change(owner, (owned) => {
      const open = owned.rules.filter((rule) => leftOf(rule) > 0)
      if (open.length >= MAX_RULES) {
        const detail = `The sandbox has ${MAX_RULES} fault rules already. Remove some of them.`
        throw new Problem(409, 'too_many_faults', detail)
      }
      const id = `flt_${owned.made + 1}`
      const rule = { id, method, path, fault, counted: 0, failed: 0 }
      // Rules that are used up are shown until there are too many.
      const kept = owned.rules.length < MAX_RULES ? owned.rules : open
      return { after: { rules: [...kept, rule], made: owned.made + 1 }, result: shown(rule) }
    })
  }

  /** In the order in which they are tried. */
  async list(owner: Owner): Promise<FaultRule[]> {
    return (await this.#of(owner)).map(shown)
  }

  /** @throws {Problem} 404 */
  async remove(owner: Owner, id: string): Promise<void> {
    await this.#change(owner, ({ rules, made }) => {
      if (!rules.some((rule) => rule.id === id)) {
        throw new Problem(404, 'fault_not_found', `There is no fault rule ${id}.`)
      }
      return { after: { rules: rules.filter((rule) => rule.id !== id), made }, result: undefined }
    })
  }

  async clear(owner: Owner): Promise<void> {
    if ((await this.#of(owner)).length === 0) return
    await this.#change(owner, ({ made }) => ({ after: { rules: [], made }, result: undefined }))
  }

  /**
   * Counts a request by the first rule that still does.
   *
   * @param fails Whether it fails, by the fault and the number of those that were counted before.
   * @returns the rule if it fails.
   */
  async next(
    owner: Owner,
    method: string,
    path: string,
    fails: (fault: Ordered, turn: number) => boolean,
  ): Promise<Rule | null> {
    const meets = (rule: Rule) =>
      (rule.method === null || rule.method === method) &&
      (rule.path === null || covers(rule.path, path))
    const isMet = (rule: Rule) => leftOf(rule) > 0 && meets(rule)
    if (!(await this.#of(owner)).some(isMet)) return null
    return this.#change(owner, ({ rules, made }) => {
      const rule = rules.find(isMet)
      if (!rule) return { after: { rules, made }, result: null }
      const isFailing = fails(rule.fault, rule.counted++)
      if (isFailing) rule.failed++
      return { after: { rules, made }, result: isFailing ? rule : null }
    })
  }

  async #of(owner: Owner): Promise<Rule[]> {
    return (await this.#shelf.read<Owned>(owner, NAME))?.rules ?? []
  }

  #change<Result>(
    owner: Owner,
    work: (owned: Owned) => { after: Owned; result: Result },
  ): Promise<Result> {
    return this.#shelf.change<Owned, Result>(owner, NAME, (before) => work(before ?? NONE))
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
