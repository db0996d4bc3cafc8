import { Problem } from './problem.ts'

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
// Spaces belong to what stands before them. If two parts could take them, a field of spaces would take hours.
const PARAMETER = `;[\\t ]*(?:(${TOKEN})=(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")[\\t ]*)?`
const PARAMETERS = new RegExp(PARAMETER, 'g')
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})[\\t ]*((?:${PARAMETER})*)$`)

/** A media type or range with its parameters, RFC 9110 §8.3.1; names in lower case. */
export interface MediaType {
  /** For example `application/json` or, in an `Accept` field, `text/*`. */
  essence: string
  parameters: Record<string, string>
}

/** Parses a media type; null if it is malformed. */
export function parseMediaType(text: string): MediaType | null {
  const match = MEDIA_TYPE.exec(text.trim())
  if (!match?.[1]) return null
  const parameters: Record<string, string> = {}
  for (const [, name, value] of (match[2] ?? '').matchAll(PARAMETERS)) {
    if (name && value) parameters[name.toLowerCase()] ??= unquote(value)
  }
  return { essence: match[1].toLowerCase(), parameters }
}

/** Whether a media type is JSON or built on it (`application/problem+json`). */
export function isJson(essence: string): boolean {
  return /^[^/]+\/(json|[^/]+\+json)$/.test(essence)
}

/** Whether a range such as `text/*` covers a media type, parameters aside. */
export function covers(range: string, essence: string): boolean {
  return range === '*/*' || range === essence || range === `${essence.split('/')[0]}/*`
}

/**
 * Chooses the offered media type that the client prefers; of equals, the first.
 *
 * @returns null if no offer is acceptable.
 * @throws {Problem} 400 for a malformed `Accept`.
 */
export function negotiate(accept: string | undefined, offers: string[]): string | null {
  if (accept === undefined || accept.trim() === '') return offers[0] ?? null
  const ranges = splitList(accept).map((text) => {
    // Java's HttpURLConnection sends `*` for `*/*`.
    const range = parseMediaType(text.replace(/^\*(?=\s*(?:;|$))/, '*/*'))
    const weight = range ? Number(range.parameters.q ?? 1) : Number.NaN
    if (!range || !(weight >= 0 && weight <= 1) || /^\*\/[^*]/.test(range.essence)) {
      throw new Problem(
        400,
        'malformed_accept',
        `\`${text}\` in Accept is not a media range. Use one such as application/json.`,
      )
    }
    return { range: range.essence, weight }
  })
  const weightOf = (offer: string) => {
    const essence = parseMediaType(offer)?.essence ?? offer
    const fitting = ranges.filter(
      ({ range }) => covers(range, essence) || (essence.includes('*') && covers(essence, range)),
    )
    // The most specific range decides: `text/html;q=0, */*` refuses HTML.
    fitting.sort((a, b) => specificity(b.range) - specificity(a.range))
    return fitting[0]?.weight ?? 0
  }
  const [best] = offers
    .map((offer) => ({ offer, weight: weightOf(offer) }))
    .sort((a, b) => b.weight - a.weight)
  return best && best.weight > 0 ? best.offer : null
}

/** Splits a list field at commas outside quoted strings, without empty members. */
export function splitList(text: string): string[] {
  return (text.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [])
    .map((member) => member.trim())
    .filter((member) => member !== '')
}

/** The value of a token or a quoted string. */
export function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
}

function specificity(range: string): number {
  return range === '*/*' ? 0 : range.endsWith('/*') ? 1 : 2
}
