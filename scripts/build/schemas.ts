import {
  isObject,
  type Json,
  list,
  object,
  pointerOf,
  sortedEntries,
  sortKeys,
} from '../contract/json.ts'
import type { Decl, Enum, Field, Model, Name, TypeRef } from '../model/types.ts'
import { type Context, docOf, pathOf } from './context.ts'
import { Declarations } from './declarations.ts'
import { isConstraint, primitiveOf } from './primitives.ts'
import { openEnumOf, UNION, variantName, variantsOf } from './unions.ts'
import { pascal, words } from './words.ts'

export type Path = readonly string[]

/** What a schema is once `null` is taken out of it. */
type Shape = { nullable: boolean } & ({ type: TypeRef } | { decl: (base: Base) => Decl })

/** What all declarations have. */
export type Base = Pick<Decl, 'id' | 'name' | 'doc' | 'pointer' | 'example'>

/** One member of an allOf. */
interface Part {
  schema: Json
  path: Path
}

const ANY: TypeRef = { kind: 'primitive', type: 'any' }

/**
 * Turns schemas into types. What needs a name of its own in some language becomes a declaration:
 * objects, enums and unions, also where they are written inline.
 */
export class Schemas {
  readonly declarations: Declarations
  readonly #context: Context
  readonly #following = new Set<string>()

  constructor(context: Context) {
    this.#context = context
    this.declarations = new Declarations(context)
  }

  /** Declares all schemas that the document names. */
  declareComponents(): void {
    const components = sortedEntries(object(this.#context.document.components).schemas)
    for (const [key, schema] of components) {
      this.declarations.reserve(key, schema, this.#nameOf(schema, words(key)))
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

  /** The type of a schema in some place, where `name` is what it is called if it needs a name. */
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
        : this.#lift({ ...schema, 'x-sdk-name': undefined }, shape.decl, [...name, 'Value'], path)
    const type = shape.nullable ? nullable(inner) : inner
    this.declarations.add({ ...base(schema, name, path), kind: 'alias', type }, schema)
  }

  #nameOf(schema: unknown, name: Name): Name {
    const own = object(schema)['x-sdk-name']
    return typeof own === 'string' ? words(own) : name
  }

  #shape(schema: Json, name: Name, path: Path): Shape {
    this.#refuseUnknown(schema)
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref, schema, name, path)
    if (Array.isArray(schema.allOf)) return this.#allOf(schema, name, path)
    if (UNION.some((keyword) => Array.isArray(schema[keyword]))) {
      return this.#union(schema, name, path)
    }
    return this.#plain(schema, name, path)
  }

  #refuseUnknown(schema: Json): void {
    for (const [keyword, cure] of Object.entries(REFUSED)) {
      if (keyword in schema) {
        this.#context.unsupported(schema, keyword, `the SDKs cannot express "${keyword}"`, cure)
      }
    }
  }

