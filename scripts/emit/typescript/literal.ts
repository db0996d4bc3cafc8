const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** A string literal that holds exactly this text, whatever is in it. */
export function quote(text: string): string {
  const escaped = text.replace(/[\\'\p{Cc}\u2028\u2029\p{Cs}]/gu, (character) => {
    return ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `'${escaped}'`
}

/** A key of an object, quoted where it must be. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quote(name)
}

/** A value as the expression that makes it; what is null or undefined in an object is left out. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return number(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null)
  return `{ ${entries.map(([key, item]) => `${propertyKey(key)}: ${literal(item)}`).join(', ')} }`
}

function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '_')
}
