// Compares JSON with the contract. A shape is a short text, because every client carries those of its
// contract: '' is a text, '#' a number, '!' a boolean, '*' anything, and a name the model or union of
// that name. '[' before a shape is a list of it, '{' an object of it, and '~' also allows null. '?'
// begins the shape of a field that may be absent.
import { shapes } from '../generated/shapes.js'
import { isObject } from './errors.js'

/** The shapes of the fields of a model, or the tag of a union and the models by its value. */
export type Shape =
  | Readonly<Record<string, string>>
  | readonly [tag: string, models: Readonly<Record<string, string>>]

/** What is wrong with a field: absent, null although it cannot be, or of another type. */
export type MismatchProblem = 'missing' | 'null' | 'unreadable'

/** Receives what is wrong with an object, and which of its fields the model does not have. */
export type Report = (
  model: string,
  problems: readonly (readonly [field: string, problem: MismatchProblem])[],
  unknown: readonly string[],
) => void

/** Whether a value has a shape. Reports the objects inside of it whose fields do not. */
export function matches(value: unknown, shape: string, report: Report): boolean {
  const rest = shape.slice(1)
  switch (shape[0]) {
    case undefined:
      return typeof value === 'string'
    case '#':
      return typeof value === 'number' || typeof value === 'bigint'
    case '!':
      return typeof value === 'boolean'
    case '*':
      return true
    case '~':
      return value === null || matches(value, rest, report)
    case '[':
      return Array.isArray(value) && all(value, rest, report)
    case '{':
      return isObject(value) && all(Object.values(value), rest, report)
  }
  if (!isObject(value)) return false
  const fields = shapes[shape] ?? {}
  if (Array.isArray(fields)) {
    const [tag, models] = fields
    const model = models[(value as Record<string, string>)[tag] ?? '']
    return !model || matches(value, model, report)
  }
  compare(value as Record<string, unknown>, shape, fields as Record<string, string>, report)
  return true
}

/** Whether all values have a shape. Looks at each, because each may have something to report. */
function all(values: readonly unknown[], shape: string, report: Report): boolean {
  return values.filter((value) => !matches(value, shape, report)).length === 0
}

function compare(
  object: Readonly<Record<string, unknown>>,
  model: string,
  fields: Readonly<Record<string, string>>,
  report: Report,
): void {
  const problems: [string, MismatchProblem][] = []
  // The objects within this one are reported after it.
  const within: Parameters<Report>[] = []
  for (const field in fields) {
    const code = fields[field] ?? ''
    const value = object[field]
    const isOptional = code[0] === '?'
    const shape = isOptional ? code.slice(1) : code
    if (value === undefined) {
      if (!isOptional) problems.push([field, 'missing'])
    } else if (!matches(value, shape, (...found) => within.push(found))) {
      problems.push([field, value === null ? 'null' : 'unreadable'])
    }
  }
  if (problems.length > 0) {
    const unknown = Object.keys(object).filter((name) => !(name in fields))
    report(model, problems, unknown)
  }
  for (const found of within) report(...found)
}
