import { escaped, grouped } from '../core/literal.ts'

/** A string literal for any text. */
export function quote(text: string): string {
  return `'${text.replace(/[\\'\p{Cc}\u2028\u2029\p{Cs}]/gu, escaped)}'`
}

/** A key of an object, quoted where necessary. */
export function propertyKey(name: string): string {
  // Quoted or not, this key would set the prototype.
  if (name === '__proto__') return `[${quote(name)}]`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}

/** A value as an expression. Leaves out the members of objects that are null or undefined. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return grouped(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null)
  return `{ ${entries.map(([key, item]) => `${propertyKey(key)}: ${literal(item)}`).join(', ')} }`
}
