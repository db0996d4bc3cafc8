import { type Json, sortedEntries } from '../contract/json.ts'
import type { Answer, Name, Result, TypeRef } from '../model/types.ts'
import { words } from '../model/words.ts'
import { type Context, docOf, examplesOf, pathOf } from './context.ts'
import { chooseMedia } from './media.ts'
import type { Path, Schemas } from './schemas.ts'

/**
 * All answers of an operation, by status.
 *
 * @param owner What inline types of its own answers are named after.
 */
export function answersOf(
  operation: Json,
  at: Path,
  owner: Name,
  context: Context,
  schemas: Schemas,
): Answer[] {
  const responses = sortedEntries(operation.responses)
  const successes = responses.filter(([status]) => isSuccess(status))
  return responses.map(([status, node]) => {
    const response = context.resolve(node)
    context.refuse('Response', response)
    const chosen = chooseMedia(response.content, 'answer', response, context)
    const doc = docOf(response)
    if (!chosen) return { status, doc, body: null }
    const shared = sharedName(node)
    const suffix = isSuccess(status) && successes.length < 2 ? ['Response'] : ['Response', status]
    const place = shared ? pathOf(String((node as Json).$ref)) : [...at, 'responses', status]
    const { contentType, format, media } = chosen
    const type: TypeRef =
      format === 'json'
        ? schemas.use(media.schema, shared ?? [...owner, ...suffix], [
            ...place,
            'content',
            contentType,
            'schema',
          ])
        : { kind: 'primitive', type: format === 'text' ? 'string' : 'binary' }
    return {
      status,
      doc,
      body: { contentType, format, type, examples: examplesOf(media, context) },
    }
  })
}

// A response that several operations share names its inline types by itself.
function sharedName(node: unknown): Name | null {
  const ref = (node as Json).$ref
  return typeof ref === 'string' ? words(pathOf(ref).at(-1) ?? '') : null
}

function isSuccess(status: string): boolean {
  return status.startsWith('2')
}

/** What a method returns: its successes, or what any answer is. */
export function resultOf(answers: readonly Answer[], operation: Json, context: Context): Result {
  const successes = answers.filter(({ status }) => isSuccess(status))
  const others = answers.filter(({ status }) => status === 'default')
  const known = successes.length > 0 ? successes : others
  if (known.length === 0 && answers.some(({ status }) => /^[13]/.test(status))) {
    const message = 'the only success is a redirect or a change of protocol, and no SDK follows it'
    context.unsupported(operation, 'responses', message, 'Describe a success of 2XX')
  }
  const bodies = known.map(({ body }) => body)
  const formats = new Set(bodies.flatMap((body) => body?.format ?? []))
  if (formats.size > 1) {
    const fix = 'Let all successes answer in one format'
    context.unsupported(operation, 'responses', 'successes answer in different formats', fix)
  }
  const [format = 'none'] = formats
  const types = new Map(
    bodies.flatMap((body) => (body ? [[JSON.stringify(body.type), body.type]] : [])),
  )
  return {
    format: format === 'multipart' || format === 'urlencoded' ? 'binary' : format,
    types: [...types.values()],
    optional: formats.size > 0 && bodies.includes(null),
  }
}
