/** Texts that may hold U+0000, which no text of PostgreSQL can: they are stored as JSON strings. */

export function encoded(text: string): string
export function encoded(text: string | null): string | null
export function encoded(text: string | null): string | null {
  return text === null ? null : JSON.stringify(text)
}

export function decoded(text: string): string
export function decoded(text: string | null): string | null
export function decoded(text: string | null): string | null {
  return text === null ? null : JSON.parse(text)
}
