import { type Json, list, object } from '../contract/json.ts'
import type { TypeIndex } from '../model/index.ts'
import type { Field, Name, Tag, TypeRef, Union } from '../model/types.ts'
import { fold, words } from '../model/words.ts'
import { isConstraint } from './primitives.ts'

/** The keywords that make a union. Nothing here depends on whether one or several variants match. */
export const UNION: readonly string[] = ['oneOf', 'anyOf']

interface Variant {
  schema: Json
  /** From the union to the variant. */
  path: readonly string[]
}

/** The variants of a union, without null and without pure constraints. */
export function variantsOf(schema: Json): { variants: Variant[]; isNullable: boolean } {
  const all = UNION.flatMap((keyword) =>
    list(schema[keyword]).map((variant, index) => ({
      schema: object(variant),
      path: [keyword, String(index)],
    })),
  )
  const isNull = ({ schema }: Variant) =>
    schema.type === 'null' ||
    schema.const === null ||
    (list(schema.enum).length > 0 && list(schema.enum).every((value) => value === null))
  const rest = all.filter((variant) => !isNull(variant))
  return {
    variants: rest.filter(
      ({ schema }) => Object.keys(schema).length === 0 || !isConstraint(schema),
    ),
    isNullable: rest.length < all.length,
  }
}

/**
 * The values of a union that is an open enum: some strings, or any string.
 *
 * @param variants Resolved.
 */
export function openEnumOf(variants: readonly Json[]): unknown[] | null {
  const allStrings = variants.every(({ type }) => type === 'string')
  const values = variants.flatMap((variant) =>
    'const' in variant ? [variant.const] : list(variant.enum),
  )
  const plain = variants.some(
    (variant) => !('const' in variant) && !variant.enum && !variant.format,
  )
  return allStrings && values.length > 1 && (plain || variants.every(hasValues)) ? values : null
}

function hasValues(variant: Json): boolean {
  return 'const' in variant || Array.isArray(variant.enum)
}

/** What each variant adds to the name of its union if it needs a name: its position where nothing else does. */
export function variantNames(variants: readonly Json[]): Name[] {
  const names = variants.map(tellingName)
  const isOnly = (name: Name) => names.filter((other) => fold(other) === fold(name)).length === 1
  return names.map((name, index) => (isOnly(name) ? name : ['Variant', String(index + 1)]))
}

function tellingName(variant: Json): Name {
  const key = keyOf(variant)
  if (key !== null) return words(key)
  if (typeof variant.title === 'string' && words(variant.title).length > 0) {
    return words(variant.title)
  }
  const [constant] = Object.values(object(variant.properties)).flatMap((property) => {
    const { const: value } = object(property)
    return typeof value === 'string' ? [value] : []
  })
  if (constant !== undefined && words(constant).length > 0) return words(constant)
  return typeof variant.type === 'string' ? [variant.type] : []
}

/** The field that selects the variant of a union: its discriminator, or a field of constant values. */
export function tagOf(
  union: Union,
  schema: Json,
  keys: ReadonlyArray<string | null>,
  index: TypeIndex,
  idOf: (key: string) => string,
): Tag | null {
  const { propertyName: property, mapping } = object(schema.discriminator)
  if (typeof property !== 'string') return impliedTag(union, index)
  // A variant to which something was added is no longer the schema that the mapping names.
  const idAt = (key: string) => {
    const variant = union.variants[keys.indexOf(key)]
    return variant?.kind === 'ref' ? variant.id : idOf(key)
  }
  const ids = Object.entries(object(mapping)).map(([value, target]): [string, string] => [
    value,
    idAt(String(target).replace(/^.*\//, '')),
  ])
  return explicitTag(property, union, new Map(ids), keys, index)
}

function explicitTag(
  property: string,
  union: Union,
  ids: ReadonlyMap<string, string>,
  keys: ReadonlyArray<string | null>,
  index: TypeIndex,
): Tag {
  const mapping = Object.fromEntries(ids)
  const mapped = new Set(Object.values(mapping))
  for (const [position, variant] of union.variants.entries()) {
    if (variant.kind !== 'ref' || mapped.has(variant.id)) continue
    const constant = constantOf(variant, property, index)
    mapping[constant ?? keys[position] ?? variant.id] = variant.id
  }
  return { property, mapping: sorted(mapping) }
}

/** What each variant of a union is called where it is referred to; null for one that is inline. */
export function variantKeys(schema: Json): Array<string | null> {
  return variantsOf(schema).variants.map(({ schema }) => keyOf(schema))
}

function keyOf({ $ref }: Json): string | null {
  return typeof $ref === 'string' ? $ref.replace(/^.*\//, '') : null
}

function impliedTag(union: Union, index: TypeIndex): Tag | null {
  const [first] = union.variants
  const fields = first ? fieldsOf(first, index) : []
  for (const { wire } of fields) {
    const values = union.variants.map((variant) => constantOf(variant, wire, index))
    if (values.some((value) => value === null) || new Set(values).size < values.length) continue
    const ids = union.variants.flatMap((variant) => (variant.kind === 'ref' ? [variant.id] : []))
    return {
      property: wire,
      mapping: sorted(Object.fromEntries(values.map((value, i) => [value ?? '', ids[i] ?? '']))),
    }
  }
  return null
}

function constantOf(type: TypeRef, property: string, index: TypeIndex): string | null {
  const field = fieldsOf(type, index).find(({ wire }) => wire === property)
  return field?.type.kind === 'literal' ? String(field.type.value) : null
}

function fieldsOf(type: TypeRef, index: TypeIndex): Field[] {
  const model = type.kind === 'ref' ? index.decl(type.id) : undefined
  return model?.kind === 'model' ? index.fields(model) : []
}

function sorted(mapping: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(mapping).sort(([a], [b]) => (a < b ? -1 : 1)))
}
