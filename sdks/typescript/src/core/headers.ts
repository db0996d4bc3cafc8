import { BaseError } from '../generated/names.js'

/** Headers by name. Null removes one that was set before, undefined changes nothing. */
export type HeaderValues = Headers | Readonly<Record<string, string | null | undefined>>

/**
 * A copy of headers, overridden in turn by further ones. All names are in lower case.
 *
 * @throws BaseError with the outcome `not_sent` for a header that cannot be sent.
 */
export function mergeHeaders(
  base: Readonly<Record<string, string>>,
  ...given: readonly (HeaderValues | undefined)[]
): Record<string, string> {
  const merged = { ...base }
  for (const headers of given) {
    if (!headers) continue
    // Not by class: those of another fetch or realm are no instances of the global one.
    const entries = Symbol.iterator in headers ? headers : Object.entries(headers)
    for (const [name, value] of entries) {
      if (value === null) delete merged[name.toLowerCase()]
      else if (value !== undefined) merged[headerName(name)] = headerValue(value)
    }
  }
  return merged
}

function headerName(name: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name.toLowerCase()
  throw new BaseError('The name of a header is invalid.')
}

/** Refuses values that `Headers` would shorten, or send in an encoding that the server cannot know. */
function headerValue(value: unknown): string {
  const text = `${value}`
  if (/^[\t\x20-\x7e]*$/.test(text)) return text
  throw new BaseError('The value of a header contains a control character or non-ASCII text.')
}
