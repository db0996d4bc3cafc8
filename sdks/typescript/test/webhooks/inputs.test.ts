import { createContext, runInContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { type WebhookBody, type WebhookHeaders, Webhooks } from '../../src/webhooks/index.ts'
import { onEveryCrypto, refusalOf, signed } from './support.ts'

const text = JSON.stringify(envelope)
const bytes = Buffer.from(text)
const signature = signed(bytes, SECRET)
const headers = { 'x-service-signature': signature, 'x-service-event': envelope.event }

/** A copy in the middle of a larger buffer, as pooled buffers are. */
function pooled(): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.length + 16)
  new Uint8Array(buffer).set(bytes, 8)
  return buffer
}

function exact(): ArrayBuffer {
  return pooled().slice(8, -8)
}

function shared(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}

const bodies: [form: string, body: () => WebhookBody][] = [
  ['a string', () => text],
  ['a Buffer', () => bytes],
  ['a Uint8Array', () => new Uint8Array(exact())],
  ['a part of a larger buffer', () => new Uint8Array(pooled(), 8, bytes.length)],
  ['an ArrayBuffer', exact],
  ['a DataView', () => new DataView(pooled(), 8, bytes.length)],
  ['an Int8Array', () => new Int8Array(exact())],
  ['a Uint8ClampedArray', () => new Uint8ClampedArray(exact())],
  ['a SharedArrayBuffer', shared],
  ['a view of a SharedArrayBuffer', () => new Uint8Array(shared())],
  [
    'bytes of another realm',
    () => runInContext(`new Uint8Array([${[...bytes]}])`, createContext({})) as Uint8Array,
  ],
  [
    'a buffer of another realm',
    () => runInContext(`new Uint8Array([${[...bytes]}]).buffer`, createContext({})) as ArrayBuffer,
  ],
]

const pairs: [string, string][] = [['content-type', 'application/json'], ...Object.entries(headers)]

const headerForms: [form: string, headers: WebhookHeaders][] = [
  ['Headers', new Headers(headers)],
  ['the headers of a Request', new Request('http://a.test', { headers }).headers],
  ['a mapping', headers],
  [
    'a mapping with lists',
    { 'X-Service-Signature': [signature], 'X-Service-Event': [envelope.event] },
  ],
  ['a mapping without a prototype', Object.assign(Object.create(null), headers)],
  ['a mapping with absent values', { ...headers, 'X-SERVICE-SIGNATURE': undefined }],
  ['a Map', new Map(Object.entries(headers))],
  ['a Map with lists', new Map([['X-Service-Signature', [signature]]])],
  ['a list of pairs', pairs],
]

const duplicates: [form: string, headers: WebhookHeaders][] = [
  ['Headers', new Headers([...pairs, ...pairs])],
  ['a mapping with a list', { 'x-service-signature': [signature, signature] }],
  [
    'a mapping with two cases',
    { 'x-service-signature': signature, 'X-Service-Signature': signature },
  ],
  [
    'a Map with two cases',
    new Map(Object.entries({ ...headers, 'X-Service-Event': envelope.event })),
  ],
  ['a list of pairs', [...pairs, ...pairs]],
]

const hostile = (): object =>
  new Proxy(
    {},
    Object.fromEntries(
      Object.getOwnPropertyNames(Reflect).map((trap) => [
        trap,
        () => {
          throw new Error('hostile')
        },
      ]),
    ),
  )

class HostileBytes extends Uint8Array {
  override get byteLength(): number {
    throw new Error('hostile')
  }
}

const noBodies: [what: string, body: unknown][] = [
  ['a parsed event', envelope],
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['a symbol', Symbol('body')],
  ['a list of bytes', [...bytes]],
  ['a Buffer that was through JSON', JSON.parse(JSON.stringify(bytes))],
  ['a String object', Object(text)],
  ['a Blob', new Blob([text])],
  ['a Request', new Request('http://a.test', { method: 'POST', body: text })],
  ['a pretended buffer', { [Symbol.toStringTag]: 'ArrayBuffer', byteLength: bytes.length }],
  ['an object that resists', hostile()],
  ['bytes around which someone has put a proxy', new Proxy(bytes, {})],
  ['bytes that resist', new HostileBytes(bytes)],
]

const noHeaders: [what: string, headers: unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a string', signature],
  ['a number', 7],
  ['an empty mapping', {}],
  ['an empty list', []],
  ['a header with an empty list', { 'x-service-signature': [] }],
  ['a header that is undefined', { 'x-service-signature': undefined }],
  ['inherited headers', Object.create(headers)],
  ['a list of nothing', [[], undefined]],
  ['a list of strings', ['x-service-signature', signature]],
  ['a list of numbers', [[7, 7]]],
  ['an object that resists', hostile()],
  ['a value that resists', { 'x-service-signature': hostile() }],
  ['a symbol as value', { 'x-service-signature': Symbol('value') }],
  [
    'a getter that throws',
    {
      get 'x-service-signature'(): string {
        throw new Error('hostile')
      },
    },
  ],
]

