/** Schemas made simple: without references and `allOf`, and with their parts by name. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { object, type Schema } from './document.ts'
import { addFormats } from './formats.ts'

export interface Property {
  shape: () => Shape
  /** The former name. */
  before: string | undefined
}

export interface Shape {
  /** The JSON types that it admits; none for any. */
  types: readonly string[]
  /** The alternatives of `oneOf` or `anyOf`. */
  variants: readonly Shape[]
  properties: ReadonlyMap<string, Property>
  required: ReadonlySet<string>
  /** Of all items, or null if they are not described. */
  items: (() => Shape) | null
  /** Of properties without a name here. Null if there is none. */
  others: (() => Shape) | null
  /** Whether a value of the right type is valid, as far as it has no parts. */
  accepts: (value: unknown) => boolean
  /** The merged schema itself. */
  schema: Schema
}

type Resolve = (node: unknown) => Schema

// Made on first use, since the published contract needs none.
let ajv: Ajv2020 | undefined

/** What describes the parts of a value, and not the value. */
const PARTS = new Set(['properties', 'required', 'items', 'additionalProperties', 'oneOf', 'anyOf'])

/** Makes shapes of schemas, each schema once. */
export class Shapes {
  readonly #resolve: Resolve
  readonly #known = new WeakMap<object, Shape>()

  /** @param resolve Follows a reference. */
  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  of(schema: unknown): Shape {
    const node = object(schema)
    const known = this.#known.get(node)
    if (known) return known
    const shape = this.#make(this.#merged(node))
    this.#known.set(node, shape)
    return shape
  }

  #make(schema: Schema): Shape {
    const { oneOf, anyOf, ...base } = schema
    const variants = (oneOf ?? anyOf ?? []) as Schema[]
    const constant = schema.const === undefined ? undefined : typeOf(schema.const)
    const others = schema.additionalProperties
    return {
      types: [schema.type ?? constant ?? []].flat() as string[],
      variants: variants.map((variant) => this.#make(this.#merged({ allOf: [base, variant] }))),
      properties: new Map(
        Object.entries(object(schema.properties)).map(([name, part]) => [
          name,
          { shape: () => this.of(part), before: beforeOf(this.#merged(object(part))) },
        ]),
      ),
      required: new Set((schema.required ?? []) as string[]),
      items: schema.items ? () => this.of(schema.items) : null,
      others: typeof others === 'object' && others !== null ? () => this.of(others) : null,
      accepts: acceptsOf(schema),
      schema,
    }
  }

  /** A schema with everything that it refers to or is composed of. */
  #merged(schema: Schema, seen: readonly object[] = []): Schema {
    if (seen.includes(schema)) return {}
    const { $ref, allOf, ...own } = schema
    const inside = [...seen, schema]
    const parts = [
      ...($ref === undefined ? [] : [this.#merged(this.#resolve({ $ref }), inside)]),
      ...((allOf ?? []) as Schema[]).map((part) => this.#merged(part, inside)),
      own,
    ]
    return parts.reduce(merge, {})
  }
}

function merge(into: Schema, from: Schema): Schema {
  const properties = { ...object(into.properties) }
  for (const [name, part] of Object.entries(object(from.properties))) {
    properties[name] = name in properties ? { allOf: [properties[name], part] } : part
  }
  const required = [...((into.required ?? []) as string[]), ...((from.required ?? []) as string[])]
  return {
    ...into,
    ...from,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

function beforeOf({ 'x-renamed-from': before }: Schema): string | undefined {
  return typeof before === 'string' ? before : undefined
}

function acceptsOf(schema: Schema): (value: unknown) => boolean {
  let check: ((value: unknown) => boolean) | undefined
  return (value) => {
    check ??= compile(schema)
    return check(value)
  }
}

function compile(schema: Schema): (value: unknown) => boolean {
  const own = Object.entries(schema).filter(([name]) => !PARTS.has(name) && !name.startsWith('x-'))
  if (!ajv) {
    ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false })
    addFormats(ajv)
  }
  try {
    return ajv.compile(Object.fromEntries(own)) as (value: unknown) => boolean
  } catch {
    // A schema that is not understood refuses nothing. The drift check reports it.
    return () => true
  }
}

/** The JSON type of a value. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  return typeof value
}

/** Whether a value has one of a shape's types. */
export function isOfType({ types }: Shape, value: unknown): boolean {
  const type = typeOf(value)
  return (
    types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'))
  )
}
