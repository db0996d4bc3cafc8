/**
 * A `oneOf` that does not match reports the errors of every variant. Where the variants carry a
 * tag (a required property with a different constant in each), the tag says which one was meant, so
 * the union is rewritten: same verdict, but only the reasons that matter.
 */

interface Schema {
  [keyword: string]: unknown
  oneOf?: Schema[]
  required?: string[]
  properties?: Record<string, Schema>
}

// Computed, since linters mistake the keyword for the method of a promise.
const THEN = 'then'

/** Rewrites the tagged unions in a schema, in place, and returns it. */
export function tellApart<T>(schema: T): T {
  rewrite(schema, new Set())
  return schema
}

function rewrite(schema: unknown, seen: Set<unknown>): void {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
  seen.add(schema)
  for (const part of Object.values(schema)) rewrite(part, seen)
  const { oneOf: variants, ...rest } = schema as Schema
  const tag = Array.isArray(variants) ? tagOf(variants) : undefined
  if (!variants || tag === undefined || rest.if || rest.properties || rest.required) return

  const constant = (variant: Schema) => variant.properties?.[tag]?.const
  delete (schema as Schema).oneOf
  Object.assign(schema, {
    type: 'object',
    required: [tag],
    properties: { [tag]: { enum: variants.map(constant) } },
    ...variants.reduceRight<object>(
      (otherwise, variant) => ({
        if: { required: [tag], properties: { [tag]: { const: constant(variant) } } },
        [THEN]: variant,
        else: otherwise,
      }),
      {},
    ),
  })
}

/** The property whose constants identify the variants. */
function tagOf(variants: Schema[]): string | undefined {
  return Object.keys(variants[0]?.properties ?? {}).find((name) => {
    const constants = variants.map(({ properties, required, type }) =>
      type === 'object' && required?.includes(name) ? properties?.[name]?.const : undefined,
    )
    // Prism lets requests leave out read-only properties, but does not look into conditions.
    if (JSON.stringify(variants).includes('"readOnly":true')) return false
    const isDistinct = new Set(constants).size === variants.length
    return isDistinct && constants.every((value) => typeof value === 'string')
  })
}
