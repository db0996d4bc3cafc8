/** The diagnosis finds every fault of a delivery, and none in a correct one. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BODY_CHANGES } from '../src/diagnosis/bodies.ts'
import { CLUES } from '../src/diagnosis/clues.ts'
import { MISTAKES } from '../src/diagnosis/digests.ts'
import { SECRET_CHANGES } from '../src/diagnosis/secrets.ts'
import { SIGNATURE_CHANGES } from '../src/diagnosis/signatures.ts'
import {
  BODY,
  diagnosed,
  EVENT,
  headersOf,
  hmac,
  names,
  OTHER_SECRET,
  SECRET,
  type Sent,
  signature,
} from './deliveries.ts'

const text = (value: string) => Buffer.from(value)
const utf16be = (value: string) => Buffer.from(value, 'utf16le').swap16()
const pretty = (unit: string | number) => JSON.stringify(EVENT, null, unit)
const spaced = (value: string) => value.replaceAll('":', '": ').replaceAll(',"', ', "')
const escaped = (value: string) =>
  value.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
const withFields = (change: (fields: [string, unknown][]) => [string, unknown][]) => {
  const copy = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(change(Object.entries(value)).map(([key, field]) => [key, copy(field)]))
      : value
  return copy
}
const backwards = withFields((fields) => fields.toReversed())
const sorted = withFields((fields) => fields.toSorted())

/** Without the fields that the contract does not declare. */
const { tags: _, score: __, ...data } = EVENT.data
const DESCRIBED = { ...EVENT, data }

/** A body as it was signed and as it was received. */
interface Changed {
  name: string
  came: string | Buffer
  signed?: string | Buffer
  words?: string
}

const bodies: Changed[] = [
  { name: 'line_break_added', came: `${BODY}\n` },
  { name: 'line_break_added', came: `${BODY}\r\n` },
  { name: 'line_break_removed', signed: `${BODY}\n`, came: BODY },
  { name: 'line_break_removed', signed: `${BODY}\r\n`, came: BODY },
  { name: 'line_breaks_to_crlf', signed: pretty(3), came: pretty(3).replaceAll('\n', '\r\n') },
  { name: 'line_breaks_to_lf', signed: pretty(3).replaceAll('\n', '\r\n'), came: pretty(3) },
  { name: 'byte_order_mark_added', came: `\ufeff${BODY}` },
  { name: 'byte_order_mark_added', came: `\ufeff${BODY}\r\n` },
  { name: 'byte_order_mark_removed', signed: `\ufeff${BODY}`, came: BODY },
  { name: 'utf_16', came: Buffer.from(BODY, 'utf16le') },
  { name: 'utf_16', came: Buffer.from(`\ufeff${BODY}\r\n`, 'utf16le') },
  { name: 'utf_16', came: utf16be(`\ufeff${BODY}`) },
  { name: 'latin_1', signed: '{"a":"né"}', came: Buffer.from('{"a":"né"}', 'latin1') },
  { name: 'latin_1', signed: '{"a":"’"}', came: Buffer.from('{"a":"\x92"}', 'latin1') },
  { name: 'decoded_as_latin_1', came: text(BODY).toString('latin1') },
  {
    name: 'decoded_as_latin_1',
    came: new TextDecoder('windows-1252').decode(text(BODY)),
  },
  { name: 'unicode_normalised', came: BODY.normalize('NFD') },
  { name: 'unicode_normalised', signed: BODY.normalize('NFD'), came: BODY },
  { name: 'base64', came: text(BODY).toString('base64') },
  { name: 'base64', came: `"${text(BODY).toString('base64url')}"\n` },
  { name: 'json_twice', came: JSON.stringify(BODY) },
  { name: 'form_encoded', came: encodeURIComponent(BODY) },
  { name: 'form_encoded', came: String(new URLSearchParams({ payload: BODY })) },
  { name: 'form_encoded', came: String(new URLSearchParams({ [BODY]: '' })) },
  { name: 'function_event', came: JSON.stringify({ body: BODY, isBase64Encoded: false }) },
  {
    name: 'function_event',
    came: JSON.stringify({ body: text(BODY).toString('base64'), isBase64Encoded: true }),
  },
  { name: 'bytes_as_json', came: JSON.stringify(text(BODY)) },
  { name: 'bytes_as_json', came: JSON.stringify(new Uint8Array(text(BODY))) },
  { name: 'whole_request', came: `POST /hook HTTP/1.1\r\nHost: a\r\n\r\n${BODY}` },
  { name: 'nothing_signed', signed: '', came: BODY },
  { name: 'object_signed', signed: '[object Object]', came: BODY },
  { name: 'json_rewritten', came: pretty(2), words: 'without spaces' },
  { name: 'json_rewritten', came: spaced(BODY), words: 'without spaces' },
  { name: 'json_rewritten', signed: spaced(BODY), came: BODY, words: 'after each colon and comma' },
  { name: 'json_rewritten', signed: pretty(2), came: BODY, words: 'by two spaces' },
  { name: 'json_rewritten', signed: pretty(4), came: BODY, words: 'by four spaces' },
  { name: 'json_rewritten', signed: pretty('\t'), came: BODY, words: 'by tabs' },
  {
    name: 'json_rewritten',
    signed: `${BODY}\n`,
    came: pretty(2),
    words: 'a line break at the end',
  },
  { name: 'json_rewritten', came: escaped(BODY), words: 'no more escapes than needed' },
  { name: 'json_rewritten', signed: escaped(BODY), came: BODY, words: 'non-ASCII text escaped' },
  {
    name: 'json_rewritten',
    signed: escaped(BODY).replaceAll('\\u00eb', '\\u00EB').replaceAll('\\u00e9', '\\u00E9'),
    came: BODY,
    words: 'escaped in uppercase',
  },
  { name: 'json_rewritten', came: BODY.replaceAll('/', '\\/'), words: 'no more escapes' },
  {
    name: 'json_rewritten',
    signed: BODY.replaceAll('/', '\\/'),
    came: BODY,
    words: 'with slashes',
  },
  {
    name: 'json_rewritten',
    signed: escaped(BODY).replaceAll('/', '\\/'),
    came: pretty(2),
    words: 'slashes and non-ASCII text',
  },
  {
    name: 'json_rewritten',
    signed: BODY.replace('<', '\\u003c').replace('>', '\\u003e').replace('&', '\\u0026'),
    came: BODY,
    words: 'with <, > and & escaped',
  },
  {
    name: 'json_rewritten',
    signed: JSON.stringify(sorted(EVENT)).replace('1.5', '1.50'),
    came: JSON.stringify(backwards(EVENT)).replace('1.5', '1.50'),
    words: 'its keys sorted',
  },
  {
    name: 'json_rewritten',
    signed: JSON.stringify(DESCRIBED),
    came: JSON.stringify(backwards(DESCRIBED), null, 2),
    words: "its keys in the contract's order",
  },
]

