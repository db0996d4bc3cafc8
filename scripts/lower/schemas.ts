import {
  isObject,
  isRounded,
  type Json,
  list,
  object,
  pointerOf,
  sortedEntries,
} from '../contract/json.ts'
import type { Decl, Name, TypeRef } from '../model/types.ts'
import { pascal, words } from '../model/words.ts'
import {
  type Composition,
  checkKeywords,
  compositionOf,
  constraintOf,
  isObjectPart,
  mergeScalars,
  type Part,
  type Path,
  variantsInherit,
} from './composition.ts'
import { type Context, docOf, pathOf } from './context.ts'
import { Declarations } from './declarations.ts'
import { type Base, Models } from './models.ts'
import { isConstraint, isObjectSchema, primitiveOf, typesOf } from './primitives.ts'
import { openEnumOf, UNION, variantKeys, variantNames, variantsOf } from './unions.ts'

export type { Path } from './composition.ts'

/** A schema without `null`. */
type Shape = { nullable: boolean } & Typed

/** A type, or a declaration that is still without a name. */
type Typed = { type: TypeRef } | { decl: (base: Base) => Decl }

const ANY: TypeRef = { kind: 'primitive', type: 'any' }

/**
 * Turns schemas into types. A type that needs a name in some language becomes a declaration:
 * objects, enums and unions, also where they are written inline.
 */
export class Schemas {
  readonly declarations: Declarations
  readonly #context: Context
  readonly #models: Models
  readonly #following = new Set<string>()
  /** The keys of schemas that keep the old names of others. */
  readonly #former = new Set<string>()

  constructor(context: Context) {
    this.#context = context
    this.declarations = new Declarations(context)
    this.#models = new Models(context, this.declarations, (...use) => this.use(...use))
  }

