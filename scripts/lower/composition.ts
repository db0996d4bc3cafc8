import { isObject, type Json, list, object } from '../contract/json.ts'
import { type Context, pathOf } from './context.ts'
import { isConstraint, isObjectSchema, typesOf } from './primitives.ts'
import { UNION, variantsOf } from './unions.ts'

export type Path = readonly string[]

/** No honest document nests deeper; one that refers back to itself ends here. */
const MAX_DEPTH = 20

/** A schema that a type is put together from. */
export interface Part {
  schema: Json
  path: Path
}

/** A schema and its allOf, with nested members flattened. */
export interface Composition {
  /** References, and schemas that describe fields or a type. Pure constraints are left out. */
  parts: Part[]
  /** Of each of these one variant holds beside the parts. */
  unions: Part[]
  required: string[]
  /** Whether some part adds null. */
  nullable: boolean
  /** Whether some part has no null, so that the whole has none. */
  forbidsNull: boolean
}

/** Lays a schema's parts side by side, those of unions that it is made from too. */
export function compositionOf(schema: Json, path: Path, context: Context): Composition {
  const whole = flatten(schema, path, context)
  // A member that says nothing else than "nullable" adds null to the others.
  const isNullable = list(schema.allOf).some((member) => isOnlyNullable(object(member)))
  whole.forbidsNull = !isNullable && forbidsNull(schema, context)
  const isAlone = whole.parts.length + whole.unions.length < 2 && whole.required.length === 0
  return isAlone ? whole : withoutUnionReferences(whole, context)
}

function flatten(schema: Json, path: Path, context: Context): Composition {
  const whole: Composition = {
    parts: [],
    unions: [],
    required: [],
    nullable: false,
    forbidsNull: false,
  }
  const add = (member: Json, at: Path): void => {
    checkKeywords(member, context)
    const { $ref, allOf, oneOf, anyOf, discriminator, ...own } = member
    whole.nullable ||= own.nullable === true
    if (typeof $ref === 'string') {
      whole.parts.push({ schema: context.like(member, { $ref }), path: at })
      if (context.ignoresSiblings) return
    }
    whole.required.push(...list(own.required).map(String))
    for (const [index, inner] of list(allOf).entries()) {
      add(object(inner), [...at, 'allOf', String(index)])
    }
    const { variants, isNullable } = variantsOf(member)
    whole.nullable ||= isNullable
    const [only] = variants
    if (variants.length === 1 && only) add(only.schema, [...at, ...only.path])
    if (variants.length > 1) {
      const union = context.like(member, { oneOf, anyOf, discriminator })
      whole.unions.push({ schema: union, path: at })
    }
    if (!isConstraint(own)) whole.parts.push({ schema: context.like(member, own), path: at })
  }
  add(schema, path)
  return { ...whole, parts: withoutRestated(whole.parts) }
}

/** Whether a schema, or something that it is made from, has types or values without null. */
function forbidsNull(schema: Json, context: Context, depth = 0): boolean {
  // Beside an allOf or a reference, "nullable" of OpenAPI 3.0 is how everybody adds null to it.
  if (depth > MAX_DEPTH || schema.nullable === true) return false
  const inner = (node: unknown) => forbidsNull(object(node), context, depth + 1)
  const { $ref, allOf } = schema
  if (typeof $ref === 'string' && inner(context.resolve({ $ref }))) return true
  if (list(allOf).some((member) => inner(member))) return true
  const variants = UNION.flatMap((keyword) => list(schema[keyword]))
  if (variants.length > 0 && variants.every((variant) => inner(variant))) return true
  const types = typesOf(schema)
  if (types.length > 0 && !types.includes('null')) return true
  const values = 'const' in schema ? [schema.const] : list(schema.enum)
  return values.length > 0 && !values.includes(null)
}

function isOnlyNullable({ nullable, ...others }: Json): boolean {
  return nullable === true && isConstraint(others)
}

/** Whether a schema, or something that it is made from, carries a mark such as `readOnly`. */
export function isMarked(schema: Json, mark: string, context: Context, depth = 0): boolean {
  if (schema[mark] === true) return true
  if (depth > MAX_DEPTH) return false
  const { $ref, allOf } = schema
  const parts = [...(typeof $ref === 'string' ? [context.resolve({ $ref })] : []), ...list(allOf)]
  return parts.some((part) => isMarked(object(part), mark, context, depth + 1))
}

