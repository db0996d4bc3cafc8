/** The headers of a request, in any of the forms that frameworks use. */
export type WebhookHeaders =
  /** Of a fetch request. Listed, because the `lib` of some projects does not make it iterable. */
  | Headers
  /** A `Map`, or a list of pairs. */
  | Iterable<readonly [name: string, value: WebhookHeaderValue]>
  /** A mapping, for example `req.headers` of Node. */
  | Readonly<Record<string, WebhookHeaderValue>>

/** A list holds the values of a repeated header. */
export type WebhookHeaderValue = string | readonly string[] | undefined

/**
 * The values of two headers, trimmed. The names are in lower case and match any case. Several values
 * are joined with a comma, as servers do. Headers that cannot be read count as absent.
 */
export function headerValues(
  headers: WebhookHeaders,
  one: string,
  other: string,
): readonly [string?, string?] {
  let first: string | undefined
  let second: string | undefined
  const add = (name: string, value: WebhookHeaderValue) => {
    if (isName(name, one)) first = joined(first, value)
    else if (isName(name, other)) second = joined(second, value)
  }
  try {
    // Read once, because some iterables end.
    if (Symbol.iterator in headers) for (const [name, value] of headers) add(name, value)
    else for (const name of Object.keys(headers)) add(name, headers[name])
    return [first, second]
  } catch {
    return []
  }
}

function isName(name: string, expected: string): boolean {
  return name.length === expected.length && name.toLowerCase() === expected
}

function joined(before: string | undefined, value: WebhookHeaderValue): string | undefined {
  return Array.isArray(value) ? value.reduce(joinedOne, before) : joinedOne(before, value)
}

function joinedOne(before: string | undefined, value: unknown): string | undefined {
  if (value == null) return before
  const text = trim(`${value}`)
  return before === undefined ? text : `${before},${text}`
}

// Linear on hostile input, where a replacement of /[ \t]+$/ is quadratic.
const BLANKS_AROUND = /^[ \t]*(.*[^ \t])?[ \t]*$/s

function trim(value: string): string {
  return value === value.trim() ? value : value.replace(BLANKS_AROUND, '$1')
}
