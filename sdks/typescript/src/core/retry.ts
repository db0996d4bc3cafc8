import * as policy from '../generated/policy.js'
import { clock } from './clock.js'
import type { APIConnectionError } from './errors.js'
import { BufferedResponse } from './response.js'

/**
 * Milliseconds to wait before the next attempt. Null if there must be none.
 *
 * @param result The result of the attempt.
 * @param retryable Whether a retry has no second effect.
 * @param retry 0 for the first retry.
 */
export function retryDelay(
  result: BufferedResponse | APIConnectionError,
  retryable: boolean,
  retry: number,
): number | null {
  if (!(result instanceof BufferedResponse)) {
    return retryable || result.outcome === 'not_sent' ? backoff(retry) : null
  }
  const statuses = retryable ? policy.RETRIES_RETRYABLE_STATUSES : policy.RETRIES_OTHER_STATUSES
  if (!statuses.includes(result.status)) return null
  const delay = serverDelay(result.headers)
  if (delay === null) return backoff(retry)
  return delay <= policy.RETRIES_SERVER_DELAY_MAX_MS ? delay : null
}

/** Milliseconds that the service requests as a delay. Null if it gives no readable value. */
export function serverDelay(headers: Headers): number | null {
  return (
    readNumber(headers.get(policy.RETRIES_SERVER_DELAY_MILLISECONDS_HEADER)?.trim()) ??
    readRetryAfter(headers.get(policy.RETRIES_SERVER_DELAY_HEADER)?.trim())
  )
}

function backoff(retry: number): number {
  const full = policy.RETRIES_BACKOFF_INITIAL_MS * policy.RETRIES_BACKOFF_FACTOR ** retry
  const [from, to] = [policy.RETRIES_BACKOFF_JITTER_FROM, policy.RETRIES_BACKOFF_JITTER_TO]
  return Math.min(full, policy.RETRIES_BACKOFF_MAX_MS) * (from + (to - from) * clock.random())
}

// The three formats of RFC 9110. Date.parse alone accepts nearly anything, some of it as local time.
const DATE = /^\w+(, \d\d.* GMT| \w+ .* \d{4})$/

function readRetryAfter(value = ''): number | null {
  const seconds = readNumber(value)
  if (seconds !== null) return seconds * 1_000
  const ms = DATE.test(value) ? Date.parse(value.replace(/\d$/, '$& GMT')) - clock.now() : -1
  return ms >= 0 ? ms : null
}

function readNumber(value = ''): number | null {
  return /^\d+(\.\d+)?$/.test(value) ? Number(value) : null
}
