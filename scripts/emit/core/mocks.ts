import { current, indexOf, isReceived, isSent, type TypeIndex } from '../../model/index.ts'
import type {
  Api,
  Model,
  Name,
  Operation,
  Parameter,
  Response,
  TypeRef,
} from '../../model/types.ts'
import { fold, singular, words } from '../../model/words.ts'
import { shownIn } from './fixtures.ts'
import { PLACEHOLDERS, Shaper } from './shaper.ts'

/** How a mock responds to an operation, by the contract alone. */
export interface Mock {
  operation: Operation
  status: number
  /** Null where the response has no body. */
  contentType: string | null
  /** The values that the contract shows, at least one where there is a body. */
  examples: unknown[]
  /** Of a call that creates something: what the mock remembers of it. */
  creates: Creates | null
  /** Of a call that reads one thing. */
  reads: Reads | null
  /** Lists in the result with what was created below its path: the last part of that path, by field. */
  holds: Record<string, string>
  /** Of a call that lists what was created at the same path. */
  lists: Lists | null
}

export interface Creates {
  /** The field that identifies it; null where there is none. */
  key: string | null
  /** Fields that have the values that were sent. */
  sent: string[]
  /** Path parameters, by the field that has their value. */
  parents: Record<string, string>
}

export interface Reads {
  /** The field that identifies it. */
  key: string
  /** The path parameter with its value. */
  parameter: string
}

export interface Lists {
  /** The field with the items; null where the result is the list. */
  items: string | null
  /** The fields of an item. */
  fields: string[]
}

/** An error response that the contract shows. */
export interface Failure {
  status: number
  name: Name
  text: string | null
  contentType: string | null
  example: unknown
}

/** A mock of each operation. Those whose paths say more come first, so that the first match is right. */
export function mocksOf(api: Api): Mock[] {
  const operations = current(api.operations)
  const index = indexOf(api.decls)
  const shaper = new Shaper(index)
  const created = new Map(
    operations.flatMap((operation) => {
      const model = createdBy(operation, index)
      return model ? [[operation.path, model] as const] : []
    }),
  )
  return operations
    .map((operation): Mock => {
      const success = successOf(operation)
      const body = success?.body ?? null
      const shown = body ? shownIn(body, operation.page) : []
      const examples = body && shown.length === 0 ? [made(body, shaper)] : shown
      const model = body && index.model(body.type)
      const isGet = operation.verb === 'GET'
      const read = isGet && model ? reads(operation, model, index) : null
      return {
        operation,
        status: statusOf(success),
        contentType: body?.contentType ?? null,
        examples: read ? examples : examples.slice(0, 1).map((one) => lastPage(one, operation)),
        creates: creates(operation, index),
        reads: read,
        holds: isGet && model ? holds(operation, model, created, index) : {},
        lists: isGet && body ? lists(operation, body.type, created, index) : null,
      }
    })
    .sort((a, b) => (vagueness(a.operation) < vagueness(b.operation) ? -1 : 1))
}

/** A page after which there is no other. */
function lastPage(example: unknown, { page }: Operation): unknown {
  if (!page || typeof example !== 'object' || example === null) return example
  return { ...example, [page.nextCursor]: null }
}

/** An example of each error status that the contract declares, by status. */
export function failuresOf(api: Api): Failure[] {
  const shaper = new Shaper(indexOf(api.decls))
  const declared = new Map<number, Response>()
  for (const { responses } of current(api.operations)) {
    for (const response of responses) {
      const status = Number(response.status)
      const known = declared.get(status)
      if (status >= 400 && !known?.body?.examples.length) declared.set(status, response)
    }
  }
  return [...declared]
    .sort(([a], [b]) => a - b)
    .map(([status, { doc, body }]) => ({
      status,
      name: STATUS_NAMES[status]?.split(' ') ?? ['status', `${status}`],
      text: doc.text,
      contentType: body?.contentType ?? null,
      example: body && (body.examples[0]?.value ?? made(body, shaper)),
    }))
}

/** The names of the statuses by which an API refuses. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'bad request',
  401: 'unauthorized',
  402: 'payment required',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  406: 'not acceptable',
  408: 'request timeout',
  409: 'conflict',
  410: 'gone',
  412: 'precondition failed',
  413: 'content too large',
  415: 'unsupported media type',
  422: 'unprocessable content',
  423: 'locked',
  428: 'precondition required',
  429: 'rate limited',
  500: 'internal server error',
  501: 'not implemented',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
}

function successOf({ responses }: Operation): Response | undefined {
  return (
    responses.find(({ status }) => status.startsWith('2')) ??
    responses.find(({ status }) => status === 'default')
  )
}

/** 200 where the contract does not say which success it is. */
function statusOf(response: Response | undefined): number {
  const status = Number(response?.status)
  if (Number.isInteger(status)) return status
  return response === undefined ? 204 : 200
}

