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
 * The values of some headers, trimmed. `names` are in lower case and match any case. Several values
 * are joined with a comma, as servers do. Headers that cannot be read count as empty. They are read
 * once, because some iterables end.
 */
export function headerValues<Name extends string>(
  headers: WebhookHeaders,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {}
  const add = (key: string, value: WebhookHeaderValue) => {
    for (const name of names) {
      if (key.length !== name.length || key.toLowerCase() !== name) continue
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one == null) continue
        values[name] = name in values ? `${values[name]},${one}` : trim(`${one}`)
      }
    }
  }
  try {
    if (Symbol.iterator in headers) for (const [key, value] of headers) add(key, value)
    else for (const key of Object.keys(headers)) add(key, headers[key])
    return values
  } catch {
    return {}
  }
}

// Linear on hostile input, where a replacement of /[ \t]+$/ is quadratic.
const BLANKS_AROUND = /^[ \t]*(.*[^ \t])?[ \t]*$/s

function trim(value: string): string {
  return value === value.trim() ? value : value.replace(BLANKS_AROUND, '$1')
}
