/** Schemas as other documents take them over: without references, examples and extensions. */
import { object, type Schema } from './document.ts'
import type { Shape } from './shape.ts'

/** How deep a schema may contain itself. */
const MAX_DEPTH = 12
const LEFT_OUT = /^(?:x-|examples?$|\$schema$|title$|deprecated$)/
const PARTS = new Set(['properties', 'items', 'oneOf', 'anyOf', 'additionalProperties', 'required'])

export interface PlainOptions {
  /** Refuses unknown fields, and describes each value by one rule, for files that people write. */
  isClosed?: boolean
}

/** The schema of a shape, whole. */
export function plain(shape: Shape, options: PlainOptions = {}, depth = 0): Schema {
  const inside = (part: Shape) => plain(part, options, depth + 1)
  const { schema, variants, properties, required, items, others } = shape
  if (depth > MAX_DEPTH) return {}
  if (variants.length > 0) return either(variants.map(inside), schema)
  const isObject = properties.size > 0
  return {
    ...ownOf(schema, options),
    ...(isObject && required.size > 0 && { required: [...required] }),
    ...(isObject && {
      properties: Object.fromEntries(
        [...properties].map(([name, { shape: part }]) => [name, inside(part())]),
      ),
    }),
    ...(items && { items: inside(items()) }),
    ...(others && { additionalProperties: inside(others()) }),
    ...(isObject && options.isClosed && !others && { additionalProperties: false }),
  }
}

function ownOf(schema: Schema, { isClosed }: PlainOptions): Schema {
  const own = Object.entries(schema).filter(([name]) => !LEFT_OUT.test(name) && !PARTS.has(name))
  // A value outside of an enum breaks one rule, not two.
  const isNamed = isClosed && Array.isArray(schema.enum)
  return Object.fromEntries(own.filter(([name]) => !(isNamed && name === 'type')))
}

/** Alternatives; a nullable one as a schema with two types. */
function either(variants: Schema[], { description }: Schema): Schema {
  const text = typeof description === 'string' && { description }
  const others = variants.filter(({ type }) => type !== 'null')
  const [only] = others
  if (only?.type !== undefined && others.length === 1 && variants.length === 2) {
    return { ...only, ...text, type: [...[only.type].flat(), 'null'] }
  }
  return { ...text, oneOf: variants }
}

/**
 * Replaces `{ x-contract: NAME, … }` in a template by the fact of that name. What stands beside it is the
 * template's own rule: it stays where the fact says nothing, or speaks of another type.
 */
export function fill(template: unknown, facts: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(template)) return template.map((part) => fill(part, facts))
  if (typeof template !== 'object' || template === null) return template
  const { 'x-contract': name, ...own } = object(template)
  const parts = Object.fromEntries(
    Object.entries(own).map(([key, part]) => [key, fill(part, facts)]),
  )
  if (name === undefined) return parts
  const fact = facts[String(name)]
  if (!fact) throw new Error(`a template refers to ${name}, which is not a fact of the contract`)
  return {
    ...parts,
    ...(isAbout(own.type, fact.type) && fact),
    ...(own.description !== undefined && { description: own.description }),
  }
}

function isAbout(own: unknown, fact: unknown): boolean {
  if (own === undefined || fact === undefined) return true
  return [own].flat().some((type) => [fact].flat().includes(type))
}
