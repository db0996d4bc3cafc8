import type { Json } from '../contract/json.ts'
import { FATES } from '../contract/keywords.ts'
import type { Primitive, TypeRef } from '../model/types.ts'

const STRING_FORMATS: Readonly<Record<string, Primitive>> = {
  date: 'date',
  'date-time': 'date-time',
  byte: 'base64',
  binary: 'binary',
}

/** Media types of which a text can be. */
const TEXTS = /^text\/|[/+](?:json|xml|yaml)$|^application\/(?:jwt|graphql)$/i

/** The type of a schema that is neither object, list, enum nor union. */
export function primitiveOf(type: string, schema: Json): TypeRef {
  return { kind: 'primitive', type: primitive(type, schema) }
}

function primitive(type: string, schema: Json): Primitive {
  if (type === 'integer') return /^u?int64$/.test(String(schema.format)) ? 'int64' : 'integer'
  if (type === 'number' || type === 'boolean') return type
  if (type !== 'string') return 'any'
  const format = STRING_FORMATS[String(schema.format)]
  if (format) return format
  if (schema.contentEncoding === 'base64') return 'base64'
  // OpenAPI 3.1 has no "format: binary": bytes are text with a media type and no encoding.
  const isText = schema.contentEncoding || TEXTS.test(String(schema.contentMediaType ?? 'text/'))
  return isText ? 'string' : 'binary'
}

/** Whether a schema adds nothing to the type that it is combined with. */
export function isConstraint(schema: Json): boolean {
  return Object.entries(schema).every(
    ([keyword, value]) =>
      FATES.Schema.get(keyword) !== 'type' ||
      value === undefined ||
      (keyword === 'type' && value === 'object') ||
      (/^(?:additional|unevaluated)Properties$/.test(keyword) && typeof value === 'boolean'),
  )
}

export function typesOf(schema: Json): string[] {
  return (Array.isArray(schema.type) ? schema.type : [schema.type ?? []]).flat().map(String)
}

export function isObjectSchema(schema: Json): boolean {
  const types = typesOf(schema).filter((type) => type !== 'null')
  if (types.length > 0) return types.length === 1 && types[0] === 'object'
  return ['properties', 'additionalProperties', 'patternProperties', 'allOf'].some(
    (key) => key in schema,
  )
}