const secrets: { name: string; has: string; signed?: string }[] = [
  { name: 'secret_padded', has: `${SECRET}\n` },
  { name: 'secret_padded', has: `\ufeff ${SECRET}` },
  { name: 'secret_trimmed', has: SECRET, signed: `${SECRET}\n` },
  { name: 'secret_quoted', has: `"${SECRET}"` },
  { name: 'secret_quoted', has: `'${SECRET}'\n` },
  { name: 'secret_with_escapes', has: `${SECRET}\\n` },
  { name: 'secret_with_its_name', has: `SUPPORT_CHAT_WEBHOOK_SECRET=${SECRET}` },
  { name: 'secret_with_its_name', has: `export S="${SECRET}"` },
  { name: 'secret_prefix_kept', has: SECRET, signed: SECRET.slice(6) },
  { name: 'secret_prefix_stripped', has: SECRET.slice(6), signed: SECRET },
]

const digest = hmac(BODY)
const hex = digest.toString('hex')
const malformed: { name: string; code: string; headers: Sent['headers'] }[] = [
  { name: 'signature_prefix_missing', code: 'malformed_signature', headers: headersOf(hex) },
  {
    name: 'signature_prefix_missing',
    code: 'malformed_signature',
    headers: headersOf(digest.toString('base64url')),
  },
  ...['SHA256=', 'sha-256=', 'v1=', 'sha1='].map((label) => ({
    name: 'signature_label_wrong',
    code: 'unsupported_algorithm',
    headers: headersOf(label + hex),
  })),
  {
    name: 'signature_label_wrong',
    code: 'malformed_signature',
    headers: headersOf(`sha256:${hex}`),
  },
  ...[
    `"sha256=${hex}"`,
    `sha256= ${hex}`,
    `sha256=${hex}\u00a0`,
    `t=1;v1=${hex}`,
    `sha256="${hex}"`,
  ].map((value) => ({
    name: 'signature_form_wrong',
    code: value.startsWith('t=') ? 'unsupported_algorithm' : 'malformed_signature',
    headers: headersOf(value),
  })),
  {
    name: 'signature_elsewhere',
    code: 'missing_signature',
    headers: [['x_service_signature', signature()]],
  },
  {
    name: 'signature_elsewhere',
    code: 'malformed_signature',
    headers: [
      ['x-service-signature', EVENT.event],
      ['x-service-event', signature()],
    ],
  },
  {
    name: 'header_repeated',
    code: 'duplicate_header',
    headers: [...headersOf('sha256=00'), ...headersOf(signature()).slice(0, 1)],
  },
  { name: 'header_repeated', code: 'duplicate_header', headers: headersOf(`${signature()}, x`) },
  { name: 'header_repeated', code: 'duplicate_header', headers: headersOf(signature(), 'a,b') },
]

