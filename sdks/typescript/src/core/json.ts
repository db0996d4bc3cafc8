// JSON beyond JSON.parse and JSON.stringify. A client contains only what its contract uses.

// Texts are matched so that they are stepped over.
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi

/** Reads JSON; an integer that a number would round is a bigint. */
export function parseExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  // No text in a response begins with it.
  const mark = crypto.randomUUID()
  const marked = text.replace(TOKENS, (token) => (isLarge(token) ? `"${mark}${token}"` : token))
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

/** Writes JSON that may hold bigints. */
export function stringifyExact(value: unknown): string {
  const mark = crypto.randomUUID()
  const text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? mark + item : item))
  return text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}

/** Reads a response that may have no content. */
export function orNothing(parse: (text: string) => unknown = JSON.parse): typeof parse {
  return (text) => (text === '' ? undefined : parse(text))
}

function isLarge(token: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(token) && !Number.isSafeInteger(Number(token))
}
