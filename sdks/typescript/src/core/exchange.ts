// One attempt: it owns its timeout and reads the whole body, so that a failure on the way is a
// failure of this attempt.
import type { Outcome } from '../generated/policy.js'
import { invalid } from './decode.js'
import { APIConnectionError, APITimeoutError } from './errors.js'
import { explain } from './failure.js'
import { describe } from './message.js'
import { chain, type Middleware } from './middleware.js'
import type { Settings } from './options.js'
import { bodyOf, fetchInit, type PreparedRequest } from './request.js'
import { BufferedResponse } from './response.js'
import { type Attempt, traced } from './trace.js'

/**
 * Sends a request once and reads the whole body, within the timeout.
 *
 * @param state Has the outcome of the call so far, which changes before `fetch`: middleware may not reach it.
 * @returns The response, or the error for one that did not arrive whole, so that it can be retried.
 * @throws the signal's reason if the call was aborted, and the error of a middleware as it is.
 */
export async function exchange(
  request: PreparedRequest,
  about: () => Attempt,
  timeout: number | null,
  signal: AbortSignal | null | undefined,
  middleware: readonly Middleware[],
  settings: Settings,
  state: { outcome: Outcome },
): Promise<BufferedResponse | APIConnectionError> {
  const { trace } = settings
  const controller = new AbortController()
  const { signal: stopped } = controller
  const listeners: ((reason: unknown) => void)[] = []
  let isExpired = false

  function stop(reason: unknown): void {
    controller.abort(reason)
    for (const reject of listeners) reject(reason)
  }

  /** Settles like `work`, or when the attempt must end: a user's fetch may ignore its signal. */
  function within<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      listeners.push(reject)
      if (stopped.aborted) reject(stopped.reason)
      work.then(resolve, reject)
    })
  }

  /** The error for a step that failed. Made where it is thrown, so that its stack leads to the caller. */
  function failure(error: unknown, response?: Response): unknown {
    if (isExpired) {
      const message = describe(`no complete response within ${timeout} ms`, request, settings)
      return new APITimeoutError(message, state)
    }
    if (stopped.aborted) return stopped.reason
    const { outcome, timedOut, corrupt, reason } = explain(error)
    if (response && corrupt) {
      const empty = new BufferedResponse(request, response)
      return invalid(`${empty.status}: the body cannot be decompressed`, empty, settings, null)
    }
    const Type = timedOut ? APITimeoutError : APIConnectionError
    return new Type(describe(reason, request, settings), {
      outcome: response ? 'unknown' : outcome,
      cause: error,
    })
  }

  async function transmit(url: string, init: RequestInit): Promise<Response> {
    try {
      // A slow middleware must not send what counts as not sent, and is perhaps retried already.
      stopped.throwIfAborted()
      state.outcome = 'unknown'
      return await settings.fetch(url, init)
    } catch (error) {
      throw failure(error)
    }
  }

  async function throughMiddleware(url: string, init: RequestInit): Promise<Response> {
    const run = chain(middleware, about(), async (sent) => {
      const own = {
        method: sent.method,
        headers: Object.fromEntries(sent.headers),
        body: await bodyOf(sent),
        // The one of the attempt too, which a new request may lack.
        signal: AbortSignal.any([stopped, sent.signal]),
      }
      return transmit(sent.url, { ...fetchInit(sent), ...own, redirect: 'manual' })
    })
    const response = await run(new Request(url, init))
    if (response) return response
    throw new TypeError('Middleware must return a Response.')
  }

  async function transfer(): Promise<BufferedResponse> {
    stopped.throwIfAborted()
    const { url, method, headers, body } = request
    const own: RequestInit = { method, headers, body, redirect: 'manual', signal: stopped }
    const init = request.init ? { ...request.init, ...own } : own
    const response = await (middleware.length > 0 ? throughMiddleware : transmit)(url, init)
    try {
      return new BufferedResponse(request, response, await response.arrayBuffer())
    } catch (error) {
      // The status of an error response is known already. A 2xx is useless without its body.
      if (response?.ok === false) return new BufferedResponse(request, response)
      throw failure(error, response)
    }
  }

  const cancel = () => stop(signal?.reason)
  const expire = () => {
    isExpired = true
    stop(undefined) // an AbortError for fetch; the call gets our own
  }
  const timer = timeout === null ? undefined : setTimeout(expire, timeout)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    if (!trace) return await within(transfer())
    const ended = within(new Promise<never>(() => {}))
    return await traced(trace, about(), () => within(transfer()), ended)
  } catch (error) {
    const reason = stopped.aborted ? failure(error) : error
    if (reason instanceof APIConnectionError) return reason
    throw reason
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}
