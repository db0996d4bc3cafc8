import type { Json } from '../contract/json.ts'
import type { Primitive, TypeRef } from '../model/types.ts'

const STRING_FORMATS: Readonly<Record<string, Primitive>> = {
  date: 'date',
  'date-time': 'date-time',
  byte: 'base64',
  binary: 'binary',
}

/** The type of a schema that is neither object, list, enum nor union. */
export function primitiveOf(type: string, schema: Json): TypeRef {
  return { kind: 'primitive', type: primitive(type, schema) }
}

function primitive(type: string, schema: Json): Primitive {
  if (type === 'integer') return schema.format === 'int64' ? 'int64' : 'integer'
  if (type === 'number' || type === 'boolean') return type
  if (type !== 'string') return 'any'
  const format = STRING_FORMATS[String(schema.format)]
  if (format) return format
  if (schema.contentEncoding === 'base64') return 'base64'
  // OpenAPI 3.1 has no "format: binary": bytes are text with a media type and no encoding.
  return schema.contentMediaType && !schema.contentEncoding ? 'binary' : 'string'
}

/** Keywords that say nothing about a value's type. */
const CONSTRAINTS = new Set([
  'title',
  'description',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'default',
  'nullable',
  'required',
  'not',
  'if',
  'then',
  'else',
  'externalDocs',
  'xml',
  'discriminator',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
  'dependentRequired',
  '$comment',
])

/** Whether a schema adds nothing to the type of what it is combined with. */
export function isConstraint(schema: Json): boolean {
  return Object.entries(schema).every(
    ([key, value]) =>
      CONSTRAINTS.has(key) ||
      key.startsWith('x-') ||
      value === undefined ||
      (key === 'type' && value === 'object') ||
      (key === 'additionalProperties' && typeof value === 'boolean'),
  )
}
