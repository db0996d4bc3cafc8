/** The operations of an OpenAPI document, as tools describe and call them. */
import { type Json, METHODS, object, type Schema } from '../contract/document.ts'
import type { Contract, Operation } from '../contract/load.ts'
import type { SecurityScheme } from '../door/auth.ts'
import { standalone } from './schema.ts'

/** An input of an operation. */
interface Input {
  /** Its name in the arguments. */
  as: string
  name: string
  in: string
  isRequired: boolean
  schema: Schema
  parameter: Json
}

export interface Callable {
  id: string | undefined
  method: string
  path: string
  title: string
  description: string
  inputs: Input[]
  body: Body | undefined
  isPaged: boolean
  security: readonly SecurityScheme[]
  /** `x-tool` of the operation: false if it is for programs, or the hints that its method does not give. */
  tool: unknown
}

interface Body {
  mediaType: string
  isRequired: boolean
  schema: Schema
  /** Whether only an empty object is accepted, so that nobody has to send it. */
  isEmpty: boolean
}

export function callables(contract: Contract): Callable[] {
  const { description, operations } = contract
  return Object.entries(object(description.document.paths)).flatMap(([template, node]) => {
    const item = description.resolve(node)
    // No client can send a TRACE.
    const methods = METHODS.filter((method) => item[method] && method !== 'trace')
    return methods.map((method): Callable => {
      const operation = description.resolve(item[method])
      const served = operations.find((one) => isServed(one, method, template))
      const body = bodyOf(contract, operation)
      return {
        id: textOf(operation.operationId),
        method: method.toUpperCase(),
        path: served?.path ?? template,
        title: textOf(operation.summary) ?? `${method.toUpperCase()} ${template}`,
        description: textOf(operation.description) ?? '',
        inputs: inputsOf(contract, item, operation),
        body,
        isPaged: operation['x-pagination'] !== undefined,
        security: served?.security[0] ?? [],
        tool: operation['x-tool'],
      }
    })
  })
}

function isServed({ method, path, basePath }: Operation, sought: string, template: string) {
  return method === sought.toUpperCase() && decodeURI(path) === basePath + decodeURI(template)
}

function inputsOf({ description }: Contract, item: Json, operation: Json): Input[] {
  const own = [item.parameters, operation.parameters].flatMap((list) => list ?? [])
  const parameters = new Map(
    own.map((one) => {
      const parameter = description.resolve(one)
      return [`${parameter.in} ${parameter.name}`, parameter] as const
    }),
  )
  const taken = new Set(['body', SKIP])
  return [...parameters.values()].map((parameter) => {
    const name = String(parameter.name)
    const as = taken.has(name) ? `${parameter.in}_${name}` : name
    taken.add(as)
    return {
      as,
      name,
      in: String(parameter.in),
      isRequired: parameter.required === true,
      schema: object(parameter.schema ?? firstOf(parameter.content)?.[1].schema),
      parameter,
    }
  })
}

/** Skips items of a long list. The contract's own paging comes first. */
export const SKIP = 'skip_items'

function bodyOf({ description }: Contract, operation: Json): Body | undefined {
  const body = description.resolve(operation.requestBody)
  const all = Object.entries(object(body.content))
  const [mediaType, media] = all.find(([type]) => isJson(type)) ?? all[0] ?? []
  if (mediaType === undefined) return undefined
  const schema = object(object(media).schema)
  const { properties, additionalProperties } = description.resolve(schema)
  const isEmpty = additionalProperties === false && Object.keys(object(properties)).length === 0
  return { mediaType, isRequired: body.required === true, schema, isEmpty }
}

export function isJson(mediaType: string): boolean {
  return /[/+]json\b/i.test(mediaType)
}

/** What a tool takes: the parameters by their names, and the body as `body`. */
export function inputSchema(
  { method, inputs, body, isPaged }: Callable,
  contract: Contract,
): Schema {
  const asked = body?.isEmpty ? undefined : body
  const properties = Object.fromEntries(
    inputs.map(({ as, parameter, schema }) => {
      const { description = schema.description, example = schema.example } = parameter
      const texts = {
        ...(description !== undefined && { description }),
        ...(example !== undefined && { example }),
      }
      return [as, { ...schema, ...texts }]
    }),
  )
  const text = { type: 'string', description: `The body as ${asked?.mediaType}.` }
  const required = inputs.flatMap(({ as, isRequired }) => (isRequired ? [as] : []))
  const schema = {
    type: 'object',
    properties: {
      ...properties,
      ...(asked && { body: isJson(asked.mediaType) ? asked.schema : text }),
      ...(method === 'GET' && !isPaged && { [SKIP]: SKIPPED }),
    },
    required: [...required, ...(asked?.isRequired ? ['body'] : [])],
    additionalProperties: false,
  }
  return standalone(schema, contract.description)
}

const SKIPPED = {
  type: 'integer',
  minimum: 0,
  description: 'How many items of a long list to leave out. A cut result says what to pass.',
}

function firstOf(content: unknown): [string, Json] | undefined {
  return Object.entries(object(content)).map(
    ([type, media]) => [type, object(media)] as [string, Json],
  )[0]
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
