/**
 * Projects what the sandbox makes onto the contract: fields that the contract does not have are dropped,
 * renamed ones are carried over, and required ones that the sandbox does not know are invented.
 */
import { object } from './document.ts'
import { invent } from './minimal.ts'
import { isOfType, type Shape, typeOf } from './shape.ts'

/** A difference between what the sandbox makes and the contract. */
export interface Deviation {
  /** The path of the field, with `*` for every item of a list. */
  field: string
  action: 'dropped' | 'filled' | 'carried' | 'replaced'
  /** In a sentence without a subject, for example `carried over from text`. */
  detail: string
}

export type Say = (deviation: Deviation) => void

/** Takes nothing of a value. */
const NOTHING = Symbol('nothing')

/**
 * Makes a value fit a shape.
 *
 * @param examples Valid values of the shape, to fill in what is missing.
 * @param say Is called for each deviation.
 */
export function project(
  shape: Shape,
  value: unknown,
  examples: readonly unknown[],
  say: Say,
  field = '',
): unknown {
  const fitted = fit(shape, value, examples, say, field)
  return fitted === NOTHING ? replaced(shape, value, examples, say, field) : fitted
}

function fit(
  shape: Shape,
  value: unknown,
  examples: readonly unknown[],
  say: Say,
  field: string,
): unknown {
  if (shape.variants.length > 0) {
    const variant = closest(shape, value)
    return variant ? fit(variant, value, examples, say, field) : NOTHING
  }
  const taken = [value, ...conversions(shape, value)].find(
    (one) => one !== undefined && isOfType(shape, one) && shape.accepts(one),
  )
  if (taken === undefined) return NOTHING
  if (taken !== value) {
    const detail = `${shown(value)} is not valid, so ${shown(taken)} is sent`
    say({ field, action: 'replaced', detail })
  }
  const { items } = shape
  if (Array.isArray(taken) && items) {
    const inside = examples.flatMap((one) => (Array.isArray(one) ? one : []))
    return taken.map((item) => project(items(), item, inside, say, `${field}/*`))
  }
  return typeOf(taken) === 'object' ? fitObject(shape, object(taken), examples, say, field) : taken
}

function fitObject(
  shape: Shape,
  value: Record<string, unknown>,
  examples: readonly unknown[],
  say: Say,
  field: string,
): unknown {
  const { properties, required, others } = shape
  const inside = (name: string) =>
    examples.map((one) => object(one)[name]).filter((one) => one !== undefined)
  const fitted: Record<string, unknown> = {}
  const used = new Set<string>()
  for (const [name, { shape: of, before }] of properties) {
    const at = `${field}/${name}`
    const from = [name, before].find((one) => one !== undefined && Object.hasOwn(value, one))
    const isRequired = required.has(name)
    if (from === undefined) {
      if (isRequired) fitted[name] = filled(of(), inside(name), say, at)
      continue
    }
    used.add(from)
    if (from !== name) say({ field: at, action: 'carried', detail: `carried over from ${from}` })
    const part = fit(of(), value[from], inside(name), say, at)
    if (part !== NOTHING) fitted[name] = part
    else if (isRequired) fitted[name] = replaced(of(), value[from], inside(name), say, at)
    else say({ field: at, action: 'dropped', detail: `${shown(value[from])} is not valid` })
  }
  for (const name of required) {
    if (properties.has(name) || Object.hasOwn(value, name)) continue
    fitted[name] = inside(name)[0] ?? null
    say({ field: `${field}/${name}`, action: 'filled', detail: 'not known to the sandbox' })
  }
  // Without properties, an object may have any.
  const isFree = properties.size === 0 && shape.schema.additionalProperties !== false
  for (const [name, part] of Object.entries(value)) {
    if (used.has(name)) continue
    if (others) fitted[name] = project(others(), part, [], say, `${field}/*`)
    else if (isFree || (required.has(name) && !properties.has(name))) fitted[name] = part
    else {
      const detail = 'not in the contract'
      say({ field: `${field}/${name}`, action: 'dropped', detail })
    }
  }
  return fitted
}

/** The variant that takes most of a value. */
function closest({ variants }: Shape, value: unknown): Shape | undefined {
  const trials = variants.map((variant) => {
    let deviations = 0
    const fitted = fit(variant, value, [], () => deviations++, '')
    return { variant, deviations: fitted === NOTHING ? Number.POSITIVE_INFINITY : deviations }
  })
  const [best] = trials.sort((a, b) => a.deviations - b.deviations)
  return best && best.deviations !== Number.POSITIVE_INFINITY ? best.variant : undefined
}

function filled(shape: Shape, examples: readonly unknown[], say: Say, field: string): unknown {
  const value = invent(shape, examples)
  say({ field, action: 'filled', detail: `not known to the sandbox, so ${shown(value)} is sent` })
  return value
}

function replaced(
  shape: Shape,
  value: unknown,
  examples: readonly unknown[],
  say: Say,
  field: string,
): unknown {
  const isNullable = shape.types.includes('null') && shape.accepts(null)
  const other = isNullable ? null : invent(shape, examples)
  const detail = `${shown(value)} is not valid, so ${shown(other)} is sent`
  say({ field, action: 'replaced', detail })
  return other
}

/** A value in the forms that other types and spellings give it. */
function conversions({ types, schema }: Shape, value: unknown): unknown[] {
  const made: unknown[] = []
  if (types.includes('array')) {
    made.push(Object.values(object(value)).find(Array.isArray))
    if (typeOf(value) !== 'object') made.push([value])
  }
  if (types.includes('integer') || types.includes('number')) made.push(...numbersOf(value))
  if (types.includes('string') && /number|integer|boolean/.test(typeOf(value))) {
    made.push(String(value))
  }
  if (typeof value === 'string' && Array.isArray(schema.enum)) {
    made.push(schema.enum.find((one) => spelling(one) === spelling(value)))
  }
  // A constant is known whatever the sandbox says.
  if (schema.const !== undefined) made.push(schema.const)
  return made
}

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [Math.round(value)]
  if (typeof value !== 'string' || value === '') return []
  if (/^-?\d+(\.\d+)?$/.test(value)) return [Number(value)]
  const time = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return [Math.floor(time / 1000)]
  // An identifier: equal texts give equal numbers.
  let hash = 0
  for (const character of value) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 2 ** 31
  return [hash]
}

/** A value without what differs between spellings, such as case and hyphens. */
export function spelling(value: unknown): string {
  return String(value).toLowerCase().replace(/[\W_]/g, '')
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** Reads a value of the contract as the sandbox knows it: renamed fields under their former names. */
export function restore(shape: Shape, value: unknown): unknown {
  if (shape.variants.length > 0) {
    const variant = closest(shape, value)
    return variant ? restore(variant, value) : value
  }
  const { items, properties } = shape
  if (Array.isArray(value)) return items ? value.map((item) => restore(items(), item)) : value
  if (typeOf(value) !== 'object') return value
  return Object.fromEntries(
    Object.entries(object(value)).map(([name, part]) => {
      const property = properties.get(name)
      return [property?.before ?? name, property ? restore(property.shape(), part) : part]
    }),
  )
}
