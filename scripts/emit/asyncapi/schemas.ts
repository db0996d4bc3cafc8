import { isReceived } from '../../model/index.ts'
import type { Decl, Field, Model, Primitive, TypeRef } from '../../model/types.ts'
import { documentation, type Json, present } from './json.ts'

// AsyncAPI's schemas are JSON Schema draft 7. The keywords used here mean the same in draft 2020-12.
const PRIMITIVES: Readonly<Record<Primitive, Json>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  base64: { type: 'string', contentEncoding: 'base64' },
  binary: { type: 'string' },
  null: { type: 'null' },
  any: {},
}

/** The schema of a type with a name. */
export function declare(decl: Decl): Json {
  const examples = 'example' in decl ? { examples: [decl.example] } : {}
  return adorn(shapeOf(decl), { ...documentation(decl.doc), ...examples })
}

/** The schema of a use of a type. */
export function use(type: TypeRef): Json {
  switch (type.kind) {
    case 'primitive':
      return PRIMITIVES[type.type]
    case 'literal':
      return { type: typeof type.value, const: type.value }
    case 'list':
      return { type: 'array', items: use(type.of) }
    case 'map':
      return { type: 'object', additionalProperties: use(type.of) }
    case 'nullable':
      return { anyOf: [use(type.of), { type: 'null' }] }
    case 'ref':
      return { $ref: pointer('components', 'schemas', type.id) }
  }
}

/** A `$ref` to a location in this document. */
export function pointer(...path: string[]): string {
  const keys = path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `#/${keys.map(encodeURIComponent).join('/')}`
}

function shapeOf(decl: Decl): Json {
  switch (decl.kind) {
    case 'model': {
      const bases = decl.extends.map((id) => use({ kind: 'ref', id }))
      return bases.length === 0 ? objectOf(decl) : { allOf: [...bases, objectOf(decl)] }
    }
    case 'enum':
      return { type: decl.base, enum: decl.values }
    case 'union': {
      const variants = decl.variants.map(use)
      return decl.tag ? taggedUnion(variants, decl.tag.property) : { anyOf: variants }
    }
    case 'alias':
      return use(decl.type)
  }
}

/** AsyncAPI requires the property of a discriminator to be listed in `required`. */
function taggedUnion(variants: readonly Json[], property: string): Json {
  return {
    type: 'object',
    required: [property],
    properties: { [property]: { type: 'string' } },
    discriminator: property,
    oneOf: variants,
  }
}

function objectOf({ fields, extra }: Model): Json {
  // Events are only ever received: they hold nothing that is for requests.
  const received = fields.filter(isReceived)
  const required = received.filter(({ presence }) => presence === 'required')
  return present({
    type: 'object',
    required: required.length > 0 && required.map(({ wire }) => wire),
    properties: Object.fromEntries(received.map((field) => [field.wire, property(field)])),
    additionalProperties: extra && use(extra),
  })
}

function property({ type, doc, ...field }: Field): Json {
  const otherwise = 'default' in field ? { default: field.default } : {}
  return adorn(use(type), { ...documentation(doc), ...otherwise })
}

/** Adds annotations to a schema. Draft 7 ignores keywords beside a `$ref`. */
function adorn(schema: Json, said: Json): Json {
  const isBare = Object.keys(said).length === 0
  return '$ref' in schema && !isBare ? { ...said, allOf: [schema] } : { ...said, ...schema }
}