/** Beside a reference, a type alone repeats the reference. */
function withoutRestated(parts: readonly Part[]): Part[] {
  const isReferring = parts.some(({ schema }) => '$ref' in schema)
  return parts.filter(({ schema }) => {
    const { type: _, ...rest } = schema
    return !isReferring || '$ref' in schema || !isConstraint(rest)
  })
}

/** A reference to a union of objects stands for the union: each variant gets the other parts. */
function withoutUnionReferences(whole: Composition, context: Context): Composition {
  const parts: Part[] = []
  const unions = [...whole.unions]
  const required = [...whole.required]
  for (const part of whole.parts) {
    const ref = part.schema.$ref
    const target = typeof ref === 'string' ? context.resolve(part.schema) : {}
    const isUnion = variantsOf(target).variants.length > 1
    if (typeof ref !== 'string' || !isUnion) {
      parts.push(part)
      continue
    }
    const inner = flatten(target, pathOf(ref), context)
    parts.push(...inner.parts)
    required.push(...inner.required)
    if (!variantsInherit(target, ref, context)) unions.push(...inner.unions)
  }
  return { ...whole, parts, unions, required }
}

/** Whether the variants of a union are made from the schema that is the union. */
export function variantsInherit(union: Json, ref: string, context: Context): boolean {
  return variantsOf(union).variants.some(({ schema }) =>
    list(context.resolve(schema).allOf).some((part) => object(part).$ref === ref),
  )
}

/** Whether the schema of a part is that of an object. */
export function isObjectPart({ schema }: Part, context: Context): boolean {
  const target = context.resolve(schema)
  return isObjectSchema(target) || UNION.some((keyword) => keyword in target)
}

/** Scalars as one schema; null where they cannot be one. */
export function mergeScalars(parts: readonly Part[], context: Context): Part | null {
  const [first] = parts
  if (!first) return null
  const inline = parts.filter(({ schema }) => !('$ref' in schema))
  const merged = Object.assign({}, ...inline.map(({ schema }) => schema)) as Json
  if (inline.length === parts.length) {
    return { schema: context.like(first.schema, merged), path: first.path }
  }
  // An enum or a const says everything. Other keywords would change the target of the reference.
  const hasValues = 'enum' in merged || 'const' in merged
  const type = parts.flatMap(({ schema }) => typesOf(context.resolve(schema)))
  return hasValues
    ? {
        schema: context.like(first.schema, { type: [...new Set(type)], ...merged }),
        path: first.path,
      }
    : null
}

/** The type of a schema whose members say at most that it is an object. */
export function constraintOf(schema: Json, context: Context): Json {
  const { $ref: _, allOf, oneOf: __, anyOf: ___, ...own } = schema
  const isObject = list(allOf).some((part) => isObjectSchema(context.resolve(part)))
  return context.like(schema, isObject ? { ...own, type: 'object' } : own)
}

/** Reports the parts of a schema that no type can express. */
export function checkKeywords(schema: Json, context: Context): void {
  context.refuse('Schema', schema)
  refuseConditions(schema, context)
  if ('discriminator' in schema && !UNION.some((keyword) => keyword in schema)) {
    const message = 'a discriminator without a oneOf has no effect'
    const fix = 'Only the fields of this schema are typed; a oneOf of its subtypes types all'
    context.note(schema, 'discriminator', message, fix)
  }
}

/** Fields that stand only under a condition would be lost. */
function refuseConditions(schema: Json, context: Context): void {
  const known = object(schema.properties)
  const conditions: Array<[string, unknown]> = [
    ['then', schema.then],
    ['else', schema.else],
    ...Object.values(object(schema.dependentSchemas)).map((one): [string, unknown] => [
      'dependentSchemas',
      one,
    ]),
  ]
  for (const [keyword, condition] of conditions) {
    const fields = isObject(condition) ? object(context.resolve(condition).properties) : {}
    if (Object.keys(fields).every((wire) => wire in known)) continue
    const message = 'some fields are described only under a condition'
    context.unsupported(schema, keyword, message, 'Describe the cases with oneOf')
  }
}
