// Compares JSON with the contract. A shape is a short text, because every client carries those of its
// contract: '' is a text, '#' a number, '%' an integer, '!' a boolean, '*' anything, and a name the model
// or union of that name. '[' before a shape is a list of it, '{' an object of it, and '~' also allows
// null. '?' begins the shape of a field that may be absent.
import { shapes } from '../generated/shapes.js'
import { isObject } from './errors.js'

/** The shapes of the fields of a model, or the tag of a union and the models by its value. */
export type Shape =
  | Readonly<Record<string, string>>
  | readonly [tag: string, models: Readonly<Record<string, string>>]

/** What is wrong with a field: absent, null although it cannot be, or of another type. */
export type MismatchProblem = 'missing' | 'null' | 'unreadable'

/** An object whose fields do not match its model, and those of its fields that the model does not have. */
export interface Finding {
  model: string
  problems: readonly (readonly [field: string, problem: MismatchProblem])[]
  unknown: readonly string[]
}

/** Whether a value has a shape. Adds the objects inside of it whose fields do not, the outermost first. */
export function matches(value: unknown, shape: string, found: Finding[]): boolean {
  switch (shape[0]) {
    case undefined:
      return typeof value === 'string'
    case '#':
      return typeof value === 'number' || typeof value === 'bigint'
    case '%':
      return typeof value === 'bigint' || Number.isInteger(value)
    case '!':
      return typeof value === 'boolean'
    case '*':
      return true
    case '~':
      return value === null || matches(value, shape.slice(1), found)
    case '[':
      return Array.isArray(value) && all(value, shape.slice(1), found)
    case '{':
      return isObject(value) && all(Object.values(value), shape.slice(1), found)
  }
  if (!isObject(value)) return false
  const fields = shapes[shape] ?? {}
  if (Array.isArray(fields)) {
    const [tag, models] = fields
    const kind = `${fieldOf(value, tag)}`
    const model = Object.hasOwn(models, kind) ? models[kind] : undefined
    return !model || matches(value, model, found)
  }
  compare(value, shape, fields as Record<string, string>, found)
  return true
}

/** Whether a value is of the JSON type of a shape, whatever it holds. A union may have any variant. */
export function isOfType(value: unknown, shape: string): boolean {
  if (shape[0] === '[') return Array.isArray(value)
  if (shape[0] === '{') return isObject(value)
  return Array.isArray(shapes[shape]) || matches(value, shape, [])
}

/** Whether all values have a shape. Looks at each, because each may have something to add. */
function all(values: readonly unknown[], shape: string, found: Finding[]): boolean {
  return values.filter((value) => !matches(value, shape, found)).length === 0
}

/** A field of JSON. What every object has instead, like `toString`, is a function. */
function fieldOf(object: object, name: string): unknown {
  const value = (object as Record<string, unknown>)[name]
  return typeof value === 'function' ? undefined : value
}

function compare(
  object: object,
  model: string,
  fields: Readonly<Record<string, string>>,
  found: Finding[],
): void {
  const problems: [string, MismatchProblem][] = []
  const { length } = found
  for (const field in fields) {
    const shape = fields[field] ?? ''
    const isOptional = shape[0] === '?'
    const value = fieldOf(object, field)
    if (value === undefined) {
      if (!isOptional) problems.push([field, 'missing'])
    } else if (!matches(value, isOptional ? shape.slice(1) : shape, found)) {
      problems.push([field, value === null ? 'null' : 'unreadable'])
    }
  }
  if (problems.length === 0) return
  const unknown = Object.keys(object).filter((name) => !Object.hasOwn(fields, name))
  found.splice(length, 0, { model, problems, unknown })
}
