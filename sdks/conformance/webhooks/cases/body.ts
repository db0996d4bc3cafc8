import { delivery, envelope, withData } from '../delivery.ts'
import type { Mismatch } from '../policy.ts'

const json = JSON.stringify(envelope)
const size = Buffer.byteLength(json)

const nested = (levels: number) => withData(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)
const withoutField = (field: string) => JSON.stringify({ ...envelope, [field]: undefined })

const right: [id: string, rule: string, body: string | Buffer][] = [
  ['white-space', 'JSON may span several lines.', JSON.stringify(envelope, null, 2)],
  ['white-space-around', 'JSON may have white space around it.', `\r\n\t ${json} \n`],
  ['new-field', 'An unknown field is accepted.', json.replace('{', '{"new":[1],')],
  ['data-empty', 'Data may lack fields.', withData('{}')],
  ['data-mistyped', 'Data may have fields of other types.', withData('{"reason":7}')],
  ['nested-100', 'JSON may nest 100 levels.', nested(98)],
  [
    'brackets-in-text',
    'Brackets in a string do not nest.',
    withData(`{"a":"${'[{'.repeat(200)}"}`),
  ],
  [
    'escaped-quote-and-brackets',
    'An escaped quote does not end a string.',
    withData(`{"a":"\\"${'[{'.repeat(200)}\\\\\\"${'[{'.repeat(200)}"}`),
  ],
  [
    'brackets-side-by-side',
    'Sibling lists do not nest.',
    withData(`{"a":[${'[],'.repeat(300)}{}]}`),
  ],
  ['lone-surrogate', 'An escaped lone surrogate is accepted.', withData('{"a":"\\ud800"}')],
  [
    'huge-number',
    'A number beyond double is accepted.',
    withData('{"a":1e999,"b":9007199254740993}'),
  ],
  ['repeated-key', 'The last of repeated keys wins.', json.replace('{', '{"id":7,')],
  ['proto-key', 'A key may be called __proto__.', withData('{"__proto__":{"admin":true}}')],
  ['escaped-keys', 'Keys may be escaped.', json.replace('"id"', '"\\u0069d"')],
  ['nul-in-text', 'A string may hold an escaped NUL.', withData('{"a":"\\u0000"}')],
]

const encoding: [id: string, body: Buffer][] = [
  ['latin1', Buffer.from(json.replace('à', '\u00e0'), 'latin1')],
  [
    'bad-byte',
    Buffer.concat([Buffer.from(json.slice(0, -2)), Buffer.from([0xff]), Buffer.from('}}')]),
  ],
  [
    'overlong',
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
  ],
  [
    'surrogate',
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ],
  ['cut', Buffer.concat([Buffer.from(json), Buffer.from([0xe2, 0x82])])],
  ['beyond-unicode', Buffer.from([0xf4, 0x90, 0x80, 0x80])],
  ['utf-16', Buffer.from(`\ufeff${json}`, 'utf16le')],
]

