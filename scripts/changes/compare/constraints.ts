import { isObject, type Json, list } from '../../contract/json.ts'

/** Keywords whose greater value allows more, and those whose greater value allows less. */
const UPPER = [
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
]
const LOWER = [
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
]
const OTHER = ['pattern', 'multipleOf', 'uniqueItems', 'contains', 'propertyNames', 'not']
/** Formats that make no other type in any SDK. Those that do are changes of the type. */
const TYPED = new Set(['date', 'date-time', 'byte', 'binary', 'int64', 'uint64'])

/** How the valid values of a schema change. */
export interface Narrowing {
  keyword: string
  /** Whether there are fewer. */
  isTighter: boolean
  before: string
  after: string
}

/** What two schemas demand of values, beside their types; references are compared by themselves. */
export function narrowings(before: Json, after: Json): Narrowing[] {
  const left = demandsOf(before)
  const right = demandsOf(after)
  const keywords = [...new Set([...left.keys(), ...right.keys()])].sort()
  return keywords.flatMap((keyword) => {
    const [old, now] = [left.get(keyword), right.get(keyword)]
    if (JSON.stringify(old) === JSON.stringify(now)) return []
    return [
      { keyword, isTighter: isTighter(keyword, old, now), before: told(old), after: told(now) },
    ]
  })
}

function isTighter(keyword: string, old: unknown, now: unknown): boolean {
  if (now === undefined) return false
  if (old === undefined) return true
  const name = keyword.split('/').at(-1) ?? ''
  if (UPPER.includes(name)) return Number(now) < Number(old)
  if (LOWER.includes(name)) return Number(now) > Number(old)
  return true
}

function told(value: unknown): string {
  return value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** The limits of a schema by keyword, those of the items of a list too: `items/maxLength`. */
function demandsOf(schema: Json, within = '', demands = new Map<string, unknown>()) {
  for (const keyword of [...UPPER, ...LOWER, ...OTHER]) {
    const value = schema[keyword]
    if (value === undefined || value === false) continue
    demands.set(`${within}${keyword}`, value)
  }
  const { format, items, additionalProperties } = schema
  if (typeof format === 'string' && !TYPED.has(format)) demands.set(`${within}format`, format)
  if (isObject(items)) demandsOf(items, `${within}items/`, demands)
  if (isObject(additionalProperties)) demandsOf(additionalProperties, `${within}values/`, demands)
  // Limits of a value that may be null stand in the variant beside null.
  for (const variant of [schema.anyOf, schema.oneOf, schema.allOf].flatMap(list)) {
    const isOnly = list(schema.anyOf ?? schema.oneOf ?? schema.allOf).length <= 2
    if (isObject(variant) && variant.type !== 'null' && variant.type !== 'object' && isOnly) {
      demandsOf(variant, within, demands)
    }
  }
  return demands
}
