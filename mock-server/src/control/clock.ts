import { invalid } from '../door/problem.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { Sandbox } from '../store/types.ts'
import { durationOf } from './duration.ts'

/** The last time that RFC 3339 can express. */
const END = Date.parse('9999-12-31T23:59:59Z')

/**
 * Moves a sandbox's clock forward by a duration such as `PT24H`.
 *
 * @returns the new time, in milliseconds since 1970.
 * @throws {Problem} 422 for a malformed duration, or a time after the year 9999.
 */
export async function advanceBy(
  sandboxes: Sandboxes,
  sandbox: Sandbox,
  duration: string,
): Promise<number> {
  const ms = durationOf(duration)
  if (Number.isNaN(ms)) throw invalid(`${duration} is not a duration. Use one such as PT24H.`)
  if (sandboxes.life.now(sandbox) + ms > END) {
    throw invalid(
      `${duration} from now is after the year 9999. Use a shorter duration, or reset the sandbox.`,
    )
  }
  return sandboxes.advance(sandbox, ms)
}
