import { invalid } from '../door/problem.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { Sandbox } from '../store/types.ts'
import { durationOf } from './duration.ts'

/** The last moment that RFC 3339 can write. */
const END = Date.parse('9999-12-31T23:59:59Z')

/**
 * Moves a sandbox's clock on by a duration such as `PT24H`.
 *
 * @returns the new time, in milliseconds since 1970.
 * @throws {Problem} 422 for another text, and for a time that cannot be written.
 */
export async function advanceBy(
  sandboxes: Sandboxes,
  sandbox: Sandbox,
  duration: string,
): Promise<number> {
  const ms = durationOf(duration)
  if (Number.isNaN(ms)) throw invalid(`${duration} is no duration such as PT24H.`)
  if (sandboxes.life.now(sandbox) + ms > END) {
    throw invalid(`${duration} from now is after the year 9999. Reset the sandbox, or go less far.`)
  }
  return sandboxes.advance(sandbox, ms)
}
