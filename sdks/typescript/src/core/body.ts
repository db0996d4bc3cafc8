// Bodies other than JSON. A client contains only those that its contract uses.
import type { BodyCodec } from './operation.js'
import type { Reply } from './reply.js'

/** `multipart/form-data`; `fetch` names it, because only it knows the boundary. */
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
  return { contentType, encode: (body) => body as BodyInit }
}

/** Reads an answer as text. */
export function asText(reply: Reply): string {
  return reply.read()
}

/** Reads an answer as bytes. */
export function asBlob(reply: Reply): Blob {
  return new Blob([reply.content], { type: reply.headers.get('content-type') ?? '' })
}

/** For an answer that has no content. */
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
