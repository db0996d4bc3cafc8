import { current, indexOf, type TypeIndex } from '../../model/index.ts'
import type {
  Api,
  Decl,
  Field,
  Model,
  Operation,
  Parameter,
  Primitive,
  TypeRef,
} from '../../model/types.ts'
import { camel } from './naming.ts'

type Schema = Record<string, unknown>

const PRIMITIVES: Readonly<Record<Primitive, Schema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string' },
  'date-time': { type: 'string' },
  base64: { type: 'string' },
  binary: { type: 'string', format: 'binary' },
  null: { type: 'null' },
  any: {},
}

/**
 * Writes the model as an OpenAPI document for openapi-typescript. Contracts can say one thing in many
 * ways, the document says it in one, with every named schema under its name.
 */
export function documentOf(api: Api): Schema {
  const index = indexOf(api.decls)
  const headers = new Map(
    api.operations.map((operation) => [operation.params, operation.headerParams]),
  )
  const schemas = api.decls.map((decl) => {
    const schema = schemaOf(decl, headers.get(decl.id) ?? [], index)
    return [decl.id, decl.kind === 'model' ? open(schema, decl, index) : schema]
  })
  const paths: Record<string, Schema> = {}
  for (const operation of current(api.operations)) {
    const item = paths[operation.path] ?? {}
    item[operation.verb.toLowerCase()] = operationOf(operation)
    paths[operation.path] = item
  }
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: '1' },
    paths,
    components: { schemas: Object.fromEntries(schemas) },
  }
}

/** The key under which a parameter is given. */
export function parameterKey(parameter: Parameter, isHeader: boolean): string {
  return isHeader ? camel(parameter.name) : parameter.wire
}

function schemaOf(decl: Decl, headers: readonly Parameter[], index: TypeIndex): Schema {
  switch (decl.kind) {
    case 'model': {
      if (decl.extends.length === 0 || isLooser(decl, index)) {
        return modelOf(index.fields(decl), headers)
      }
      const own = modelOf(decl.fields, headers)
      return { allOf: [...decl.extends.map(reference), ...(decl.fields.length > 0 ? [own] : [])] }
    }
    case 'enum':
      return { type: decl.base, enum: decl.values }
    case 'union':
      return { oneOf: decl.variants.map(use) }
    case 'alias':
      return use(decl.type)
  }
}

/** Whether a field may be absent that a base always has, which no intersection can say. */
function isLooser(model: Model, index: TypeIndex): boolean {
  const inherited = index.bases(model).flatMap((base) => index.fields(base))
  return model.fields.some(
    (own) => own.mayBeAbsent && inherited.some((one) => one.wire === own.wire && !one.mayBeAbsent),
  )
}

function modelOf(fields: readonly Field[], headers: readonly Parameter[]): Schema {
  const keyOf = ({ wire }: Field) => {
    const header = headers.find((parameter) => parameter.wire === wire)
    return header ? parameterKey(header, true) : wire
  }
  const required = fields.filter(({ mayBeAbsent }) => !mayBeAbsent).map(keyOf)
  const properties = fields.map((field) => [
    keyOf(field),
    { ...use(field.type), ...(field.direction === 'read' ? { readOnly: true } : {}) },
  ])
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(properties),
  }
}

/** Additional fields have the types of all fields, because TypeScript allows no others beside them. */
function open(schema: Schema, model: Model, index: TypeIndex): Schema {
  if (!model.extra) return schema
  const types = [model.extra, ...index.fields(model).map(({ type }) => type)]
  const isAny = types.some((type) => type.kind === 'primitive' && type.type === 'any')
  const distinct = new Map(types.map((type) => [JSON.stringify(type), use(type)]))
  const rest = { type: 'object', additionalProperties: isAny || { anyOf: [...distinct.values()] } }
  return { allOf: [...((schema.allOf as Schema[] | undefined) ?? [schema]), rest] }
}

function use(type: TypeRef): Schema {
  switch (type.kind) {
    case 'primitive':
      return PRIMITIVES[type.type]
    case 'literal':
      return { const: type.value }
    case 'list':
      return { type: 'array', items: use(type.of) }
    case 'map':
      return { type: 'object', additionalProperties: use(type.of) }
    case 'nullable':
      return { oneOf: [use(type.of), { type: 'null' }] }
    case 'ref':
      return reference(type.id)
  }
}

function reference(id: string): Schema {
  return { $ref: `#/components/schemas/${id}` }
}

function operationOf(operation: Operation): Schema {
  const { idempotency, body } = operation
  const parameters = [
    ...operation.pathParams.map((parameter) => parameterOf(parameter, 'path')),
    ...operation.queryParams.map((parameter) => parameterOf(parameter, 'query')),
    ...operation.headerParams.map((parameter) => parameterOf(parameter, 'header')),
    ...(idempotency
      ? [{ in: 'header', name: idempotency.header, schema: { type: 'string' } }]
      : []),
  ]
  const responses = operation.responses.map(({ status, body }) => [
    status,
    { description: '', ...(body ? contentOf(body.contentType, body.type) : {}) },
  ])
  return {
    parameters,
    ...(body
      ? { requestBody: { required: body.required, ...contentOf(body.contentType, body.type) } }
      : {}),
    responses: Object.fromEntries(responses),
  }
}

function parameterOf({ wire, required, type }: Parameter, location: string): Schema {
  return { in: location, name: wire, required, schema: use(type) }
}

function contentOf(contentType: string, type: TypeRef): Schema {
  return { content: { [contentType]: { schema: use(type) } } }
}
