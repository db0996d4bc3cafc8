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
import type { Finding } from './validate.ts'

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

/** The root element of XML whose schema names none, as Prism calls it. */
const XML_ROOT = 'xml'

/** A response, and how it contradicts the contract; empty if it does not. */
export interface Made {
  response: HttpResponse
  misfits: Finding[]
}

/**
 * The response for a choice. An example is served even if it contradicts its schema.
 *
 * @throws {Problem} 501 where no response can be made from the schema.
 */
export async function responseFor(operation: Operation, choice: Choice): Promise<Made> {
  const found = await judged(operation, choice)
  if (typeof found !== 'string') return found
  const what = `cannot make a response with status ${choice.status} from the contract`
  throw notServable(operation, what, found, 'Add an example to the contract.')
}

/** @throws {Problem} 501 for an operation that no request can be served of */
export function checkServed(operation: Operation): void {
  const { unserved } = operation
  if (unserved === undefined) return
  throw notServable(operation, 'cannot serve the operation', unserved, 'Correct the contract.')
}

function notServable(
  { method, path }: Operation,
  what: string,
  reason: string,
  cure: string,
): Problem {
  const sentence = reason.replace(/\.?$/, '.')
  const detail = `For ${method} ${path}, the mock server ${what}: ${sentence} ${cure}`
  return new Problem(501, 'not_servable', detail)
}

/** The response for a choice with its verdict, or why there is none. */
export async function judged(operation: Operation, choice: Choice): Promise<Made | string> {
  const content = choice.response.contents?.find(({ mediaType }) => mediaType === choice.mediaType)
  const isFresh = choice.fresh !== undefined && content?.schema !== undefined
  const isExample = !isFresh && (content?.examples ?? []).length > 0
  const lost = operation.lost?.[choice.response.code]
  if (lost !== undefined && !isExample) return lost
  const makers = content?.schema && !isExample ? makersOf(content.mediaType, isFresh) : [make]
  let reason = ''
  let unfit: Made | undefined
  for (const maker of makers) {
    const found = await attempt(maker, operation, choice)
    if (typeof found !== 'string' && (isExample || found.misfits.length === 0)) return found
    if (typeof found !== 'string' && (isFresh || isAmbiguous(found))) unfit ??= found
    reason ||= typeof found === 'string' ? found : (found.misfits[0]?.message ?? '')
  }
  // Who asks for new values takes them as the generator gives them.
  return unfit ?? reason
}

/** Whether a body is wrong only in that it matches several variants of a `oneOf`. */
function isAmbiguous({ misfits }: Made): boolean {
  return misfits.every(({ code }) => code === 'oneOf')
}

/** The makers of a body from a schema, the best one first. */
function makersOf(mediaType: string, isFresh: boolean): Maker[] {
  const simple = isXml(mediaType) ? [sampled] : [make, sampled, least]
  const random = ['', '-2', '-3'].map(fresh)
  // The others know no patterns.
  return isFresh ? [...random, ...simple] : [...simple, ...random]
}

type Maker = (operation: Operation, choice: Choice) => Promise<HttpResponse>

async function attempt(maker: Maker, operation: Operation, choice: Choice) {
  try {
    const response = await maker(operation, choice)
    const { headers } = response
    const name = Object.keys(headers).find((name) => !isSendable(name, headers[name] ?? ''))
    if (name) return `the header ${name} has a character that is not allowed in a header`
    return { response, misfits: await misfitsOf(operation, choice, response) }
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

/** How a response contradicts the contract. What is not JSON is text to a schema, whatever it says. */
async function misfitsOf(
  operation: Operation,
  choice: Choice,
  { status, headers, body }: HttpResponse,
): Promise<Finding[]> {
  const { validateResponse } = await import('./prism.ts')
  const isText = !isJson(essenceOf(headers['content-type']))
  const value = typeof body === 'string' && !isText ? JSON.parse(body) : body
  const narrowed = narrow(operation, choice)
  const [response] = narrowed.responses
  const contents = isText ? [] : (response?.contents ?? [])
  const judged = response ? { ...narrowed, responses: [{ ...response, contents }] } : narrowed
  const element = { statusCode: status, headers, ...(!isText && { body: value }) }
  return validateResponse(judged, element)
}

/** The response with a body from a second generator, which also writes XML. */
const sampled: Maker = async (operation, choice) => {
  const { sample } = await import('openapi-sampler')
  const { schema, bundled } = schemaOf(operation, choice)
  const named: object = { xml: { name: XML_ROOT }, ...schema }
  const format = isXml(choice.mediaType) ? 'xml' : 'json'
  const options = { skipWriteOnly: true, quiet: true, maxSampleDepth: MAX_DEPTH, format } as const
  return withBody(operation, choice, sample(named, options, bundled))
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
  const text = await written(body, mediaType)
  return { status, headers: { ...headers, 'content-type': mediaType }, body: text }
}

/** Leaves out what a schema does not require. */
const REQUIRED_ONLY = { alwaysFakeOptionals: false, optionalsProbability: 0 }

/** The response with a new body. Not every seed gives one that the schema allows. */
function fresh(more: string): Maker {
  return async (operation, choice) => {
    const { freshValue } = await import('./fresh.ts')
    const { schema, bundled } = schemaOf(operation, choice)
    const { seed, settings } = choice.fresh ?? { seed: '', settings: REQUIRED_ONLY }
    const value = freshValue({ ...schema, ...bundled }, seed + more, settings)
    return withBody(operation, choice, value)
  }
}

/** The response by Prism. */
const make: Maker = async (operation, choice) => {
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
  return { status, headers, body: await written(response.body, headers['content-type']) }
}

/** A value as a media type writes it. */
async function written(value: unknown, mediaType?: string): Promise<string> {
  if (typeof value === 'string' && !isJson(essenceOf(mediaType))) return value
  if (!isXml(mediaType) || typeof value !== 'object') return JSON.stringify(value)
  const { sample } = await import('openapi-sampler')
  const root = { [XML_ROOT]: Array.isArray(value) ? { item: value } : value }
  const schema: object = { example: root }
  return String(sample(schema, { quiet: true, format: 'xml' }, {}))
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
