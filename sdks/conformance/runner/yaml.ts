import { parse } from 'yaml'
import type { Value } from './json.ts'

/** Reads YAML, in which integers beyond 2⁵³ are `bigint`. */
export function readYaml(text: string): Value {
  return narrow(parse(text, { intAsBigInt: true }))
}

function narrow(value: unknown): Value {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  if (Array.isArray(value)) return value.map(narrow)
  if (typeof value !== 'object' || value === null) return value as Value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, narrow(item)]))
}