function made({ format, type }: NonNullable<Response['body']>, shaper: Shaper): unknown {
  if (format === 'json') return shaper.make(type)
  return format === 'text' ? PLACEHOLDERS.string : ''
}

/** The object that a call creates. */
function createdBy({ verb, ...operation }: Operation, index: TypeIndex): Model | undefined {
  const body = successOf({ verb, ...operation })?.body
  return verb === 'POST' && body?.format === 'json' ? index.model(body.type) : undefined
}

function creates(operation: Operation, index: TypeIndex): Creates | null {
  const model = createdBy(operation, index)
  if (!model) return null
  const fields = index.fields(model).filter(isReceived)
  const key = fields.find(({ wire, type }) => wire === 'id' && isScalar(type, index))?.wire ?? null
  const given = operation.body ? sentFields(operation.body.type, index) : new Set()
  const parents = operation.pathParams.flatMap((parameter) => {
    const names = parentNames(parameter, operation.path)
    const field = fields.find(({ wire }) => wire !== key && names.includes(fold(words(wire))))
    return field ? [[field.wire, parameter.wire]] : []
  })
  return {
    key,
    sent: fields.flatMap(({ wire }) => (wire !== key && given.has(wire) ? [wire] : [])),
    parents: Object.fromEntries(parents),
  }
}

/** The fields that a request may have, whichever variant it is. */
function sentFields(type: TypeRef, index: TypeIndex): Set<string> {
  const decl = index.target(index.nonNull(type))
  if (decl?.kind === 'union') {
    return new Set(decl.variants.flatMap((variant) => [...sentFields(variant, index)]))
  }
  const fields = decl?.kind === 'model' ? index.fields(decl) : []
  return new Set(fields.filter(isSent).map(({ wire }) => wire))
}

/** How an object calls the one in whose path it is: `{id}` of `/things/{id}/parts` is its `thing_id`. */
function parentNames({ wire }: Parameter, path: string): string[] {
  const segments = path.split('/')
  const before = segments[segments.indexOf(`{${wire}}`) - 1] ?? ''
  const own = words(wire)
  return [fold(own), fold([...words(singular(before)), ...own])]
}

function reads({ path, pathParams }: Operation, model: Model, index: TypeIndex): Reads | null {
  const last = path.split('/').at(-1)
  const parameter = pathParams.find(({ wire }) => last === `{${wire}}`)
  const fields = index.fields(model).filter(({ type }) => isScalar(type, index))
  const key =
    fields.find(({ wire }) => wire === parameter?.wire) ?? fields.find(({ wire }) => wire === 'id')
  return parameter && key ? { key: key.wire, parameter: parameter.wire } : null
}

function holds(
  { path }: Operation,
  model: Model,
  created: ReadonlyMap<string, Model>,
  index: TypeIndex,
): Mock['holds'] {
  const below = [...created].filter(
    ([other]) => other.startsWith(`${path}/`) && /^[^/{}]+$/.test(other.slice(path.length + 1)),
  )
  const held = index.fields(model).flatMap(({ wire, type }) => {
    const item = itemOf(type, index)
    const found = below.find(([, model]) => item !== undefined && model === index.model(item))
    return found ? [[wire, found[0].slice(path.length + 1)]] : []
  })
  return Object.fromEntries(held)
}

function lists(
  { path, page }: Operation,
  type: TypeRef,
  created: ReadonlyMap<string, Model>,
  index: TypeIndex,
): Lists | null {
  const model = created.get(path)
  if (!model) return null
  const known = new Set(index.fields(model).map(({ wire }) => wire))
  const result = index.model(type)
  const fields = result ? index.fields(result) : []
  const places = [
    { items: null, type },
    ...fields
      .filter(({ wire }) => !page || wire === page.items)
      .map(({ wire, type }) => ({ items: wire, type })),
  ]
  for (const { items, type } of places) {
    const item = itemOf(type, index)
    const listed = item && index.model(item)
    const shown = listed ? index.fields(listed).filter(isReceived) : []
    const fits = shown.every(({ wire, presence }) => presence === 'optional' || known.has(wire))
    if (listed && fits) return { items, fields: shown.map(({ wire }) => wire) }
  }
  return null
}

function itemOf(type: TypeRef, index: TypeIndex): TypeRef | undefined {
  const resolved = index.resolve(index.nonNull(type))
  return resolved.kind === 'list' ? resolved.of : undefined
}

function isScalar(type: TypeRef, index: TypeIndex): boolean {
  const { kind } = index.resolve(type)
  return kind === 'primitive' || kind === 'literal'
}

/** Sorts paths segment by segment: texts before parameters. */
function vagueness({ path }: Operation): string {
  return path
    .split('/')
    .map((segment) => (segment.includes('{') ? `1${segment}` : `0${segment}`))
    .join('/')
}
