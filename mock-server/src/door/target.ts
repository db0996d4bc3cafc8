import { Problem } from './problem.ts'

/** A parsed request target. */
export interface Target {
  /** The path, still percent-encoded; every `%` in it decodes to UTF-8. */
  path: string
  /** Decoded names and values in the order in which they were sent. */
  query: [name: string, value: string][]
}

const ABSOLUTE = /^https?:\/\/[^/?#]+/i
// What RFC 3986 allows in a path and a query, percent signs included, and what browsers leave raw.
const CHARACTERS = /^[\w\-.~!$&'()*+,;=:@/?%[\]|^`{}"<>\\]*$/
const DOT_SEGMENT = /(^|\/)(\.|%2e){1,2}(\/|$)/i

/**
 * Parses a target in origin or absolute form (RFC 9112 §3.2).
 *
 * @throws {Problem} 400 for any other form, escapes that are not UTF-8 and `.` or `..` segments.
 */
export function parseTarget(target: string): Target {
  const local = ABSOLUTE.test(target) ? target.replace(ABSOLUTE, '') : target
  const rooted = local.startsWith('?') || local === '' ? `/${local}` : local
  if (!rooted.startsWith('/') || !CHARACTERS.test(rooted)) {
    throw new Problem(400, 'malformed_target', 'The request target is neither a path nor a URL.')
  }
  const mark = rooted.indexOf('?')
  const path = mark < 0 ? rooted : rooted.slice(0, mark)
  decode(path, 'path')
  if (DOT_SEGMENT.test(path)) {
    throw new Problem(
      400,
      'malformed_target',
      'The path has a `.` or `..` segment. Resolve it first.',
    )
  }
  return { path, query: mark < 0 ? [] : parseQuery(rooted.slice(mark + 1)) }
}

function parseQuery(query: string): [string, string][] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.replaceAll('+', ' ').split('=')
      return [decode(name, 'query'), decode(value.join('='), 'query')]
    })
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Problem(
      400,
      'malformed_target',
      `The ${part} has an invalid percent-encoding. Encode it as UTF-8.`,
    )
  }
}
