/** The problems that errors of the parts become. */
import { Problem } from './door/problem.ts'
import { StoreError } from './store/types.ts'

/** An error as the door shows it. What is not known here stays as it is: a fault of this server. */
export function toProblem(error: unknown): unknown {
  if (error instanceof StoreError) {
    const detail =
      'The store failed, so nothing was saved. See the log on stderr for the reason, then retry.'
    const problem = new Problem(503, 'storage_failed', detail, { headers: { 'retry-after': '1' } })
    // The log says what failed.
    problem.cause = error
    return problem
  }
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET'
    ? new Problem(
        400,
        'malformed_request',
        'The body ended before it was complete. Send the whole body.',
      )
    : error
}
