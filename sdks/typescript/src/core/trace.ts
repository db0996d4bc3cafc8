/** One attempt of a call. It holds no secret. */
export interface Attempt {
  /** The method of the client, like `things.list`. Null for a path that is not in the contract. */
  readonly operation: string | null
  readonly method: string
  /** The path with its placeholders (`url.template`), the same for all calls of an operation. */
  readonly template: string
  /** The path of the request, without the query. */
  readonly path: string
  /** 0 for the first attempt, 1 for the first retry. */
  readonly retry: number
}

/** The response of one attempt, with any status. */
export interface AttemptResponse {
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | null
}

/**
 * Runs around every attempt. `run` sends the request: call it inside your span. It rejects where no
 * response arrived. The hook's own result or error does not change the call.
 *
 * @example
 * const trace: Trace = (attempt, run) =>
 *   tracer.startActiveSpan(`${attempt.method} ${attempt.template}`, (span) =>
 *     run()
 *       .then(({ status }) => span.setAttribute('http.response.status_code', status))
 *       .finally(() => span.end()),
 *   )
 */
export type Trace = (attempt: Attempt, run: () => Promise<AttemptResponse>) => Promise<unknown>

/**
 * Runs an attempt inside the hook.
 *
 * @param ended Rejects once the attempt must be over. A hook that never settles ends then, too.
 */
export async function traced<T extends AttemptResponse>(
  trace: Trace,
  attempt: Attempt,
  run: () => Promise<T>,
  ended: Promise<never>,
): Promise<T> {
  let running: Promise<T> | undefined
  const once = () => {
    running ??= run()
    return running
  }
  try {
    const hook = async () => trace(attempt, once)
    await Promise.race([hook(), ended])
  } catch {} // of the hook, or of the attempt, which `once` rejects with again
  return once()
}
