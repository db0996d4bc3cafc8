import type { Attempt } from './trace.js'

/** Sends a request to the next middleware, the last one to the service. May be called again. */
export type Next = (request: Request) => Promise<Response>

/**
 * Runs around every attempt of a call, after the runtime wrote the request and before it reads the
 * response. May change both, return its own response, or throw. An error that it throws ends
 * the call unchanged, without a retry. `next` rejects where no response arrived.
 *
 * The request has all headers, the API key too. To read a response, read a clone.
 *
 * @example
 * const tagged: Middleware = async (request, next, attempt) => {
 *   request.headers.set('x-attempt', String(attempt.retry))
 *   return next(request)
 * }
 */
export type Middleware = (
  request: Request,
  next: Next,
  attempt: Attempt,
) => Response | Promise<Response>

/** The middleware as one function. The first is the outermost. */
export function chain(middleware: readonly Middleware[], attempt: Attempt, send: Next): Next {
  return middleware.reduceRight<Next>(
    (next, run) => async (request) => run(request, next, attempt),
    send,
  )
}