const sha256 = (...parts: string[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const HEX_SECRET = 'whsec_00ff10ab00ff10ab'
const mistakes: { name: string; digest: Buffer | string; secret?: string }[] = [
  { name: 'hashed_without_key', digest: sha256(BODY) },
  { name: 'hashed_with_secret', digest: sha256(SECRET, BODY) },
  { name: 'hashed_with_secret', digest: sha256(BODY, SECRET) },
  { name: 'hmac_swapped', digest: hmac(SECRET, BODY) },
  { name: 'hmac_other_hash', digest: hmac(BODY, SECRET, 'sha1') },
  { name: 'hmac_other_hash', digest: hmac(BODY, SECRET, 'sha384') },
  { name: 'hmac_other_hash', digest: hmac(BODY, SECRET, 'sha512') },
  { name: 'secret_decoded_base64', digest: hmac(BODY, Buffer.from(SECRET.slice(6), 'base64')) },
  { name: 'secret_decoded_base64', digest: hmac(BODY, Buffer.from(SECRET, 'base64')) },
  {
    name: 'secret_decoded_hex',
    digest: hmac(BODY, Buffer.from('00ff10ab00ff10ab', 'hex')),
    secret: HEX_SECRET,
  },
  ...['', '.', ':', '\n'].map((mark) => ({
    name: 'header_signed_too',
    digest: hmac(`${EVENT.event}${mark}${BODY}`),
  })),
  { name: 'digest_cut', digest: digest.subarray(0, 20) },
  { name: 'digest_cut', digest: hex.slice(0, 43) },
  { name: 'digest_cut', digest: digest.toString('base64').slice(0, 42) },
  { name: 'digest_encoded_twice', digest: text(hex).toString('base64') },
]

const clues: { name: string; came: string }[] = [
  { name: 'body_empty', came: '' },
  { name: 'body_is_object', came: '[object Object]' },
  { name: 'body_has_replacements', came: BODY.replaceAll(/[^ -~]/g, '\ufffd') },
  { name: 'body_cut', came: BODY.slice(0, -10) },
]

describe('a delivery that is refused', () => {
  it.each(bodies)(
    'because its body was changed: $name $words',
    async ({ name, came, signed = BODY, words }) => {
      const diagnosis = await diagnosed({ body: came, headers: headersOf(signature(signed)) })
      expect(diagnosis).toMatchObject({ code: 'signature_mismatch', status: 401 })
      expect(diagnosis.findings[0]?.name).toBe(name)
      expect(diagnosis.findings[0]?.text).toContain(words ?? '')
    },
  )

  it.each(secrets)(
    'because its secret was changed: $name',
    async ({ name, has, signed = SECRET }) => {
      const headers = headersOf(signature(BODY, signed))
      const alone = await diagnosed({ headers, secrets: [has] })
      expect(alone.code).toBe('signature_mismatch')
      expect(names(alone)).toEqual([name])
      const second = await diagnosed({ headers, secrets: [OTHER_SECRET, has] })
      expect(second.findings[0]).toMatchObject({ name, text: expect.stringContaining('SECRET_2 ') })
    },
  )

  it('because both were changed', async () => {
    const came = { body: pretty(2), secrets: [`'${SECRET}'`] }
    expect(names(await diagnosed(came))).toEqual(['json_rewritten', 'secret_quoted'])
  })

  it.each(malformed)(
    'because its header is wrong: $code, $name',
    async ({ name, code, headers = [] }) => {
      const diagnosis = await diagnosed({ headers })
      expect(diagnosis.code).toBe(code)
      expect(names(diagnosis).slice(0, 2)).toEqual([code, name])
      const changed = await diagnosed({ headers, body: `${BODY}\n` })
      expect(names(changed).slice(0, 3)).toEqual([code, name, 'line_break_added'])
    },
  )

  it.each(mistakes)(
    'because it was signed wrongly: $name',
    async ({ name, digest, secret = SECRET }) => {
      const forms = Buffer.isBuffer(digest)
        ? (['hex', 'base64', 'base64url'] as const).map((form) => digest.toString(form))
        : [digest]
      for (const form of forms) {
        for (const label of ['sha256=', 'sha512=', '']) {
          const headers = headersOf(label + form)
          const diagnosis = await diagnosed({ headers, secrets: [OTHER_SECRET, secret] })
          expect(diagnosis.code).not.toBe('ok')
          expect(names(diagnosis)).toContain(name)
        }
      }
    },
  )

  it.each(clues)('without a cure, but with a clue: $name', async ({ name, came }) => {
    const diagnosis = await diagnosed({ body: came })
    expect(names(diagnosis).slice(0, 2)).toEqual([name, 'other_secret'])
  })

  it('for a reason that cannot be known: the secret is another one', async () => {
    const diagnosis = await diagnosed({ secrets: [OTHER_SECRET] })
    expect(names(diagnosis)).toEqual(['other_secret'])
    expect(diagnosis.findings[0]?.text).toContain('probably belongs to another endpoint')
  })

  it('because a secret is blank', async () => {
    const diagnosis = await diagnosed({ secrets: [SECRET, ' \n'] })
    expect(diagnosis).toMatchObject({ code: 'missing_secret', status: 500 })
    expect(names(diagnosis)).toEqual(['missing_secret', 'secret_blank'])
    expect(diagnosis.findings[1]?.text).toBe('SECRET_2 is blank. Set it to the signing secret.')
  })
})

it('every row of the tables has a test', () => {
  const shown = [...bodies, ...secrets, ...malformed, ...mistakes, ...clues].map(({ name }) => name)
  const rows = [BODY_CHANGES, SECRET_CHANGES, SIGNATURE_CHANGES, MISTAKES, CLUES].flat()
  expect(rows.map(({ name }) => name).filter((name) => !shown.includes(name))).toEqual([])
  for (const { text } of rows) expect(text).toMatch(/\.$/)
})

describe('a fault after the first one', () => {
  it('is named, in order', async () => {
    const diagnosis = await diagnosed({
      body: `${BODY.slice(0, -1)}${' '.repeat(1_048_576)}}`,
      headers: headersOf(signature(), 'conversation.csat'),
      tolerance: 0,
    })
    expect(diagnosis).toMatchObject({ code: 'payload_too_large', status: 413 })
    expect(names(diagnosis)).toEqual([
      'payload_too_large',
      'signature_mismatch',
      'event_mismatch',
      'stale_event',
    ])
    expect(diagnosis.findings.at(-1)?.text).toContain('refused with stale_event (400): occurred_at')
  })

  it('is searched in the signed body', async () => {
    const signed = `\ufeff${BODY}`
    const diagnosis = await diagnosed({ body: BODY, headers: headersOf(signature(signed)) })
    expect(names(diagnosis)).toEqual(['byte_order_mark_removed', 'invalid_json'])
  })
})

describe('a delivery that is accepted', () => {
  it('is ok under the secret that signed it', async () => {
    const diagnosis = await diagnosed({})
    expect(diagnosis).toMatchObject({ code: 'ok', status: 204 })
    expect(diagnosis.findings.map(({ text }) => text)).toEqual(['The signature matches SECRET_1.'])
  })

  it('reports that a rotation is not finished', async () => {
    const diagnosis = await diagnosed({ secrets: [OTHER_SECRET, SECRET] })
    expect(names(diagnosis)).toEqual(['signature_of_older_secret'])
    expect(diagnosis.findings[0]?.text).toContain('matches SECRET_2, not SECRET_1')
  })

  it('may be of an unknown kind', async () => {
    const body = JSON.stringify({ ...EVENT, event: 'conversation.teleported' })
    const headers = headersOf(signature(body), 'conversation.teleported')
    expect(names(await diagnosed({ body, headers }))).toEqual(['signature_right', 'unknown_kind'])
  })

  it.each([
    ['2026-03-02T06:21:48Z', '3 hours ago'],
    ['2026-03-04T09:21:50Z', 'in 2 days'],
    ['2026-03-02t09:11:48z', '10 minutes ago'],
    ['0001-01-01T00:00:00Z', 'days ago'],
  ])('may be of %s, which some receivers refuse', async (occurred_at, words) => {
    const body = JSON.stringify({ ...EVENT, occurred_at })
    const diagnosis = await diagnosed({ body, headers: headersOf(signature(body)) })
    expect(names(diagnosis)).toEqual(['signature_right', 'not_fresh'])
    expect(diagnosis.findings[1]?.text).toContain(words)
    expect(diagnosis.findings[1]?.text).toContain('stale_event (400)')
  })
})
