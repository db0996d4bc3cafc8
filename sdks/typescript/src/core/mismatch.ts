import { MISMATCHES_QUESTION } from '../generated/policy.js'
import { invalid } from './decode.js'
import { log } from './log.js'
import { pathOf } from './message.js'
import type { Settings } from './options.js'
import type { Call } from './request.js'
import type { BufferedResponse } from './response.js'
import { type Finding, isOfType, type MismatchProblem, matches } from './shape.js'

/** A field of a response that does not match the contract. */
export interface Mismatch {
  /** The type that has the field. */
  readonly model: string
  /** Its name in JSON. */
  readonly field: string
  readonly problem: MismatchProblem
  /** The fields of the same object that the type does not have. */
  readonly unknown: readonly string[]
  readonly method: string
  /** The path with its placeholders. */
  readonly template: string
  readonly requestId: string | null
}

/** Receives a mismatch. */
export type MismatchHook = (mismatch: Mismatch) => unknown

/**
 * Tells the hook and the log what does not match the contract.
 *
 * @returns Whether the data can be used: it is of the expected type, and for a strict client what it
 *   holds is too.
 * @throws InvalidResponseError for the first such object, where the client is strict.
 */
export function tellMismatches(
  data: unknown,
  { method, path: template, operation, options }: Call,
  response: BufferedResponse,
  settings: Settings,
): boolean {
  const { name, result } = operation
  // Only an operation that may have no content has read undefined.
  if (result === undefined || data === undefined) return true
  const { strict = settings.strict, onMismatch = settings.onMismatch } = options
  const found: Finding[] = []
  const isReadable = matches(data, result, found) || (!strict && isOfType(data, result))
  if (found.length === 0) return isReadable

  const { warned } = settings
  const { requestId } = response
  for (const { model, problems, unknown } of found) {
    for (const [field, problem] of problems) {
      const mismatch = { model, field, problem, unknown, method, template, requestId }
      // Its errors change nothing, those of an async hook too.
      if (onMismatch) (async () => onMismatch(mismatch))().catch(() => {})
    }
  }
  for (const { model, problems, unknown } of found) {
    if (strict) throw invalid(sentence(model, problems, unknown), response, settings)
    const fresh = problems.filter(([field]) => !warned.has(`${model}.${field}`))
    for (const [field] of fresh) warned.add(`${model}.${field}`)
    if (fresh.length === 0) continue
    const text = `${sentence(model, fresh, unknown)}. ${MISMATCHES_QUESTION}`
    const path = pathOf(response.url, settings)
    const about = { operation: name ?? null, method, template, path, model, requestId }
    log(settings, 'warn', text, () => about)
  }
  return isReadable
}

/** `Handoff: missing requested_at; unknown asked_at` */
function sentence(
  model: string,
  problems: Finding['problems'],
  unknown: Finding['unknown'],
): string {
  const named = [...problems, ...unknown.map((name) => [name, 'unknown'] as const)]
  const parts = ['missing', 'null', 'unreadable', 'unknown'].flatMap((kind) => {
    const names = named.filter(([, problem]) => problem === kind).map(([name]) => name)
    return names.length > 0 ? `${kind} ${names.join(', ')}` : []
  })
  return `${model}: ${parts.join('; ')}`
}
