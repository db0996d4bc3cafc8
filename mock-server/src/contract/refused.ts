/** Refusals of a request in the contract's own words. */
import { parseMediaType } from '../door/media-type.ts'
import type { Preferences } from '../door/prefer.ts'
import { Problem } from '../door/problem.ts'
import type { Operation } from './load.ts'
import { responseFor } from './made.ts'
import { type Declared, firstDeclared, undeclared } from './respond.ts'
import { violationsHeader, violationsOf } from './violations.ts'

/** The statuses that a contract may declare for a refusal, the best one first. */
const STATUSES: Record<string, readonly [number, ...number[]]> = {
  unauthorized: [401],
  unsupported_media_type: [415, 422, 400],
  malformed_body: [400, 422],
  validation_failed: [422, 400],
}

/**
 * Gives a problem the response that its operation declares for such requests. A declared
 * `application/problem+json` has its status alone: it says more with the problem's own detail.
 *
 * @returns the problem as it is where nothing is declared, or no response can be made of it.
 * @throws {Problem} 404 for a preferred example that the response does not have
 */
export async function asDeclared(
  problem: Problem,
  operation: Operation,
  preferences: Preferences,
): Promise<Problem> {
  const statuses = STATUSES[problem.code]
  const found = statuses && firstDeclared(operation, statuses)
  if (!found) return problem
  const { response, status } = found
  const contents = response.contents ?? []
  const { message, code, headers, errors } = problem
  if (contents.some(isProblem)) {
    return new Problem(status, code, message, { headers, ...(errors && { errors }) })
  }
  const content =
    contents.find(({ examples = [] }) => examples.length > 0) ??
    contents.find(({ schema }) => schema !== undefined)
  if (contents.length > 0 && !content) return problem

  const names = (content?.examples ?? []).map(({ key }) => key)
  const isMeant = statuses.includes(Number(preferences.code))
  const example = isMeant ? preferences.example : undefined
  if (example !== undefined && !names.includes(example)) {
    throw undeclared('example', example, operation, names)
  }
  const choice = { response, status, mediaType: content?.mediaType, example }
  const made = await responseFor(operation, choice).catch(() => null)
  if (!made) return problem
  const all = { ...headers, ...made.response.headers, ...violationsHeader(violationsOf(problem)) }
  problem.dress = () => ({ ...made.response, headers: all })
  return problem
}

function isProblem({ mediaType }: NonNullable<Declared['contents']>[number]): boolean {
  return parseMediaType(mediaType)?.essence === 'application/problem+json'
}