  /** Declares all schemas that the document names. */
  declareComponents(): void {
    const schemas = object(this.#context.document.components).schemas
    const components = sortedEntries({ ...this.#formerNames(object(schemas)), ...object(schemas) })
    for (const [key, schema] of components) {
      const name = this.#nameOf(schema, words(key))
      this.#context.owner = pascal(name)
      this.declarations.reserve(key, schema, name)
    }
    for (const [key, schema] of components) {
      const path = ['components', 'schemas', key]
      const name = this.#nameOf(schema, words(key))
      this.#context.owner = pascal(name)
      this.#declare(object(schema), name, path)
    }
    this.#context.owner = null
    this.declarations.finish()
  }

  /** Schemas that keep the old names of others: references to these, and deprecated. */
  #formerNames(schemas: Json): Json {
    const former: Json = {}
    for (const [key, schema] of sortedEntries(schemas)) {
      const old = object(schema)['x-renamed-from']
      if (typeof old !== 'string' || !isObject(schema)) continue
      if (old in schemas) {
        const message = `the schema ${old} still exists`
        this.#context.error(schema, 'x-renamed-from', message, `Remove it, or the mark of ${key}`)
        continue
      }
      const $ref = `#/components/schemas/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const description = `The old name of \`${pascal(this.#nameOf(schema, words(key)))}\`.`
      this.#former.add(old)
      former[old] = this.#context.like(schema, { $ref, description, deprecated: true })
    }
    return former
  }

  /** The type of a schema at some location. `name` is its name if it needs one. */
  use(schema: unknown, name: Name, path: Path): TypeRef {
    if (schema === undefined || schema === true) return ANY
    if (!isObject(schema)) return ANY
    const shape = this.#shape(schema, name, path)
    const type = 'type' in shape ? shape.type : this.#lift(schema, shape.decl, name, path)
    return shape.nullable ? nullable(type) : type
  }

  #lift(schema: Json, decl: (base: Base) => Decl, name: Name, path: Path): TypeRef {
    const own = this.#nameOf(schema, name)
    this.declarations.add(decl(base(schema, own, path)), schema)
    return { kind: 'ref', id: pascal(own) }
  }

  #declare(schema: Json, name: Name, path: Path): void {
    const shape = this.#shape(schema, name, path)
    if ('decl' in shape && !shape.nullable) {
      this.declarations.add(shape.decl(base(schema, name, path)), schema)
      return
    }
    const inner =
      'type' in shape
        ? shape.type
        : this.#lift(
            this.#context.like(schema, { ...schema, 'x-sdk-name': undefined }),
            shape.decl,
            [...name, 'Value'],
            path,
          )
    const type = shape.nullable ? nullable(inner) : inner
    const isOldName = this.#former.has(path.at(-1) ?? '')
    this.declarations.add({ ...base(schema, name, path), kind: 'alias', type, isOldName }, schema)
  }

  #nameOf(schema: unknown, name: Name): Name {
    const own = object(schema)['x-sdk-name']
    return typeof own === 'string' ? words(own) : name
  }

  #shape(schema: Json, name: Name, path: Path): Shape {
    checkKeywords(schema, this.#context)
    const { $ref, allOf, oneOf, anyOf, discriminator: _, ...own } = schema
    const isAlone = isConstraint(own) && list(own.required).length === 0
    if (typeof $ref === 'string' && (isAlone || this.#context.ignoresSiblings)) {
      return this.#reference($ref, schema, name, path)
    }
    const isUnion = Array.isArray(oneOf) || Array.isArray(anyOf)
    if ($ref || allOf || (isUnion && !isConstraint(own))) return this.#composed(schema, name, path)
    return isUnion ? this.#union(schema, name, path) : this.#plain(schema, name, path)
  }

  #reference(ref: string, schema: Json, name: Name, path: Path): Shape {
    const isNullable = schema.nullable === true
    if (!ref.startsWith('#/')) {
      const fix = 'Give the location of a schema, such as #/components/schemas/Order'
      this.#context.unsupported(schema, '$ref', `the $ref "${ref}" has no target`, fix)
      return { nullable: false, type: ANY }
    }
    const target = pathOf(ref)
    if (target.length === 3 && target[0] === 'components' && target[1] === 'schemas') {
      const id = this.declarations.idOf(target[2] ?? '')
      return { nullable: isNullable, type: { kind: 'ref', id } }
    }
    if (this.#following.has(ref)) {
      const fix = 'Move its target to components/schemas'
      this.#context.unsupported(
        schema,
        '$ref',
        'a $ref into the middle of a schema is recursive',
        fix,
      )
      return { nullable: false, type: ANY }
    }
    this.#following.add(ref)
    const type = this.use(this.#context.find(ref), name, path)
    this.#following.delete(ref)
    return { nullable: isNullable, type }
  }

  #plain(schema: Json, name: Name, path: Path): Shape {
    const types = typesOf(schema)
    const nullable = types.includes('null') || schema.nullable === true || hasNull(schema)
    const named = types.filter((type) => type !== 'null')
    if ('const' in schema || Array.isArray(schema.enum)) {
      return { nullable, ...this.#values(schema, name, path) }
    }
    if (types.length > 0 && named.length === 0) {
      return { nullable: false, type: { kind: 'primitive', type: 'null' } }
    }
    if (named.length > 1) {
      const { nullable: _, ...rest } = schema
      const variants = named.map((type) => this.#context.like(schema, { ...rest, type }))
      return { nullable, decl: this.#unionOf({ oneOf: variants }, variants, name, path) }
    }
    const type = named[0] ?? guessType(schema)
    if (type === 'object') return { nullable, ...this.#object(schema, name, path) }
    if (type === 'array') {
      const of = this.use(schema.items, [...name, 'Item'], [...path, 'items'])
      return { nullable, type: { kind: 'list', of } }
    }
    return { nullable, type: primitiveOf(type, schema) }
  }

  #values(schema: Json, name: Name, path: Path): Typed {
    const given = 'const' in schema ? [schema.const] : list(schema.enum)
    const values = given.filter((value) => value !== null)
    const kinds = [...new Set(values.map((value) => typeof value))]
    const [kind] = kinds
    if (values.length === 0) return { type: { kind: 'primitive', type: 'null' } }
    const keyword = 'const' in schema ? 'const' : 'enum'
    if (isRounded(values)) {
      const message = 'a value is too large to be read exactly'
      this.#context.unsupported(schema, keyword, message, 'Use strings')
      return { type: ANY }
    }
    if (kinds.includes('object')) {
      const message = 'a value is an object or a list'
      this.#context.unsupported(schema, keyword, message, 'Use strings, numbers or booleans')
      return { type: ANY }
    }
    if (kinds.length > 1) {
      const variants = kinds.map((type) =>
        this.#context.like(schema, { type, enum: values.filter((value) => typeof value === type) }),
      )
      return { decl: this.#unionOf({ oneOf: variants }, variants, name, path) }
    }
    if (kind === 'boolean' && values.length > 1) {
      return { type: { kind: 'primitive', type: 'boolean' } }
    }
    if (values.length === 1) {
      return { type: { kind: 'literal', value: values[0] as string | number | boolean } }
    }
    const numbers = values.every((value) => Number.isInteger(value)) ? 'integer' : 'number'
    return {
      decl: (base) => ({
        ...base,
        kind: 'enum',
        base: kind === 'string' ? 'string' : numbers,
        values: values as Array<string | number>,
      }),
    }
  }

  #object(schema: Json, name: Name, path: Path): Typed {
    const [pattern, ...others] = Object.values(object(schema.patternProperties))
    const hasFields = Object.keys(object(schema.properties)).length > 0 || others.length > 0
    const isClosed = pattern === undefined && schema.additionalProperties === false
    if (hasFields || isClosed) {
      const required = list(schema.required).map(String)
      return { decl: this.#models.make([{ schema, path }], name, required) }
    }
    const values = pattern ?? schema.additionalProperties ?? schema.unevaluatedProperties
    const of = this.use(values, [...name, 'Value'], [...path, 'additionalProperties'])
    return { type: { kind: 'map', of } }
  }

  /** What an allOf is, or a union or a reference with more beside it. */
  #composed(schema: Json, name: Name, path: Path): Shape {
    const whole = compositionOf(schema, path, this.#context)
    const shape = this.#shapeOf(whole, schema, name, path)
    return { ...shape, nullable: !whole.forbidsNull && (shape.nullable || whole.nullable) }
  }

  #shapeOf(whole: Composition, schema: Json, name: Name, path: Path): Shape {
    const { parts, required } = whole
    const [only] = parts
    if (whole.unions.length > 0) return this.#distributed(whole, name, path)
    if (!only) return this.#plain(constraintOf(schema, this.#context), name, path)
    const areObjects = parts.map((part) => isObjectPart(part, this.#context))
    const isObject = areObjects.every(Boolean)
    if (parts.length === 1 && !(isObject && this.#requiresMore(only, required))) {
      return this.#shape({ ...only.schema }, name, only.path)
    }
    if (isObject) return { nullable: false, decl: this.#models.make(parts, name, required) }
    const scalar = areObjects.some(Boolean) ? null : mergeScalars(parts, this.#context)
    if (scalar) return this.#shape(scalar.schema, name, scalar.path)
    const fix = 'Use objects in allOf, or strings and numbers that refine each other'
    this.#context.unsupported(schema, 'allOf', 'the parts of allOf do not make one type', fix)
    return { nullable: false, type: ANY }
  }

  /** Whether fields are required that the schema of a part does not require itself. */
  #requiresMore(part: Part, required: readonly string[]): boolean {
    const own = compositionOf(this.#context.resolve(part.schema), part.path, this.#context).required
    return required.some((wire) => !own.includes(wire))
  }

  /** A union with something beside it is a union whose variants each have that too. */
  #distributed({ unions, parts, required }: Composition, name: Name, path: Path): Shape {
    const [union = { schema: {}, path }, ...more] = unions
    const { variants } = variantsOf(union.schema)
    const others = [...parts, ...more].map(({ schema }) => schema)
    const isSuper = variantsInherit(union.schema, `#${pointerOf(path)}`, this.#context)
    if (isSuper || (others.length === 0 && required.length === 0)) {
      return this.#union(union.schema, name, path)
    }
    const also = required.length > 0 ? [{ required }] : []
    const schemas = variants.map(({ schema }) =>
      this.#context.like(schema, { allOf: [...others, schema, ...also] }),
    )
    const names = variantNames(variants.map(({ schema }) => schema))
    const keys = variantKeys(union.schema)
    const decl = this.#unionOf(union.schema, schemas, name, path, { names, keys })
    return { nullable: false, decl }
  }

  #union(schema: Json, name: Name, path: Path): Shape {
    const { variants, isNullable } = variantsOf(schema)
    const nullable = isNullable || schema.nullable === true
    const [only] = variants
    if (variants.length === 0) {
      const { oneOf: _, anyOf: __, ...others } = schema
      const shape = this.#plain(this.#context.like(schema, others), name, path)
      return { ...shape, nullable: nullable || shape.nullable }
    }
    if (variants.length === 1 && only) {
      const shape = this.#shape(only.schema, name, [...path, ...only.path])
      return { ...shape, nullable: nullable || shape.nullable }
    }
    const values = openEnumOf(variants.map(({ schema }) => this.#context.resolve(schema)))
    if (values)
      return { nullable, ...this.#values(this.#context.like(schema, { enum: values }), name, path) }
    const schemas = variants.map(({ schema }) => schema)
    return { nullable, decl: this.#unionOf(schema, schemas, name, path) }
  }

  /** @param from The variants before something was added to them. */
  #unionOf(
    schema: Json,
    variants: readonly Json[],
    name: Name,
    path: Path,
    from = { names: variantNames(variants), keys: variantKeys(schema) },
  ): (base: Base) => Decl {
    const keyword = UNION.find((key) => key in schema) ?? 'oneOf'
    const types = variants.map((variant, index) =>
      this.use(variant, [...name, ...(from.names[index] ?? [])], [...path, keyword, `${index}`]),
    )
    return (base) => {
      const union: Decl = { ...base, kind: 'union', variants: types, tag: null }
      this.declarations.tagLater(union, schema, from.keys)
      return union
    }
  }
}

function base(schema: Json, name: Name, path: Path): Base {
  const [example] = 'example' in schema ? [schema.example] : list(schema.examples)
  return {
    id: pascal(name),
    name,
    doc: docOf(schema),
    pointer: pointerOf(path),
    ...(example === undefined || isRounded(example) ? {} : { example }),
  }
}

function nullable(of: TypeRef): TypeRef {
  const already = of.kind === 'nullable' || (of.kind === 'primitive' && /any|null/.test(of.type))
  return already ? of : { kind: 'nullable', of }
}

function hasNull(schema: Json): boolean {
  return list(schema.enum).includes(null)
}

function guessType(schema: Json): string {
  if (isObjectSchema(schema)) return 'object'
  return 'items' in schema ? 'array' : 'any'
}
