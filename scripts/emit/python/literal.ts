import { escaped } from '../core/literal.ts'

/** A string literal with exactly this text, which may contain any character. */
export function quote(text: string): string {
  return `"${text.replace(/[\\"\p{Cc}\u2028\u2029\p{Cs}]/gu, escaped)}"`
}

/** A value as the expression that makes it: lists as tuples. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return Array.isArray(value) ? tuple(value.map(literal)) : 'None'
}

/** A tuple of expressions. */
export function tuple(items: readonly string[]): string {
  return `(${items.join(', ')}${items.length === 1 ? ',' : ''})`
}

/** A dictionary of expressions. */
export function dictionary(entries: ReadonlyArray<readonly [key: string, value: string]>): string {
  return `{${entries.map(([key, value]) => `${quote(key)}: ${value}`).join(', ')}}`
}

/** A call with keyword arguments. */
export function call(name: string, facts: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(facts).filter(([, value]) => value !== null)
  return `${name}(${given.map(([key, value]) => `${key}=${value}`).join(', ')})`
}
