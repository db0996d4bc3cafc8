/** The escapes that most languages have in common. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** A character that cannot stand in a string as it is. */
export function escaped(character: string): string {
  return ESCAPES[character] ?? unicode(character.charCodeAt(0))
}

/** A unit of UTF-16 by its number. */
export function unicode(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

/** A number, an integer with its digits in groups of three. */
export function grouped(value: number): string {
  return Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, '_') : String(value)
}
