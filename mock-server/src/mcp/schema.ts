/** Schemas of a contract as JSON Schemas that stand alone. */
import { type Description, type Json, object, type Schema } from '../contract/document.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
/** Keywords whose members have names of their own, and schemas. */
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])
/** Keywords whose values are data. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required'])
/** Keywords of OpenAPI alone. */
const OPENAPI = new Set(['discriminator', 'xml', 'externalDocs'])

/** A schema without references into its document. A schema that contains itself is in `$defs`. */
export function standalone(schema: Schema, description: Description): Schema {
  const inner = new Map<string, unknown>()
  const pending: string[] = []
  const whole = walk(schema, [])
  for (const $ref of pending) {
    if (!inner.has(nameOf($ref))) inner.set(nameOf($ref), walk({ $ref }, []))
  }
  return {
    $schema: DIALECT,
    ...object(whole),
    ...(inner.size > 0 && { $defs: Object.fromEntries(inner) }),
  }

  function walk(node: unknown, within: readonly string[]): unknown {
    if (Array.isArray(node)) return node.map((one) => walk(one, within))
    if (typeof node !== 'object' || node === null) return node
    const { $ref, ...beside } = node as Json
    if (typeof $ref !== 'string') return Object.fromEntries(members(node as Json, within))
    if (within.includes($ref)) {
      pending.push($ref)
      return { $ref: `#/$defs/${nameOf($ref)}` }
    }
    const target = walk(description.resolve({ $ref }), [...within, $ref])
    return { ...object(target), ...Object.fromEntries(members(beside, within)) }
  }

  function members(node: Json, within: readonly string[]): Array<[string, unknown]> {
    return Object.entries(node).flatMap(([key, value]): Array<[string, unknown]> => {
      if (key.startsWith('x-') || OPENAPI.has(key)) return []
      if (key === 'example') return 'examples' in node ? [] : [['examples', [value]]]
      if (DATA.has(key)) return [[key, value]]
      if (!MAPS.has(key)) return [[key, walk(value, within)]]
      const named = Object.entries(object(value)).map(([name, one]) => [name, walk(one, within)])
      return [[key, Object.fromEntries(named)]]
    })
  }
}

/** `#/components/schemas/Message` as the name of a definition. */
function nameOf($ref: string): string {
  return $ref.replace(/^#\/?/, '').replaceAll(/[^\w-]/g, '_')
}
