/** What can go wrong with a request. */

export interface Fault {
  /** Returned instead, before anything is done. */
  status: number | null
  /** The `Retry-After` of that response, in seconds; null for none. */
  retryAfter: number | null
  /** How long the response is delayed, in milliseconds. */
  delay: number
  /** `reset`: the connection breaks before anything is done. `truncate`: it breaks within the response, after everything is done. */
  cut: 'reset' | 'truncate' | null
}

/** A fault, and which of the requests that ask for it or match its rule it meets. */
export interface Ordered extends Fault {
  /** How many requests count, whether they fail or not. The following ones pass. */
  times: number
  /** The share of the requests that fail. */
  rate: number
}

/** The longest delay, in milliseconds. */
export const MAX_DELAY = 120_000
/** The longest `Retry-After`, in seconds. */
export const MAX_RETRY_AFTER = 86_400
/** The status if a fault has only `rate`, `times` or `retry-after`. */
const DEFAULT_STATUS = 503

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000 }

/** A delay such as `2s` or `300ms` in milliseconds; null for anything else. */
export function readDelay(text: string): number | null {
  const [, number = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s)$/.exec(text) ?? []
  const delay = Number(number) * (UNITS[unit] ?? Number.NaN)
  return delay <= MAX_DELAY ? delay : null
}

/** A fault with what it leaves out. It has at most one of a status and a cut. */
export function orderedOf(given: Partial<Ordered>): Ordered {
  const nothing = { status: null, retryAfter: null, delay: 0, cut: null, times: Infinity, rate: 1 }
  const ordered: Ordered = { ...nothing, ...given }
  const { cut, delay, retryAfter } = ordered
  const isEmpty = cut === null && (delay === 0 || retryAfter !== null)
  return { ...ordered, status: ordered.status ?? (isEmpty ? DEFAULT_STATUS : null) }
}

/** A fault as the header `x-mock-fault` has it. */
export function fieldOf({ status, retryAfter, delay, cut, times, rate }: Ordered): string {
  const parts = [
    status !== null && `status=${status}`,
    retryAfter !== null && `retry-after=${retryAfter}`,
    delay > 0 && `delay=${delay}ms`,
    cut,
    times !== Infinity && `times=${times}`,
    rate !== 1 && `rate=${rate}`,
  ]
  return parts.filter(Boolean).join('; ')
}
