/** One attempt of a call. It holds no secret. */
export interface Attempt {
  readonly method: string
  /** The path with its placeholders (`url.template`), the same for all calls of an operation. */
  readonly template: string
  /** The path as it is sent, without the query. */
  readonly path: string
  /** 0 for the first attempt, 1 for the first retry. */
  readonly retry: number
}

/** What came back, whatever its status. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | null
}

/**
 * Called around every attempt. `run` sends the request; call it inside your span. It rejects where
 * no answer came. Whatever the hook returns or throws, the call goes on as if it were not there.
 *
 * @example
 * const trace: Trace = (attempt, run) =>
 *   tracer.startActiveSpan(`${attempt.method} ${attempt.template}`, (span) =>
 *     run()
 *       .then((answer) => span.setAttribute('http.response.status_code', answer.status))
 *       .finally(() => span.end()),
 *   )
 */
export type Trace = (attempt: Attempt, run: () => Promise<Answer>) => Promise<unknown>

/** Runs an attempt inside the hook. */
export async function traced<T extends Answer>(
  trace: Trace,
  attempt: Attempt,
  run: () => Promise<T>,
): Promise<T> {
  let running: Promise<T> | undefined
  const once = () => {
    running ??= run()
    return running
  }
  try {
    await trace(attempt, once)
  } catch {} // the hook's own failure, or the attempt's, which `once` raises again
  return once()
}
