/**
 * Makes a response of the contract: an example as it is written, or one made from the schema that the
 * schema allows.
 */
import { isSendable } from '../door/listener.ts'
import { isJson, parseMediaType } from '../door/media-type.ts'
import type { HttpResponse } from '../door/message.ts'
import { Problem } from '../door/problem.ts'
import { Description } from './document.ts'
import type { Operation } from './load.ts'
import { invent } from './minimal.ts'
import type { PrismOperation } from './prism.ts'
import type { Choice } from './respond.ts'
import { Shapes } from './shape.ts'

/** Headers that only the connection sets. */
const FRAMING: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'date',
])

/** How deep values nest that are made from a recursive schema. */
const MAX_DEPTH = 12

/** A response, and how it contradicts the contract, if it does. */
export interface Made {
  response: HttpResponse
  misfit: string | undefined
}

/**
 * The response for a choice. An example is served even if it contradicts its schema.
 *
 * @throws {Problem} 501 where no response can be made from the schema.
 */
export async function responseFor(operation: Operation, choice: Choice): Promise<HttpResponse> {
  const found = await judged(operation, choice)
  if (typeof found !== 'string') return found.response
  const { method, path } = operation
  const reason = found.replace(/\.?$/, '.')
  throw new Problem(
    501,
    'not_servable',
    `For ${method} ${path}, the mock server cannot make a response with status ${choice.status} from the contract: ${reason} Add an example to the contract.`,
  )
}

/** The response for a choice with its verdict, or why there is none. */
export async function judged(operation: Operation, choice: Choice): Promise<Made | string> {
  const content = choice.response.contents?.find(({ mediaType }) => mediaType === choice.mediaType)
  const isExample = (content?.examples ?? []).length > 0
  const makers = content?.schema && !isExample ? makersOf(content.mediaType) : [make]
  let reason = ''
  for (const maker of makers) {
    const found = await attempt(maker, operation, choice)
    if (typeof found !== 'string' && (isExample || found.misfit === undefined)) return found
    reason ||= typeof found === 'string' ? found : (found.misfit ?? '')
  }
  return reason
}

/** The makers of a body from a schema, the best one first. Only one of them writes XML. */
function makersOf(mediaType: string): Maker[] {
  return isXml(mediaType) ? [sampled] : [make, sampled, least]
}

type Maker = (operation: Operation, choice: Choice) => Promise<HttpResponse>

async function attempt(maker: Maker, operation: Operation, choice: Choice) {
  try {
    const response = await maker(operation, choice)
    const { headers } = response
    const name = Object.keys(headers).find((name) => !isSendable(name, headers[name] ?? ''))
    if (name) return `the header ${name} has a character that is not allowed in a header`
    return { response, misfit: await misfitOf(operation, choice, response) }
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

/** How a response contradicts the contract. What is not JSON is text to a schema, whatever it says. */
async function misfitOf(
  operation: Operation,
  choice: Choice,
  { status, headers, body }: HttpResponse,
): Promise<string | undefined> {
  const { validateResponse } = await import('./prism.ts')
  const isText = !isJson(essenceOf(headers['content-type']))
  const value = typeof body === 'string' && !isText ? JSON.parse(body) : body
  const narrowed = narrow(operation, choice)
  const [response] = narrowed.responses
  const contents = isText ? [] : (response?.contents ?? [])
  const judged = response ? { ...narrowed, responses: [{ ...response, contents }] } : narrowed
  const element = { statusCode: status, headers, ...(!isText && { body: value }) }
  return validateResponse(judged, element)[0]?.message
}

/** The response with a body from a second generator, which also writes XML. */
const sampled: Maker = async (operation, choice) => {
  const { sample } = await import('openapi-sampler')
  const { schema, bundled } = schemaOf(operation, choice)
  const format = isXml(choice.mediaType) ? 'xml' : 'json'
  const options = { skipWriteOnly: true, quiet: true, maxSampleDepth: MAX_DEPTH, format } as const
  return withBody(operation, choice, sample(schema, options, bundled))
}

/** The response with the least body, which ends every recursion that may end. */
const least: Maker = (operation, choice) => {
  const { schema, bundled } = schemaOf(operation, choice)
  const description = new Description(bundled)
  const shapes = new Shapes((node) => description.resolve(node))
  return withBody(operation, choice, invent(shapes.of(schema), []))
}

/** The schema of a body, with the document that its references point into. */
function schemaOf({ prism }: Operation, { response, mediaType }: Choice) {
  const content = response.contents?.find((one) => one.mediaType === mediaType)
  const { __bundled__ } = prism as { __bundled__?: unknown }
  return { schema: (content?.schema ?? {}) as object, bundled: { __bundled__ } }
}

async function withBody(operation: Operation, choice: Choice, body: unknown) {
  const { response, mediaType = '' } = choice
  const bare = { ...choice, response: { ...response, contents: [] }, mediaType: undefined }
  const { headers, status } = await make(operation, bare)
  const asIs = typeof body === 'string' && !isJson(essenceOf(mediaType))
  const text = asIs ? body : JSON.stringify(body)
  return { status, headers: { ...headers, 'content-type': mediaType }, body: text }
}

/** The response by Prism. */
async function make(operation: Operation, choice: Choice): Promise<HttpResponse> {
  const { mockResponse } = await import('./prism.ts')
  const { status, mediaType, example } = choice
  const response = mockResponse(narrow(operation, choice), {
    code: status,
    ...(mediaType && { mediaTypes: [mediaType] }),
    ...(example && { exampleKey: example }),
  })
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers ?? {})) {
    const known = name.toLowerCase()
    const isMeant = value !== null && value !== undefined && !FRAMING.has(known)
    if (isMeant) headers[known] = String(value)
  }
  if (response.body === undefined) {
    delete headers['content-type']
    return { status, headers }
  }
  const essence = parseMediaType(headers['content-type'] ?? '')?.essence ?? ''
  const asIs = typeof response.body === 'string' && !isJson(essence)
  return { status, headers, body: asIs ? String(response.body) : JSON.stringify(response.body) }
}

/** The operation with the chosen response alone, since Prism falls back on any other it finds. */
function narrow({ prism }: Operation, { response, status }: Choice): PrismOperation {
  return { ...prism, responses: [{ ...response, code: String(status) }] }
}

function isXml(mediaType?: string): boolean {
  return /[/+]xml$/.test(essenceOf(mediaType))
}

function essenceOf(mediaType = ''): string {
  return parseMediaType(mediaType)?.essence ?? ''
}
