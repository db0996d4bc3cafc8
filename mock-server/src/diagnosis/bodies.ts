import { type KeyOrder, rewritings } from './json.ts'
import { attempt, type Finding, type Guess } from './types.ts'

interface Change extends Finding {
  /** The possible original bodies; throws for a body that was not changed in this way. */
  undo(body: Buffer): (Buffer | string)[]
}

const BYTE_ORDER_MARK = '\ufeff'

// Keeps the byte order mark, which is a separate change, and throws for anything but UTF-8.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const utf16 = ['utf-16le', 'utf-16be'].map((label) => new TextDecoder(label, { fatal: true }))
const windows1252 = new TextDecoder('windows-1252')

/** The characters of single-byte encodings, with their bytes. */
const CODE_PAGES = [
  (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1'),
  (bytes: Uint8Array) => windows1252.decode(bytes),
].map(
  (decode) =>
    new Map(Array.from({ length: 256 }, (_, byte) => [decode(Uint8Array.of(byte)), byte])),
)

/** How bodies change between the service and the verifier. */
export const BODY_CHANGES: readonly Change[] = [
  {
    name: 'line_break_added',
    text: 'The body ends with a line break that was not signed. Editors, echo and here-documents add one. Write the body with printf %s.',
    undo: (body) => [withoutLineBreaks(body)],
  },
  {
    name: 'line_break_removed',
    text: 'The signed body ends with a line break that is missing here. $(…), trim() and curl --data remove it. Keep the raw bytes; with curl, use --data-binary.',
    undo: (body) => ['\n', '\r\n'].map((end) => Buffer.concat([body, latin1(end)])),
  },
  {
    name: 'line_breaks_to_crlf',
    text: 'The body has CRLF where the signed body has LF. A Windows editor, git or a text mode changed it. Read and write the body as bytes.',
    undo: (body) => [latin1(body.toString('latin1').replaceAll('\r\n', '\n'))],
  },
  {
    name: 'line_breaks_to_lf',
    text: 'The body has LF where the signed body has CRLF. Git, dos2unix or a text mode changed it. Read and write the body as bytes.',
    undo: (body) => [latin1(body.toString('latin1').replace(/\r?\n/g, '\r\n'))],
  },
  {
    name: 'byte_order_mark_added',
    text: 'The body starts with a byte order mark that was not signed. Some editors and PowerShell add it. Save the body as UTF-8 without a byte order mark.',
    undo: (body) => withAndWithoutEnd(utf8.decode(body).replace(/^\ufeff/, '')),
  },
  {
    name: 'byte_order_mark_removed',
    text: 'The signed body starts with a byte order mark that is missing here. Decoding it as text removed it. Verify the raw bytes. A body with a byte order mark is still refused as invalid_json, so the sender must not add one.',
    undo: (body) => [BYTE_ORDER_MARK + utf8.decode(body)],
  },
  {
    name: 'utf_16',
    text: 'The body is UTF-16, but the signed body is UTF-8. PowerShell writes files as UTF-16. Write the raw bytes, for example with Set-Content -AsByteStream.',
    undo: (body) =>
      utf16.flatMap((encoding) => attempt(() => withAndWithoutEnd(encoding.decode(body)))),
  },
  {
    name: 'latin_1',
    text: 'The body is Latin-1 or Windows-1252, but the signed body is UTF-8. A program wrote it in the default encoding of the machine. Keep the raw bytes.',
    undo: (body) => [body.toString('latin1'), windows1252.decode(body)],
  },
  {
    name: 'decoded_as_latin_1',
    text: 'The body was read as Latin-1 or Windows-1252 and written as UTF-8, so é became Ã©. Keep the raw bytes, or read them as UTF-8.',
    undo: (body) => CODE_PAGES.flatMap((page) => attempt(() => [encoded(utf8.decode(body), page)])),
  },
  {
    name: 'unicode_normalised',
    text: 'The accented letters are composed differently than in the signed body. A program normalized the text (NFC or NFD). Verify the raw bytes.',
    undo: (body) => ['NFC', 'NFD'].map((form) => utf8.decode(body).normalize(form)),
  },
  {
    name: 'base64',
    text: "The body is the base64 form of the signed body. AWS Lambda passes it like this if isBase64Encoded is true. Decode it first: Buffer.from(event.body, 'base64').",
    undo: (body) => {
      const text = utf8.decode(body).trim().replace(/^"|"$/g, '')
      return [Buffer.from(matched(text, /^([\w+/\s-]+=*)$/), 'base64')]
    },
  },
  {
    name: 'json_twice',
    text: 'The body is a JSON string that contains the signed text, so it was encoded twice. Call JSON.stringify only once.',
    undo: (body) => [textual(JSON.parse(utf8.decode(body)))],
  },
  {
    name: 'form_encoded',
    text: 'The body is percent-encoded like a form. Keep the raw bytes; with curl, use --data-binary instead of --data-urlencode.',
    undo: (body) => {
      const text = utf8.decode(body).trim().replaceAll('+', ' ')
      return [text, text.replace(/^[\w-]*=/, ''), text.replace(/=$/, '')].map(decodeURIComponent)
    },
  },
  {
    name: 'function_event',
    text: 'The body is the whole event of a cloud function. Verify its field "body" instead. Decode it from base64 if isBase64Encoded is true.',
    undo: (event) => {
      const { body, isBase64Encoded } = JSON.parse(utf8.decode(event))
      return [Buffer.from(textual(body), isBase64Encoded === true ? 'base64' : 'utf8')]
    },
  },
  {
    name: 'bytes_as_json',
    text: 'The body is a JSON list of bytes, which JSON.stringify makes of a Buffer or a Uint8Array. Keep the bytes themselves.',
    undo: (body) => {
      const value = JSON.parse(utf8.decode(body))
      return [Buffer.from(Object.values<number>(value.data ?? value))]
    },
  },
  {
    name: 'whole_request',
    text: 'The file contains the whole request with its headers. The signature covers only the part after the first blank line.',
    undo: (body) => [
      latin1(matched(body.toString('latin1'), /^[A-Z]+ \S+ HTTP\/[\s\S]*?\r?\n\r?\n([\s\S]*)$/)),
    ],
  },
  {
    name: 'nothing_signed',
    text: 'The signature belongs to an empty body. The sender had already consumed the stream, or signed before the body was set.',
    undo: () => [''],
  },
  {
    name: 'object_signed',
    text: 'The signature belongs to the text [object Object]. The sender signed a parsed object. Sign the bytes that are sent.',
    undo: () => ['[object Object]'],
  },
]

/** The body as it is, then the possible originals. */
export function* bodiesFrom(body: Buffer, orders: readonly KeyOrder[]): Generator<Guess<Buffer>> {
  yield { value: body }
  for (const { name, text, undo } of BODY_CHANGES) {
    for (const guess of attempt(() => undo(body))) {
      yield { value: Buffer.from(guess), finding: { name, text } }
    }
  }
  for (const text of attempt(() => [utf8.decode(body)])) {
    for (const rewriting of rewritings(text, orders)) {
      yield { value: Buffer.from(rewriting.text), finding: rewritten(rewriting.words) }
    }
  }
}

function rewritten(words: string): Finding {
  return {
    name: 'json_rewritten',
    text: `The body was parsed and re-serialized. The signed body is the same JSON ${words}. Verify the raw bytes: express.raw() before express.json(), request.arrayBuffer(), request.get_data(), request.raw_post.`,
  }
}

function withoutLineBreaks(body: Buffer): Buffer {
  let end = body.length
  while (body[end - 1] === 0x0a || body[end - 1] === 0x0d) end--
  return body.subarray(0, end)
}

/** A program that saves text in another encoding often adds a line break, too. */
function withAndWithoutEnd(text: string): (Buffer | string)[] {
  return [text, withoutLineBreaks(Buffer.from(text))]
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function encoded(text: string, page: ReadonlyMap<string, number>): Buffer {
  const bytes = Array.from(text, (char) => page.get(char))
  if (bytes.some((byte) => byte === undefined)) throw new Error('The text has other characters.')
  return Buffer.from(bytes as number[])
}

function matched(text: string, pattern: RegExp): string {
  const [, part] = pattern.exec(text) ?? []
  return textual(part)
}

function textual(value: unknown): string {
  if (typeof value === 'string') return value
  throw new Error('The value is not text.')
}
