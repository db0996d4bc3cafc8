import { BaseError } from '../generated/names.js'

// `.` and `..`, encoded by up to two servers on the way too, and the characters that end a path.
const UNSAFE = /(^|\/)(\.|%(25)?2e){1,2}(?=\/|$)|[?#\\\s]/i

/**
 * Fills the placeholders of a path. Values are encoded, so that they cannot add, remove or climb
 * segments.
 *
 * @throws BaseError with the outcome `not_sent` for a value that cannot stand in a path.
 */
export function fillPath(template: string, params: Readonly<Record<string, unknown>>): string {
  const path = template.replace(/\{(.*?)\}/g, (_, name: string) => {
    const value = params[name]
    const text = Array.isArray(value) ? value.map(encode).join(',') : encode(value)
    if (text) return text
    throw new BaseError(`The path parameter "${name}" is missing or empty.`)
  })
  if (!UNSAFE.test(path)) return path
  throw new BaseError(
    'A path must not contain a segment "." or "..", white space, or one of "?#\\".',
  )
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value ?? ''))
}
