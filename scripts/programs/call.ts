import type { Body, Given } from '../emit/core/examples.ts'
import type { SdkCall, Sent } from '../emit/core/program.ts'
import { indexOf, type TypeIndex } from '../model/index.ts'
import type { Api, Field, Model, Operation, Parameter, TypeRef } from '../model/types.ts'

type Scalar = Given['value']

/** Headers that every SDK sends by itself, with their values. */
const USUAL: Readonly<Record<string, RegExp>> = {
  accept: /^(?:\*\/\*|application\/json(?:,.*)?)$/,
  'content-type': /^application\/json(?:; ?charset=utf-8)?$/i,
}

/** The call that sends a request; null where no method sends exactly this one. */
export function callOf(sent: Sent, api: Api): SdkCall | null {
  if (!sent.hasKey) return null
  const types = indexOf(api.decls)
  const found = api.operations
    .filter(({ verb, successor }) => verb === sent.method && successor === null)
    .map((operation) => ({ operation, values: valuesOf(operation.path, sent.path) }))
    .sort((a, b) => (a.values?.size ?? 0) - (b.values?.size ?? 0))
    .find(({ values }) => values !== null)
  if (!found?.values) return null
  const { operation, values } = found
  const path = all(operation.pathParams, (one) => textual(one, values.get(one.wire), types))
  const query = queryOf(sent, operation, types)
  const body = bodyOf(sent, operation, types)
  if (!path || !query || body === undefined) return null
  const key = operation.idempotency?.header.toLowerCase() ?? ''
  const parameters = operation.headerParams.filter(({ wire }) => wire.toLowerCase() !== key)
  const given = parameters.filter(
    ({ wire, required }) => required || wire.toLowerCase() in sent.headers,
  )
  const header = all(given, (one) => textual(one, sent.headers[one.wire.toLowerCase()], types))
  if (!header) return null
  const taken = new Set([key, ...given.map(({ wire }) => wire.toLowerCase())])
  const headers = Object.entries(sent.headers).filter(
    ([name, value]) => !taken.has(name) && !USUAL[name]?.test(value),
  )
  return {
    call: {
      operation,
      path,
      query: [...query, ...header],
      body,
      noun: ['result'],
      key: null,
      shown: [],
      prints: null,
    },
    origin: sent.origin,
    key: sent.headers[key] ?? null,
    headers,
  }
}

/** The values in a path of a template, if an SDK writes them in the same way. */
function valuesOf(template: string, path: string): Map<string, string> | null {
  const [parts, given] = [template.split('/'), path.split('/')]
  const values = new Map<string, string>()
  if (parts.length !== given.length) return null
  for (const [at, part] of parts.entries()) {
    const text = given[at] ?? ''
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    if (name === undefined) {
      if (part !== text) return null
    } else {
      const value = decoded(text)
      if (!value || value === '.' || value === '..' || encodeURIComponent(value) !== text)
        return null
      values.set(name, value)
    }
  }
  return values
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function queryOf({ query }: Sent, { queryParams }: Operation, types: TypeIndex): Given[] | null {
  const given = [...new URLSearchParams(query)]
  const names = new Set(given.map(([name]) => name))
  const isWhole = queryParams.every(({ required, wire }) => !required || names.has(wire))
  if (names.size < given.length || !isWhole) return null
  return all(given, ([name, text]) => {
    const parameter = queryParams.find(({ wire }) => wire === name)
    const made = parameter ? textual(parameter, text, types) : null
    // Go leaves out what is zero.
    return made?.value === 0 ? null : made
  })
}

/** The value of a parameter, if it becomes the same text again. */
function textual(parameter: Parameter, text: string | undefined, types: TypeIndex): Given | null {
  if (!text || parameter.shape !== 'scalar') return null
  const values: Scalar[] = [text, Number(text), text === 'true']
  const value = values.find((one) => String(one) === text && isOf(parameter.type, one, types))
  return value === undefined ? null : { ...parameter, value }
}

/** The body of a call, null for none; undefined where a method cannot send it. */
function bodyOf({ body }: Sent, operation: Operation, types: TypeIndex): Body | null | undefined {
  if (!body) return operation.body?.required ? undefined : null
  if (operation.body?.format !== 'json' || body.isBase64) return undefined
  const value = parsed(body.text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const target = types.target(operation.body.type)
  if (target?.kind === 'model') return objectOf(target, null, value as object, types)
  if (target?.kind !== 'union' || !target.tag) return undefined
  const { property, mapping } = target.tag
  const id = mapping[String((value as Record<string, unknown>)[property])]
  const model = id === undefined ? undefined : types.model({ kind: 'ref', id })
  const made = model && objectOf(model, target, value as object, types)
  // The tag comes first.
  const isTag = ({ wire }: Given) => (wire === property ? 0 : 1)
  return made && { ...made, fields: made.fields.sort((a, b) => isTag(a) - isTag(b)) }
}

function objectOf(
  model: Model,
  union: Body['union'],
  value: object,
  types: TypeIndex,
): Body | undefined {
  const known = types.fields(model).filter(({ direction }) => direction !== 'read')
  const isWhole = known.every(({ presence, wire }) => presence === 'optional' || wire in value)
  const fields = all(Object.entries(value), ([wire, one]) => {
    const field = known.find((field) => field.wire === wire)
    return field && isOf(field.type, one, types) ? given(field, one) : null
  })
  return fields && fields.length > 0 && isWhole ? { model, union, fields } : undefined
}

function given({ wire, name, type }: Field, value: Scalar): Given {
  return { wire, name, type, value }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether every language writes a value of a type in a word. */
function isOf(type: TypeRef, value: unknown, types: TypeIndex): value is Scalar {
  if (type.kind === 'literal') return type.value === value
  const decl = types.target(type)
  if (decl?.kind === 'enum') return decl.values.some((one) => one === value)
  const resolved = types.resolve(type)
  if (resolved.kind !== 'primitive') return false
  switch (resolved.type) {
    case 'string':
      return typeof value === 'string' && !/\p{Cs}/u.test(value)
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return false
  }
}

function all<T, U>(items: readonly T[], map: (item: T) => U | null): U[] | null {
  const mapped = items.map(map)
  return mapped.every((one) => one !== null) ? (mapped as U[]) : null
}
