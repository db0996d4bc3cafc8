import { type Json, sortedEntries } from '../contract/json.ts'
import type { Name, Response, Result, TypeRef } from '../model/types.ts'
import { words } from '../model/words.ts'
import { type Context, docOf, examplesOf, pathOf } from './context.ts'
import { chooseMedia } from './media.ts'
import type { Path, Schemas } from './schemas.ts'

/**
 * All responses of an operation, by status.
 *
 * @param owner The name from which inline types of its responses get theirs.
 */
export function responsesOf(
  operation: Json,
  at: Path,
  owner: Name,
  context: Context,
  schemas: Schemas,
): Response[] {
  const entries = sortedEntries(operation.responses)
  const successes = entries.filter(([status]) => isSuccess(status))
  return entries.map(([status, node]) => {
    const response = context.resolve(node)
    context.refuse('Response', response)
    const chosen = chooseMedia(response.content, 'response', response, context)
    const doc = docOf(response)
    const headers = headersOf(response, context)
    if (!chosen) return { status, doc, body: null, headers }
    const shared = sharedName(node)
    const suffix = isSuccess(status) && successes.length < 2 ? ['Response'] : ['Response', status]
    const location = shared ? pathOf(String((node as Json).$ref)) : [...at, 'responses', status]
    const { contentType, format, media } = chosen
    const type: TypeRef =
      format === 'json'
        ? schemas.use(media.schema, shared ?? [...owner, ...suffix], [
            ...location,
            'content',
            contentType,
            'schema',
          ])
        : { kind: 'primitive', type: format === 'text' ? 'string' : 'binary' }
    return {
      status,
      doc,
      body: { contentType, format, type, examples: examplesOf(media, context) },
      headers,
    }
  })
}

function headersOf(response: Json, context: Context): Response['headers'] {
  return sortedEntries(response.headers).map(([wire, node]) => ({
    wire,
    doc: docOf(context.resolve(node)),
  }))
}

// A response that several operations share names its inline types by itself.
function sharedName(node: unknown): Name | null {
  const ref = (node as Json).$ref
  return typeof ref === 'string' ? words(pathOf(ref).at(-1) ?? '') : null
}

function isSuccess(status: string): boolean {
  return status.startsWith('2')
}

/** The result of a method: that of its successes, else of any response. */
export function resultOf(
  responses: readonly Response[],
  operation: Json,
  context: Context,
): Result {
  const successes = responses.filter(({ status }) => isSuccess(status))
  const others = responses.filter(({ status }) => status === 'default')
  const known = successes.length > 0 ? successes : others
  if (known.length === 0 && responses.some(({ status }) => /^[13]/.test(status))) {
    const message = 'the only success is a redirect or a protocol change, which no SDK follows'
    context.unsupported(operation, 'responses', message, 'Describe a 2XX response')
  }
  const bodies = known.map(({ body }) => body)
  const formats = new Set(bodies.flatMap((body) => body?.format ?? []))
  if (formats.size > 1) {
    const fix = 'Use one format for all successful responses'
    context.unsupported(
      operation,
      'responses',
      'the successful responses have different formats',
      fix,
    )
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
