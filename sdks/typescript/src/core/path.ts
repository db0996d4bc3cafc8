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
  const parts = template.split(/[{}]/)
  // Every second part was in braces.
  for (let i = 1; i < parts.length; i += 2) {
    const name = parts[i] ?? ''
    const value = params[name]
    parts[i] = Array.isArray(value) ? value.map(encode).join(',') : encode(value)
    if (!parts[i]) throw new BaseError(`The path parameter "${name}" is missing or empty.`)
  }
  const path = parts.join('')
  if (!UNSAFE.test(path)) return path
  throw new BaseError(
    'A path must not contain a segment "." or "..", white space, or one of "?#\\".',
  )
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value ?? ''))
}
