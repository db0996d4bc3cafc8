/** Reads and checks a request: the first step of every operation. */
import { type Body, readBody } from '../door/body.ts'
import type { HttpRequest } from '../door/message.ts'
import { invalid, type Reason } from '../door/problem.ts'
import type { Target } from '../door/target.ts'
import type { Operation } from './load.ts'
import { type Check, validate } from './validate.ts'

/** How many reasons a response has at most. */
const MOST_REASONS = 100

export interface ReadRequest {
  /** Undefined if there is none. */
  body: Body | undefined
  warnings: Reason[]
}

/**
 * Reads the body of a request, and checks it and the parameters.
 *
 * @throws {Problem} 400, 413, 415 for a body that cannot be read, 422 with all reasons.
 */
export async function readRequest(
  operation: Operation,
  request: HttpRequest,
  target: Target,
  check: Check,
): Promise<ReadRequest> {
  const { headers, isRepeated } = request
  const body = await readBody(request, operation.mediaTypes)
  const clean = { target, headers, body, isRepeated }
  const { errors, warnings } = await validate(operation, clean, check)
  if (errors.length === 0) return { body, warnings }
  const detail =
    errors.length === 1
      ? 'One value in the request is invalid. See `errors`.'
      : `${errors.length} values in the request are invalid. See \`errors\`.`
  throw invalid(detail, errors.slice(0, MOST_REASONS))
}