  #reference(ref: string, schema: Json, name: Name, path: Path): Shape {
    const isNullable = schema.nullable === true
    const target = pathOf(ref)
    if (target.length === 3 && target[0] === 'components' && target[1] === 'schemas') {
      const id = this.declarations.idOf(target[2] ?? '')
      return { nullable: isNullable, type: { kind: 'ref', id } }
    }
    if (this.#following.has(ref)) {
      const fix = 'Move what it leads to into components/schemas'
      this.#context.unsupported(schema, '$ref', 'a $ref into the middle of a schema recurs', fix)
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
      return { nullable, ...this.#values(schema) }
    }
    if (types.length > 0 && named.length === 0) {
      return { nullable: false, type: { kind: 'primitive', type: 'null' } }
    }
    if (named.length > 1) {
      const { nullable: _, ...rest } = schema
      const variants = named.map((type) => ({ ...rest, type }))
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

  #values(schema: Json): { type: TypeRef } | { decl: (base: Base) => Enum } {
    const given = 'const' in schema ? [schema.const] : list(schema.enum)
    const values = given.filter((value) => value !== null)
    const kinds = new Set(values.map((value) => typeof value))
    const [kind] = kinds
    if (values.length === 0) return { type: { kind: 'primitive', type: 'null' } }
    if (kinds.size > 1 || !['string', 'number', 'boolean'].includes(String(kind))) {
      const fix = 'Use values of one type: strings, numbers or booleans'
      this.#context.unsupported(schema, 'enum', 'the values of this enum have several types', fix)
      return { type: ANY }
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
        open: true,
      }),
    }
  }

  #object(
    schema: Json,
    name: Name,
    path: Path,
  ): { type: TypeRef } | { decl: (base: Base) => Model } {
    const fields = Object.keys(object(schema.properties))
    const patterns = Object.values(object(schema.patternProperties))
    if (patterns.length > 1 || (patterns.length === 1 && fields.length > 0)) {
      const fix = 'Describe such fields by "additionalProperties"'
      this.#context.unsupported(schema, 'patternProperties', 'fields by pattern are mixed', fix)
    }
    if ('discriminator' in schema) {
      const message = 'a discriminator without a oneOf tells no types apart'
      const fix = 'Only the fields of this schema are typed; a oneOf of its subtypes types all'
      this.#context.note(schema, 'discriminator', message, fix)
    }
    if (fields.length > 0 || schema.additionalProperties === false) {
      return { decl: this.#model([{ schema, path }], name) }
    }
    const values = patterns[0] ?? schema.additionalProperties ?? true
    const of = this.use(values, [...name, 'Value'], [...path, 'additionalProperties'])
    return { type: { kind: 'map', of } }
  }

  #allOf(schema: Json, name: Name, path: Path): Shape {
    const { allOf: _, ...own } = schema
    const members: Part[] = list(schema.allOf)
      .map(
        (member, index): Part => ({
          schema: object(member),
          path: [...path, 'allOf', String(index)],
        }),
      )
      .filter(({ schema }) => !isConstraint(schema))
    if (!isConstraint(own)) members.push({ schema: own, path })
    const isNullable =
      schema.nullable === true || list(schema.allOf).some((part) => object(part).nullable === true)

    const [only] = members
    if (members.length === 1 && only) {
      const shape = this.#shape({ ...only.schema }, name, only.path)
      return { ...shape, nullable: shape.nullable || isNullable }
    }
    const odd = members.find(({ schema }) => !schema.$ref && !isObjectSchema(schema))
    if (odd) {
      const fix = 'Let allOf hold objects only'
      this.#context.unsupported(schema, 'allOf', 'allOf holds something else than objects', fix)
      return { nullable: isNullable, type: ANY }
    }
    const required = list(schema.allOf).flatMap((part) => list(object(part).required))
    return { nullable: isNullable, decl: this.#model(members, name, required) }
  }

  #model(
    parts: readonly Part[],
    name: Name,
    alsoRequired: readonly unknown[] = [],
  ): (base: Base) => Model {
    const bases: string[] = []
    const fields = new Map<string, Field>()
    const required = [...parts.flatMap(({ schema }) => list(schema.required)), ...alsoRequired].map(
      String,
    )
    let extra: TypeRef | null = null
    const add = ({ schema, path }: Part): void => {
      if (typeof schema.$ref === 'string') {
        const type = this.use(schema, name, path)
        if (type.kind === 'ref') bases.push(type.id)
        return
      }
      for (const [index, part] of list(schema.allOf).entries()) {
        required.push(...list(object(part).required).map(String))
        add({ schema: object(part), path: [...path, 'allOf', String(index)] })
      }
      const additional = schema.additionalProperties
      if (isObject(additional) || additional === true) {
        const extraPath = [...path, 'additionalProperties']
        extra = this.use(additional, [...name, 'Value'], extraPath)
      }
      for (const [wire, property] of sortedEntries(schema.properties)) {
        if (property === false) continue
        const at = [...path, 'properties', wire]
        fields.set(wire, this.#field(wire, property, name, at))
      }
    }
    for (const part of parts) add(part)
    const order = [...new Set(required)]
    const sorted = [
      ...order.flatMap((wire) => fields.get(wire) ?? []),
      ...[...fields.values()].filter(({ wire }) => !order.includes(wire)),
    ]
    for (const wire of order) {
      const field = fields.get(wire)
      if (field) field.presence = 'required'
    }
    const inherited = order.filter((wire) => !fields.has(wire))
    return (base) => {
      const model: Model = { ...base, kind: 'model', extends: bases, fields: sorted, extra }
      this.declarations.requireInherited(model, inherited)
      const [first] = parts
      if (first) this.declarations.checkBases(model, first.schema)
      return model
    }
  }

  #field(wire: string, schema: unknown, owner: Name, path: Path): Field {
    const node = object(schema)
    const name = this.#nameOf(node, words(wire))
    const type = this.use(schema, [...owner, ...name], path)
    // What a reference leads to says for itself what it is; here only what this place adds.
    return {
      wire,
      name,
      type,
      presence: 'optional',
      direction: directionOf(node),
      ...('default' in node ? { default: sortKeys(node.default) } : {}),
      doc: docOf(node),
      pointer: pointerOf(path),
    }
  }

  #union(schema: Json, name: Name, path: Path): Shape {
    const { variants, isNullable } = variantsOf(schema)
    const nullable = isNullable || schema.nullable === true
    const [only] = variants
    const others = Object.fromEntries(
      Object.entries(schema).filter(([key]) => !UNION.includes(key)),
    )
    if (variants.length === 0) {
      const shape = this.#plain(others, name, path)
      return { ...shape, nullable: nullable || shape.nullable }
    }
    if (Object.keys(object(schema.properties)).length > 0) {
      const fix = 'Move the common fields into each variant, by allOf'
      this.#context.unsupported(schema, 'properties', 'a union has fields of its own', fix)
    }
    if (variants.length === 1 && only) {
      const shape = this.#shape(only.schema, name, [...path, ...only.path])
      return { ...shape, nullable: nullable || shape.nullable }
    }
    const values = openEnumOf(variants.map(({ schema }) => this.#context.resolve(schema)))
    if (values) return { nullable, ...this.#values({ enum: values }) }
    const schemas = variants.map(({ schema }) => schema)
    return { nullable, decl: this.#unionOf(schema, schemas, name, path) }
  }

  #unionOf(schema: Json, variants: readonly Json[], name: Name, path: Path): (base: Base) => Decl {
    const types = variants.map((variant, index) =>
      this.use(variant, [...name, ...variantName(variant, index)], [...path, 'oneOf', `${index}`]),
    )
    return (base) => {
      const union: Decl = { ...base, kind: 'union', variants: types, tag: null }
      this.declarations.tagLater(union, schema)
      return union
    }
  }
}

/** Shape-bearing keywords for which some language has no type, and what to use instead. */
const REFUSED: Readonly<Record<string, string>> = {
  prefixItems: 'Use an object with named fields',
  $dynamicRef: 'Use $ref',
  $recursiveRef: 'Use $ref',
}

function base(schema: Json, name: Name, path: Path): Base {
  const [example] = 'example' in schema ? [schema.example] : list(schema.examples)
  return {
    id: pascal(name),
    name,
    doc: docOf(schema),
    pointer: pointerOf(path),
    ...(example === undefined ? {} : { example }),
  }
}

function nullable(of: TypeRef): TypeRef {
  const already = of.kind === 'nullable' || (of.kind === 'primitive' && /any|null/.test(of.type))
  return already ? of : { kind: 'nullable', of }
}

function typesOf(schema: Json): string[] {
  return (Array.isArray(schema.type) ? schema.type : [schema.type ?? []]).flat().map(String)
}

function hasNull(schema: Json): boolean {
  return list(schema.enum).includes(null)
}

function guessType(schema: Json): string {
  if (isObjectSchema(schema)) return 'object'
  return 'items' in schema ? 'array' : 'any'
}

function isObjectSchema(schema: Json): boolean {
  return (
    typesOf(schema).includes('object') ||
    ['properties', 'additionalProperties', 'patternProperties', 'allOf'].some(
      (key) => key in schema,
    )
  )
}

function directionOf(node: Json): Field['direction'] {
  if (node.readOnly === true) return 'read'
  return node.writeOnly === true ? 'write' : 'both'
}