onEveryCrypto(() => {
  test.each(bodies)('reads a body that is %s', async (_, body) => {
    const webhooks = new Webhooks(SECRET, { maxBodyBytes: bytes.length })
    expect(await webhooks.unwrap(body(), headers)).toEqual(envelope)
    expect(await Webhooks.sign(body(), SECRET)).toBe(signature)
  })

  test.each(headerForms)('reads headers that are %s', async (_, form) => {
    expect(await new Webhooks(SECRET).unwrap(bytes, form)).toEqual(envelope)
  })

  test('reads headers that can be gone through only once', async () => {
    expect(await new Webhooks(SECRET).unwrap(bytes, pairs.values())).toEqual(envelope)
    const wrong = [...pairs.slice(0, -1), ['x-service-event', 'other'] as const].values()
    const { code } = await refusalOf(() => new Webhooks(SECRET).unwrap(bytes, wrong))
    expect(code).toBe('event_mismatch')
  })

  test.each(duplicates)('finds a repeated header in %s', async (_, form) => {
    const { code } = await refusalOf(() => new Webhooks(SECRET).unwrap(bytes, form))
    expect(code).toBe('duplicate_header')
  })

  test.each(noBodies)('refuses a body that is %s', async (_, body) => {
    const webhooks = new Webhooks(SECRET)
    const unwrapped = await refusalOf(() => webhooks.unwrap(body as Buffer, headers))
    expect(unwrapped.code).toBe('body_already_parsed')
    const signing = await refusalOf(() => Webhooks.sign(body as Buffer, SECRET))
    expect(signing.code).toBe('body_already_parsed')
  })

  test.each(noHeaders)('finds no signature in headers that are %s', async (_, form) => {
    const webhooks = new Webhooks(SECRET)
    const { code } = await refusalOf(() => webhooks.unwrap(bytes, form as WebhookHeaders))
    expect(code).toBe('missing_signature')
  })

  test.each([7, {}, []])('an event header that is no text (%s) never passes', async (value) => {
    const form = { ...headers, 'x-service-event': [value] } as unknown as WebhookHeaders
    const { code } = await refusalOf(() => new Webhooks(SECRET).unwrap(bytes, form))
    expect(code).toBe('event_mismatch')
  })

  test('what is returned is what was signed, even if the bytes change meanwhile', async () => {
    const body = Buffer.from(text)
    const pending = new Webhooks(SECRET).unwrap(body, headers)
    body.fill(0x20)
    expect(await pending).toEqual(envelope)
  })

  test('a verifier stays usable after refusals, and for deliveries at the same time', async () => {
    const webhooks = new Webhooks(SECRET)
    const broken = Buffer.from([0xe2, 0x82])
    const badHeaders = { 'x-service-signature': signed(broken, SECRET) }
    const { code } = await refusalOf(() => webhooks.unwrap(broken, badHeaders))
    expect(code).toBe('invalid_encoding')
    const events = await Promise.all(
      Array.from({ length: 20 }, () => webhooks.unwrap(bytes, headers)),
    )
    expect(events).toEqual(Array.from({ length: 20 }, () => envelope))
  })

  test('a key called __proto__ changes no object', async () => {
    const body = text.replace('"data":{', '"data":{"__proto__":{"admin":true},')
    const { data } = await new Webhooks(SECRET).unwrap(body, {
      'x-service-signature': signed(Buffer.from(body), SECRET),
    })
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
    expect('admin' in data).toBe(false)
  })
})

describe('options', () => {
  const stranger = undefined as unknown as string

  test.each([[stranger], [[stranger]], [null], [7], [[[SECRET]]]])(
    'a secret that is not a string (%j) is a missing one',
    async (secret) => {
      const construct = await refusalOf(() => new Webhooks(secret as string))
      expect(construct.code).toBe('missing_secret')
      const signing = await refusalOf(() => Webhooks.sign(bytes, secret as string))
      expect(signing.code).toBe('missing_secret')
    },
  )

  test.each([
    { tolerance: -1 },
    { tolerance: Number.NaN },
    { maxBodyBytes: -1 },
    { maxBodyBytes: Number.NaN },
  ])('%j is refused at construction', (options) => {
    expect(() => new Webhooks(SECRET, options)).toThrow(/must be 0 or more/)
  })

  test('null, as programs without types pass it, is a tolerance left out', async () => {
    const webhooks = new Webhooks(SECRET, { tolerance: null as unknown as undefined })
    expect(await webhooks.unwrap(bytes, headers)).toEqual(envelope)
  })

  test('the clock is that of the machine by default', async () => {
    vi.useFakeTimers({ now: Date.parse(envelope.occurred_at) })
    try {
      const webhooks = new Webhooks(SECRET, { tolerance: 1 })
      expect(await webhooks.unwrap(bytes, headers)).toEqual(envelope)
      vi.setSystemTime(Date.parse(envelope.occurred_at) + 1_001)
      const { code } = await refusalOf(() => webhooks.unwrap(bytes, headers))
      expect(code).toBe('stale_event')
    } finally {
      vi.useRealTimers()
    }
  })

  test('an invalid clock makes every event stale', async () => {
    const webhooks = new Webhooks(SECRET, { tolerance: 60, now: () => Number.NaN })
    const { code } = await refusalOf(() => webhooks.unwrap(bytes, headers))
    expect(code).toBe('stale_event')
  })
})
