import { MISMATCHES_QUESTION } from '../generated/policy.js'
import { invalid } from './decode.js'
import { log } from './log.js'
import { pathOf } from './message.js'
import type { Settings } from './options.js'
import type { Call } from './request.js'
import type { BufferedResponse } from './response.js'
import { type MismatchProblem, matches, type Report } from './shape.js'

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

/**
 * Tells the hook and the log what does not match the contract.
 *
 * @throws InvalidResponseError for the first such object, where the client is strict.
 */
export function tellMismatches(
  data: unknown,
  { method, path: template, operation }: Call,
  response: BufferedResponse,
  settings: Settings,
): void {
  const { onMismatch, strict, warned } = settings
  const { requestId, url } = response
  const tell: Report = (model, problems, unknown) => {
    for (const [field, problem] of problems) {
      const mismatch = { model, field, problem, unknown, method, template, requestId }
      // Its errors change nothing, those of an async hook too.
      if (onMismatch) (async () => onMismatch(mismatch))().catch(() => {})
    }
    if (strict) throw invalid(sentence(model, problems, unknown), response, settings)
    const fresh = problems.filter(([field]) => !warned.has(`${model}.${field}`))
    for (const [field] of fresh) warned.add(`${model}.${field}`)
    if (fresh.length === 0) return
    const text = `${sentence(model, fresh, unknown)}. ${MISMATCHES_QUESTION}`
    const about = {
      operation: operation.name ?? null,
      method,
      template,
      path: pathOf(url, settings),
    }
    log(settings, 'warn', text, () => ({ ...about, model, requestId }))
  }
  if (operation.result !== undefined) matches(data, operation.result, tell)
}

/** `Handoff: missing requested_at; unknown asked_at` */
function sentence(
  model: string,
  problems: Parameters<Report>[1],
  unknown: readonly string[],
): string {
  const parts = (['missing', 'null', 'unreadable'] as const).map((kind) => {
    return [kind, problems.flatMap(([field, problem]) => (problem === kind ? field : []))] as const
  })
  const shown = [...parts, ['unknown', unknown] as const]
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${kind} ${names.join(', ')}`)
  return `${model}: ${shown.join('; ')}`
}
