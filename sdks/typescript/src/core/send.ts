// The life of a call: (attempt → wait)… → response or error. An attempt owns its timeout and reads
// the whole body, so that a failure on the way is a failure of this attempt.
import * as policy from '../generated/policy.js'
import { clock } from './clock.js'
import { invalid } from './decode.js'
import { APIConnectionError, APITimeoutError } from './errors.js'
import { explain } from './failure.js'
import { log, redact } from './log.js'
import { describe, pathOf } from './message.js'
import { checkLimits, type Settings } from './options.js'
import type { Call, PreparedRequest } from './request.js'
import { BufferedResponse } from './response.js'
import { retryDelay } from './retry.js'
import { type Attempt, traced } from './trace.js'

/**
 * Sends a request, and retries it if that is safe.
 *
 * @returns The last response, with any status.
 * @throws APIConnectionError if none arrived, and the signal's reason if the call was aborted.
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
  for (let retry = 0; ; retry++) {
    const about = (): Attempt => {
      return { method, template, path: pathOf(request.url, settings), retry }
    }
    const run = () => exchange(request, timeout, signal, settings)
    const result = await attempt(request, run, about, settings)
    const delayMs = retry < maxRetries ? retryDelay(result, retryable, retry) : null
    if (delayMs === null) {
      if (result instanceof BufferedResponse) return result
      throw result
    }
    log(settings, 'warn', 'retry', () => ({ ...about(), delayMs }))
    await clock.sleep(delayMs, signal)
  }
}

/** One attempt, traced and logged. Returns a failed connection, so that it can be retried. */
async function attempt(
  request: PreparedRequest,
  run: () => Promise<BufferedResponse>,
  about: () => Attempt,
  settings: Settings,
): Promise<BufferedResponse | APIConnectionError> {
  const { trace } = settings
  const started = clock.now()
  const durationMs = () => clock.now() - started
  log(settings, 'debug', 'request', () => ({ ...about(), headers: redact(request.headers) }))
  try {
    const response = await (trace ? traced(trace, about(), run) : run())
    log(settings, 'info', 'response', () => {
      const { status, requestId, headers } = response
      const shown = redact(headers)
      return { ...about(), status, requestId, headers: shown, durationMs: durationMs() }
    })
    return response
  } catch (error) {
    if (!(error instanceof APIConnectionError)) throw error
    log(settings, 'error', 'failure', () => {
      const { message, outcome } = error
      return { ...about(), message, outcome, durationMs: durationMs() }
    })
    return error
  }
}

/** Sends the request once and reads the whole body, within the timeout. */
async function exchange(
  request: PreparedRequest,
  timeout: number,
  signal: AbortSignal | null | undefined,
  settings: Settings,
): Promise<BufferedResponse> {
  const { url, method, headers, body } = request
  signal?.throwIfAborted()
  const controller = new AbortController()
  let response: Response | undefined
  let stop: (reason: unknown) => void = () => {}
  const expire = () => {
    const message = describe(`no complete response within ${timeout} ms`, request, settings)
    stop(new APITimeoutError(message, { outcome: 'unknown' }))
  }
  const cancel = () => stop(signal?.reason)

  async function transfer(): Promise<BufferedResponse> {
    const own = { method, headers, body, redirect: 'manual', signal: controller.signal } as const
    response = await settings.fetch(url, { ...request.init, ...own })
    try {
      return new BufferedResponse(request, response, await response.arrayBuffer())
    } catch (error) {
      // The status of an error response is known already. A 2xx is useless without its body.
      if (response.ok) throw error
      return new BufferedResponse(request, response)
    }
  }

  const timer = setTimeout(expire, timeout)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await new Promise<BufferedResponse>((resolve, reject) => {
      // Rejects by itself, because a user's fetch may ignore its signal.
      stop = (reason) => {
        reject(reason)
        controller.abort(reason)
      }
      transfer().then(resolve, reject)
    })
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    const { outcome, timedOut, corrupt, reason } = explain(error)
    if (response && corrupt) {
      const empty = new BufferedResponse(request, response)
      throw invalid('the body cannot be decompressed', empty, settings)
    }
    const Type = timedOut ? APITimeoutError : APIConnectionError
    throw new Type(describe(reason, request, settings), {
      outcome: response ? 'unknown' : outcome,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}
