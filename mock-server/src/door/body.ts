import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { parse as locate, type ParseError } from 'jsonc-parser'
import { covers, isJson, type MediaType, parseMediaType } from './media-type.ts'
import type { HttpRequest } from './message.ts'
import { Problem } from './problem.ts'

/** The maximum size of a body in bytes, before and after decompression. */
export const BODY_LIMIT = 10 * 1024 * 1024

/** From how many bytes a body takes noticeable time. */
const LARGE = 2 ** 20

/** The maximum nesting of arrays and objects, and how many values a body may have in all. */
const DEPTH_LIMIT = 100
const VALUES_LIMIT = 50_000

/** A decoded body: JSON as its value, everything else as text. */
export interface Body {
  /** The whole content type, as it was sent. */
  contentType: string
  mediaType: MediaType
  value: unknown
}

const inflate = promisify(gunzip)

/**
 * Reads the body of a request.
 *
 * @param accepted The media types that the operation accepts; none if it accepts no body.
 * @returns undefined if there is no body.
 * @throws {Problem} 413, 415, or 400 if the body cannot be decoded.
 */
export async function readBody(
  request: HttpRequest,
  accepted: string[],
): Promise<Body | undefined> {
  const { headers } = request
  const length = headers['content-length']
  if (headers['transfer-encoding'] === undefined && (length === undefined || +length === 0)) return

  const declared = headers['content-type']
  const mediaType = declared === undefined ? null : parseMediaType(declared)
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const refusal = refuse(declared, mediaType, encoding, accepted)
  if (length !== undefined && +length > BODY_LIMIT) throw tooLarge()
  // A body of unknown length may turn out to be empty, which needs no content type.
  if (refusal && length !== undefined) throw refusal

  const sent = await collect(request)
  if (sent.length === 0) return
  if (refusal) throw refusal
  const bytes = encoding === 'gzip' ? await decompress(sent) : sent
  if (!mediaType || declared === undefined) throw refuse(declared, mediaType, encoding, [])
  const value = parse(bytes, mediaType.essence)
  // Others come between the steps that take long.
  if (bytes.length > LARGE) await setImmediate()
  return { contentType: declared, mediaType, value }
}

function refuse(
  declared: string | undefined,
  mediaType: MediaType | null,
  encoding: string,
  accepted: string[],
): Problem | null {
  const unsupported = (detail: string, headers = {}) =>
    new Problem(415, 'unsupported_media_type', detail, { headers })
  const cure = accepted.map((type) => `\`content-type: ${type}\``).join(' or ')

  if (accepted.length === 0) return unsupported('This operation accepts no body. Send none.')
  if (declared === undefined) return unsupported(`The body has no content type. Send ${cure}.`)
  if (!mediaType) return unsupported(`The content type is malformed. Send ${cure}.`)
  if (!accepted.some((type) => covers(parseMediaType(type)?.essence ?? type, mediaType.essence))) {
    return unsupported(`Send the body as ${cure}, not as \`${mediaType.essence}\`.`)
  }
  const charset = mediaType.parameters.charset?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    return unsupported(`Send the body in UTF-8, not in \`${charset}\`.`)
  }
  if (encoding !== 'identity' && encoding !== 'gzip') {
    return unsupported(`Send the body uncompressed or as gzip, not as \`${encoding}\`.`, {
      'accept-encoding': 'gzip, identity',
    })
  }
  return null
}

/** The bytes of a body. @throws {Problem} 413 */
export async function collect(
  { body, findings = {} }: HttpRequest,
  limit = BODY_LIMIT,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  findings.read = chunks
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

async function decompress(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await inflate(bytes, { maxOutputLength: BODY_LIMIT })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new Problem(
      400,
      'malformed_body',
      'The body is not valid gzip. Remove Content-Encoding, or compress the body again.',
    )
  }
}

function parse(bytes: Uint8Array, essence: string): unknown {
  if (isJson(essence)) {
    checkExtent(bytes)
    return parseJson(decodeText(bytes))
  }
  const text = decodeText(bytes)
  if (essence === 'application/x-www-form-urlencoded') {
    if (text.split('&', VALUES_LIMIT + 1).length > VALUES_LIMIT) throw tooMany()
    try {
      decodeURIComponent(text)
    } catch {
      throw new Problem(
        400,
        'malformed_body',
        'The form has an invalid percent-encoding. Encode it as UTF-8.',
      )
    }
  }
  return text
}

function decodeText(bytes: Uint8Array): string {
  try {
    // A byte order mark is kept, so that the JSON parser refuses it (RFC 8259 §8.1).
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Problem(400, 'malformed_body', 'The body is not valid UTF-8. Encode it as UTF-8.')
  }
}

/**
 * Checks how deep and how large JSON is before anything is made of it: a few megabytes of brackets would
 * keep the parser and the validator, and every other request, busy for seconds.
 */
function checkExtent(bytes: Uint8Array): void {
  let depth = 0
  let values = 1
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) {
      // Most of a large body is text, so nothing else is looked at there.
      while (++i < bytes.length && bytes[i] !== QUOTE) if (bytes[i] === BACKSLASH) i++
    } else if (byte === COMMA) values++
    else if (byte === BRACKET || byte === BRACE) {
      depth++
      values++
    } else if (byte === BRACKET_END || byte === BRACE_END) depth--
    if (depth > DEPTH_LIMIT) {
      const detail = `The body is nested more than ${DEPTH_LIMIT} levels deep.`
      throw new Problem(400, 'malformed_body', detail)
    }
    if (values > VALUES_LIMIT) throw tooMany()
  }
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACKET_END, BRACE, BRACE_END] = Buffer.from('"\\,[]{}')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem(400, 'malformed_body', `The body is not valid JSON${locationIn(text)}.`)
  }
}

/** The location of the first syntax error. V8's own messages contain it only for some errors. */
function locationIn(text: string): string {
  const errors: ParseError[] = []
  try {
    locate(text, errors, { disallowComments: true })
  } catch {
    return '' // nested so deeply that the stack is used up
  }
  const before = text.slice(0, errors[0]?.offset ?? 0).split('\n')
  return `: line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

function tooMany(): Problem {
  const detail = `The body has more than ${VALUES_LIMIT} values. Send fewer.`
  return new Problem(413, 'content_too_large', detail)
}

function tooLarge(limit = BODY_LIMIT): Problem {
  return new Problem(
    413,
    'content_too_large',
    `The body has more than ${limit} bytes. Send a smaller one.`,
  )
}
