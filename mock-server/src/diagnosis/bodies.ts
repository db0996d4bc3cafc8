import { type KeyOrder, rewritings } from './json.ts'
import { attempt, type Finding, type Guess } from './types.ts'

interface Change extends Finding {
  /** What the body may have been before; throws for one that was not changed in this way. */
  undo(body: Buffer): (Buffer | string)[]
}

const BYTE_ORDER_MARK = '\ufeff'

// Keeps the byte order mark, which is a change of its own, and throws for what is not UTF-8.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const utf16 = ['utf-16le', 'utf-16be'].map((label) => new TextDecoder(label, { fatal: true }))
const windows1252 = new TextDecoder('windows-1252')

/** The bytes of characters in the encodings that have one byte for each. */
const CODE_PAGES = [
  (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1'),
  (bytes: Uint8Array) => windows1252.decode(bytes),
].map(
  (decode) =>
    new Map(Array.from({ length: 256 }, (_, byte) => [decode(Uint8Array.of(byte)), byte])),
)

/** What happens to bodies between the service and the verifier. */
export const BODY_CHANGES: readonly Change[] = [
  {
    name: 'line_break_added',
    text: 'The body has a line break at its end that was not signed: an editor, echo or a here-document adds one. Write it with printf %s.',
    undo: (body) => [withoutLineBreaks(body)],
  },
  {
    name: 'line_break_removed',
    text: 'The signed body ends with a line break that is missing here: $(…), trim() and curl --data take it away. Keep the bytes as they came; with curl, use --data-binary.',
    undo: (body) => ['\n', '\r\n'].map((end) => Buffer.concat([body, latin1(end)])),
  },
  {
    name: 'line_breaks_to_crlf',
    text: 'The body has CRLF where the signed one has LF: an editor on Windows, git or a text mode changed it. Read and write it as bytes.',
    undo: (body) => [latin1(body.toString('latin1').replaceAll('\r\n', '\n'))],
  },
  {
    name: 'line_breaks_to_lf',
    text: 'The body has LF where the signed one has CRLF: git, dos2unix or a text mode changed it. Read and write it as bytes.',
    undo: (body) => [latin1(body.toString('latin1').replace(/\r?\n/g, '\r\n'))],
  },
  {
    name: 'byte_order_mark_added',
    text: 'The body begins with a byte order mark that was not signed: an editor or PowerShell adds it. Save it as UTF-8 without one.',
    undo: (body) => withAndWithoutEnd(utf8.decode(body).replace(/^\ufeff/, '')),
  },
  {
    name: 'byte_order_mark_removed',
    text: 'The signed body begins with a byte order mark that is missing here: decoding it as text takes it away. Verify the bytes. A body with one is refused as invalid_json all the same: mend whoever signs.',
    undo: (body) => [BYTE_ORDER_MARK + utf8.decode(body)],
  },
  {
    name: 'utf_16',
    text: 'The body is in UTF-16, the signed one in UTF-8: PowerShell writes files so. Write the bytes as they came, for example with Set-Content -AsByteStream.',
    undo: (body) =>
      utf16.flatMap((encoding) => attempt(() => withAndWithoutEnd(encoding.decode(body)))),
  },
  {
    name: 'latin_1',
    text: 'The body is in Latin-1 or Windows-1252, the signed one in UTF-8: a program wrote it in the encoding of the machine. Keep the bytes.',
    undo: (body) => [body.toString('latin1'), windows1252.decode(body)],
  },
  {
    name: 'decoded_as_latin_1',
    text: 'The body was read as Latin-1 or Windows-1252 and written as UTF-8, so that é became Ã©. Keep the bytes, or read them as UTF-8.',
    undo: (body) => CODE_PAGES.flatMap((page) => attempt(() => [encoded(utf8.decode(body), page)])),
  },
  {
    name: 'unicode_normalised',
    text: 'The letters with accents are put together differently than in the signed body: something normalised the text (NFC, NFD). Verify the bytes as they came.',
    undo: (body) => ['NFC', 'NFD'].map((form) => utf8.decode(body).normalize(form)),
  },
  {
    name: 'base64',
    text: "The body is base64 of the signed one: AWS Lambda hands it over so where isBase64Encoded is true. Decode it first: Buffer.from(event.body, 'base64').",
    undo: (body) => {
      const text = utf8.decode(body).trim().replace(/^"|"$/g, '')
      return [Buffer.from(matched(text, /^([\w+/\s-]+=*)$/), 'base64')]
    },
  },
  {
    name: 'json_twice',
    text: 'The body is a JSON string with the signed text in it: it was encoded twice, as JSON.stringify does with what is text already. Leave one out.',
    undo: (body) => [textual(JSON.parse(utf8.decode(body)))],
  },
  {
    name: 'form_encoded',
    text: 'The body is percent-encoded, as a form sends it. Keep the bytes as they came; with curl, use --data-binary and not --data-urlencode.',
    undo: (body) => {
      const text = utf8.decode(body).trim().replaceAll('+', ' ')
      return [text, text.replace(/^[\w-]*=/, ''), text.replace(/=$/, '')].map(decodeURIComponent)
    },
  },
  {
    name: 'function_event',
    text: 'The body is the whole event of a cloud function; the signed one is its member "body", in base64 where isBase64Encoded is true. Verify that.',
    undo: (event) => {
      const { body, isBase64Encoded } = JSON.parse(utf8.decode(event))
      return [Buffer.from(textual(body), isBase64Encoded === true ? 'base64' : 'utf8')]
    },
  },
  {
    name: 'bytes_as_json',
    text: 'The body is a list of bytes as JSON: JSON.stringify writes a Buffer or a Uint8Array so. Keep the bytes themselves.',
    undo: (body) => {
      const value = JSON.parse(utf8.decode(body))
      return [Buffer.from(Object.values<number>(value.data ?? value))]
    },
  },
  {
    name: 'whole_request',
    text: 'The file holds the whole request, headers included. The signature covers what stands behind the first blank line.',
    undo: (body) => [
      latin1(matched(body.toString('latin1'), /^[A-Z]+ \S+ HTTP\/[\s\S]*?\r?\n\r?\n([\s\S]*)$/)),
    ],
  },
  {
    name: 'nothing_signed',
    text: 'The signature is that of an empty body: whoever signed had read the stream already, or signed before there was a body.',
    undo: () => [''],
  },
  {
    name: 'object_signed',
    text: 'The signature is that of the text [object Object]: whoever signed passed a parsed object. Sign the bytes that are sent.',
    undo: () => ['[object Object]'],
  },
]

/** The body as it is, then what it may have been. */
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
    text: `The body was parsed and written again; the signed one is the same JSON ${words}. Verify the bytes as they came: express.raw() before express.json(), request.arrayBuffer(), request.get_data(), request.raw_post.`,
  }
}

function withoutLineBreaks(body: Buffer): Buffer {
  let end = body.length
  while (body[end - 1] === 0x0a || body[end - 1] === 0x0d) end--
  return body.subarray(0, end)
}

/** What saves a text in another form often ends it with a line break as well. */
function withAndWithoutEnd(text: string): (Buffer | string)[] {
  return [text, withoutLineBreaks(Buffer.from(text))]
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function encoded(text: string, page: ReadonlyMap<string, number>): Buffer {
  const bytes = Array.from(text, (char) => page.get(char))
  if (bytes.some((byte) => byte === undefined)) throw new Error('It has other characters.')
  return Buffer.from(bytes as number[])
}

function matched(text: string, pattern: RegExp): string {
  const [, part] = pattern.exec(text) ?? []
  return textual(part)
}

function textual(value: unknown): string {
  if (typeof value === 'string') return value
  throw new Error('It is no text.')
}
