// The life of a call: (attempt → wait)… → answer or error. An attempt owns its time-out and reads
// its whole body, so that whatever happens on the way there is this attempt's end.
import * as policy from '../generated/policy.js'
import { clock } from './clock.js'
import { invalid } from './decode.js'
import { APIConnectionError, APITimeoutError } from './errors.js'
import { explain } from './failure.js'
import { log, redact } from './log.js'
import { describe, pathOf } from './message.js'
import type { Operation } from './operation.js'
import { checkLimits, type RequestOptions, type Settings } from './options.js'
import { Reply } from './reply.js'
import { retryDelay } from './retry.js'
import { type Attempt, traced } from './trace.js'

/** A request that `fetch` can be given any number of times. */
export interface Draft {
  url: string
  method: string
  headers: HeadersInit
  body: BodyInit | null | undefined
}

/** What is to be known of a request beyond itself. */
export interface Call {
  /** The path with its placeholders. */
  path: string
  operation: Operation
  options: RequestOptions
}

/**
 * Sends a request, repeating it where that is safe.
 *
 * @returns The last answer, whatever its status.
 * @throws APIConnectionError where none arrived; the signal's reason where the call was aborted.
 */
export async function send(draft: Draft, call: Call, settings: Settings): Promise<Reply> {
  const { method } = draft
  const { signal, maxRetries = settings.maxRetries, timeout = settings.timeout } = call.options
  const repeatable = call.operation.repeatable ?? policy.RETRIES_RETRYABLE_METHODS.includes(method)
  checkLimits({ timeout, maxRetries })
  for (let retry = 0; ; retry++) {
    const about = (): Attempt => {
      return { method, template: call.path, path: pathOf(draft.url, settings), retry }
    }
    const result = await attempt(draft, call, settings, about)
    const delayMs = retry < maxRetries ? retryDelay(result, repeatable, retry) : null
    if (delayMs === null) {
      if (result instanceof Reply) return result
      throw result
    }
    log(settings, 'warn', 'retry', () => ({ ...about(), delayMs }))
    await clock.sleep(delayMs, signal)
  }
}

/** One attempt, reported; a connection that fails is its result, so that it can be repeated. */
async function attempt(
  draft: Draft,
  call: Call,
  settings: Settings,
  about: () => Attempt,
): Promise<Reply | APIConnectionError> {
  const { trace } = settings
  const run = () => exchange(draft, call, settings)
  const started = clock.now()
  const durationMs = () => clock.now() - started
  log(settings, 'debug', 'request', () => ({ ...about(), headers: redact(draft.headers) }))
  try {
    const reply = await (trace ? traced(trace, about(), run) : run())
    log(settings, 'info', 'response', () => {
      const { status, requestId, headers } = reply
      return {
        ...about(),
        status,
        requestId,
        headers: redact(headers),
        durationMs: durationMs(),
      }
    })
    return reply
  } catch (error) {
    if (!(error instanceof APIConnectionError)) throw error
    log(settings, 'error', 'failure', () => {
      const { message, outcome } = error
      return { ...about(), message, outcome, durationMs: durationMs() }
    })
    return error
  }
}

/** Sends the request once and reads the whole body, within the time-out. */
async function exchange(draft: Draft, call: Call, settings: Settings): Promise<Reply> {
  const { url, method, headers, body } = draft
  const { signal, timeout = settings.timeout } = call.options
  signal?.throwIfAborted()
  const controller = new AbortController()
  let response: Response | undefined
  let stop: (reason: unknown) => void = () => {}
  const expire = () => {
    const message = describe(`no answer within ${timeout} ms`, draft, settings)
    stop(new APITimeoutError(message, { outcome: 'unknown' }))
  }
  const cancel = () => stop(signal?.reason)

  async function transfer(): Promise<Reply> {
    const init = { method, headers, body, redirect: 'manual', signal: controller.signal } as const
    response = await settings.fetch(url, init)
    try {
      const content = await (call.operation.read ? response.arrayBuffer() : response.text())
      return new Reply(draft, response, content)
    } catch (error) {
      // A failure's status is known already; only a success is worth nothing without its body.
      if (response.ok) throw error
      return new Reply(draft, response, '')
    }
  }

  const timer = setTimeout(expire, timeout)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await new Promise<Reply>((resolve, reject) => {
      // Rejects by itself, because a fetch of somebody else's may not heed its signal.
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
      throw invalid('the body cannot be decompressed', new Reply(draft, response, ''), settings)
    }
    const Type = timedOut ? APITimeoutError : APIConnectionError
    throw new Type(describe(reason, draft, settings), {
      outcome: response ? 'unknown' : outcome,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}
