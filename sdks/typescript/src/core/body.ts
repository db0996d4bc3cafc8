// Bodies other than JSON. A client contains only those that its contract uses.
import { BaseError } from '../generated/names.js'
import type { BodyCodec, EncodedBody } from './operation.js'
import type { BufferedResponse } from './response.js'

/** `multipart/form-data`. `fetch` writes the header, because it chooses the boundary. */
export const multipart: BodyCodec = {
  contentType: null,
  encode(body) {
    if (body instanceof FormData) return body
    const form = new FormData()
    for (const [name, value] of fields(body)) {
      form.append(name, value instanceof Blob ? value : String(value))
    }
    return form
  },
}

/** `application/x-www-form-urlencoded`. */
export const urlEncoded: BodyCodec = {
  contentType: 'application/x-www-form-urlencoded',
  encode: (body) =>
    new URLSearchParams([...fields(body)].map(([name, value]) => [name, String(value)])).toString(),
}

/** Bytes or text, sent as they are. */
export function content(contentType: string): BodyCodec {
  return {
    contentType,
    encode(body) {
      if (!isPlain(body)) return body as EncodedBody
      throw new BaseError(`A body of ${contentType} has no members. Remove extraBody.`)
    },
  }
}

/** Whether a value is an object without a class, as JSON has them. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Reads a response as text. */
export function asText(response: BufferedResponse): string {
  return response.text()
}

/** Reads a response as bytes. */
export function asBlob({ content, headers }: BufferedResponse): Blob {
  return new Blob([content], { type: headers.get('content-type') ?? '' })
}

/** For a response without content. */
export function asNothing(): undefined {
  return undefined
}

/** The fields of a form: a list is repeated, an absent value left out. */
function* fields(body: unknown): Generator<[name: string, value: unknown]> {
  for (const [name, value] of Object.entries(body ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) yield [name, item]
    }
  }
}