const notJSON: [id: string, body: string][] = [
  ['empty', ''],
  ['blank', ' '],
  ['word', 'event'],
  ['form', 'event=conversation.handoff&id=evt_1'],
  ['byte-order-mark', `\ufeff${json}`],
  ['cut', json.slice(0, -1)],
  ['trailing-data', `${json}{}`],
  ['trailing-comma', json.replace(/}$/, ',}')],
  ['trailing-nul', `${json}\0`],
  ['comment', `${json}// done`],
  ['single-quotes', json.replaceAll('"', "'")],
  ['bare-keys', json.replace('"id"', 'id')],
  ['nan', withData('{"a":NaN}')],
  ['infinity', withData('{"a":-Infinity}')],
  ['leading-zero', withData('{"a":01}')],
  ['plus-sign', withData('{"a":+1}')],
  ['hex-number', withData('{"a":0x1}')],
  ['half-number', withData('{"a":1.}')],
  ['newline-in-text', withData('{"a":"\n"}')],
  ['bad-escape', withData('{"a":"\\x41"}')],
  ['no-break-space', `\u00a0${json}`],
  ['python-literal', withData('{"a":None}')],
  ['nested-101', nested(99)],
  ['nested-objects-101', withData(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`)],
  ['nested-100000', nested(100_000)],
  ['nested-unclosed', '['.repeat(100_000)],
]

const notEnvelope: [id: string, body: string][] = [
  ['array', `[${json}]`],
  ['text', JSON.stringify(json)],
  ['number', '7'],
  ['null', 'null'],
  ['true', 'true'],
  ['no-fields', '{}'],
  ...Object.keys(envelope).flatMap((field): [string, string][] => [
    [`without-${field}`, withoutField(field)],
    [`null-${field}`, JSON.stringify({ ...envelope, [field]: null })],
    [`number-${field}`, JSON.stringify({ ...envelope, [field]: 7 })],
    [`array-${field}`, JSON.stringify({ ...envelope, [field]: [] })],
    [`case-${field}`, json.replace(`"${field}"`, `"${field.toUpperCase()}"`)],
    [`in-proto-${field}`, withoutField(field).replace('{', `{"__proto__":${json},`)],
  ]),
  ['empty-event', JSON.stringify({ ...envelope, event: '' })],
  ['empty-id', JSON.stringify({ ...envelope, id: '' })],
  ['text-data', JSON.stringify({ ...envelope, data: '{}' })],
  ['repeated-id', json.replace(/}$/, ',"id":7}')],
]

const changed: [id: string, rule: string, change: (body: string) => string, mismatch?: Mismatch][] =
  [
    [
      'spaces',
      'A body that was parsed and encoded again does not match.',
      (body) => body.replaceAll('":', '": '),
    ],
    ['newline', 'An added newline breaks the signature.', (body) => `${body}\n`],
    [
      'byte-order-mark',
      'An added byte order mark breaks the signature.',
      (body) => `\ufeff${body}`,
      'byte_order_mark',
    ],
    ['escaped', 'Escaping text breaks the signature.', (body) => body.replace('à', '\\u00e0')],
    ['normalised', 'Normalising text breaks the signature.', (body) => body.normalize('NFD')],
    [
      'base64',
      'A base64 body does not match.',
      (body) => Buffer.from(body).toString('base64'),
      'base64_body',
    ],
    ['empty', 'An empty body does not match.', () => ''],
  ]

const bodies = (result: 'ok' | string, rule: string, list: [string, string | Buffer][]) =>
  list.map(([id, body]) => delivery(`${result}-${id}`, result, rule, { body, event: null }))

export const bodyCases = [
  ...right.map(([id, rule, body]) => delivery(`body-${id}`, 'ok', rule, { body })),
  delivery('body-unknown-kind', 'ok', 'An unknown kind is accepted.', {
    body: { ...envelope, event: 'conversation.merged' },
    event: 'conversation.merged',
  }),
  delivery('size-at-limit', 'ok', 'The limit is inclusive.', { options: { maxBodyBytes: size } }),
  delivery('size-over-limit', 'payload_too_large', 'The limit counts bytes, not characters.', {
    options: { maxBodyBytes: size - 1 },
  }),
  delivery('size-at-default', 'ok', 'The limit is 1 MiB by default.', {
    body: json.padEnd(1_048_576 - (size - json.length)),
  }),
  delivery(
    'size-over-default',
    'payload_too_large',
    'One byte beyond the default limit is too large.',
    {
      body: json.padEnd(1_048_577 - (size - json.length)),
    },
  ),
  ...changed.map(([id, rule, change, mismatch]) => ({
    ...delivery(`changed-${id}`, 'signature_mismatch', rule, mismatch ? { mismatch } : {}),
    body: { utf8: change(json) },
  })),
  ...bodies('invalid_encoding', 'The body must be valid UTF-8.', encoding),
  ...bodies('invalid_json', 'The body must be strict JSON with at most 100 levels.', notJSON),
  ...bodies('invalid_envelope', 'The body must be a complete envelope.', notEnvelope),
]
