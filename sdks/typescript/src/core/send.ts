// The life of a call: (attempt → wait)… → response or error.
import type { Outcome } from '../generated/policy.js'
import * as policy from '../generated/policy.js'
import { clock } from './clock.js'
import { outcomeOf } from './decode.js'
import { AbortedCallError } from './errors.js'
import { exchange } from './exchange.js'
import { log, redact } from './log.js'
import { describe, pathOf } from './message.js'
import { checkLimits, type Settings } from './options.js'
import type { Call, PreparedRequest } from './request.js'
import { BufferedResponse } from './response.js'
import { retryDelay } from './retry.js'
import type { Attempt } from './trace.js'

/**
 * Sends a request, and retries it if that is safe.
 *
 * @returns The last response, with any status.
 * @throws APIConnectionError if none arrived, AbortedCallError if the caller ended the call, and the
 *   error of a middleware as it is.
 */
export async function send(
  request: PreparedRequest,
  call: Call,
  settings: Settings,
): Promise<BufferedResponse> {
  const { method, path: template, operation, options } = call
  const { signal, maxRetries = settings.maxRetries, timeout = settings.timeout } = options
  const retryable = operation.retryable ?? policy.RETRIES_RETRYABLE_METHODS.includes(method)
  checkLimits({ timeout, maxRetries })
  const middleware = [...settings.middleware, ...(options.middleware ?? [])]
  const path = () => pathOf(request.url, settings)
  const name = operation.name ?? null
  let attempts = 0
  const state: { outcome: Outcome } = { outcome: 'not_sent' }
  try {
    for (let retry = 0; ; retry++) {
      const about = (): Attempt => ({ operation: name, method, template, path: path(), retry })
      const started = clock.now()
      const durationMs = () => clock.now() - started
      signal?.throwIfAborted()
      attempts += 1
      const before = state.outcome
      log(settings, 'debug', 'request', () => ({ ...about(), headers: redact(request.headers) }))
      const result = await exchange(request, about, timeout, signal, middleware, settings, state)
      const isWhole = result instanceof BufferedResponse
      if (isWhole) {
        log(settings, 'info', 'response', () => {
          const { status, requestId } = result
          const headers = redact(result.headers)
          return { ...about(), status, requestId, headers, durationMs: durationMs() }
        })
      }
      const delayMs = retry < maxRetries ? retryDelay(result, retryable, retry) : null
      if (delayMs === null) {
        if (isWhole) return result
        log(settings, 'error', 'failure', () => {
          const { message, outcome } = result
          return { ...about(), message, outcome, durationMs: durationMs() }
        })
        throw result
      }
      const failed = isWhole ? outcomeOf(result.status) : result.outcome
      state.outcome = before === 'unknown' ? before : failed
      log(settings, 'warn', 'retry', () => {
        return { ...about(), delayMs, reason: isWhole ? `${result.status}` : `${result}` }
      })
      await clock.sleep(delayMs, signal)
    }
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason) throw error
    const message = describe('the call was aborted', request, settings)
    throw new AbortedCallError(message, { cause: error, method, path: path(), attempts, ...state })
  }
}
