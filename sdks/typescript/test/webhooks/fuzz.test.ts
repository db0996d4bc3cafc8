import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { WEBHOOKS_REFUSALS } from '../../src/generated/policy.ts'
import { webhookHandler as fetchHandler } from '../../src/webhooks/fetch.ts'
import {
  type WebhookBody,
  type WebhookEvent,
  type WebhookHeaders,
  Webhooks,
} from '../../src/webhooks/index.ts'
import { webhookHandler as nodeHandler } from '../../src/webhooks/node.ts'
import { encodings, onEveryCrypto, outcomeOf, refusal, signed } from './support.ts'

const LIMIT = 4_096

// Each of four tests takes 5 seconds, and in a soak a quarter of a million inputs.
const effort =
  process.env.MODE === 'soak'
    ? { numRuns: 250_000 }
    : { numRuns: 250_000, interruptAfterTimeLimit: 5_000 }
const PATIENCE = process.env.MODE === 'soak' ? 1_800_000 : 30_000

/** Keys and values that may break a JSON reader or its callers. */
const token = fc.constantFrom(
  ...['\ufeff', 'NaN', '1e999', '-', '\\ud800', '"__proto__":', '"data":null,', '{}', '\0'],
  ...['['.repeat(200), '{"a":'.repeat(101), '0'.repeat(400), ' '.repeat(5_000)],
)
const splice = fc.record({
  at: fc.nat(),
  drop: fc.oneof(fc.constant(0), fc.nat(9)),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    token.map((text) => Buffer.from(text)),
  ),
})

/** An envelope with some of its bytes changed, before it is signed. */
const nearlyEnvelope = fc
  .tuple(
    fc.record(
      {
        event: fc.oneof(fc.constant(envelope.event), fc.string(), fc.jsonValue()),
        id: fc.oneof(fc.constant(envelope.id), fc.jsonValue()),
        occurred_at: fc.oneof(fc.constant(envelope.occurred_at), fc.jsonValue()),
        data: fc.oneof(fc.constant(envelope.data), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
    fc.array(splice, { maxLength: 3 }),
  )
  .map(([value, changes]) => {
    let bytes = Buffer.from(JSON.stringify({ ...envelope, ...value }))
    for (const { at, drop, insert } of changes) {
      const start = at % (bytes.length + 1)
      bytes = Buffer.concat([bytes.subarray(0, start), insert, bytes.subarray(start + drop)])
    }
    return bytes
  })

const encoding = fc.constantFrom(...encodings)

/** Text that comes close to the value of a header. */
const nearlyHeader = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'sha256=,0fAF+/-_ \t\u00e9') }),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
  fc.string({ unit: 'binary' }),
)

/** A delivery, its body signed as it is, with its headers perhaps changed. */
const nearlyDelivery = fc
  .record({
    body: fc.oneof(nearlyEnvelope, fc.uint8Array()),
    form: encoding,
    signature: fc.option(fc.tuple(fc.nat(), nearlyHeader), { freq: 3 }),
    kind: fc.option(fc.oneof(fc.constant(envelope.event), nearlyHeader)),
    repeats: fc.constantFrom<string[][]>([], [], [], ['x-service-signature'], ['x-service-event']),
  })
  .map(({ body, form, signature, kind, repeats }) => {
    const right = signed(Buffer.from(body), SECRET, form)
    const value = signature ? right.slice(0, signature[0] % 80) + signature[1] : right
    const list: [string, string][] = [['x-service-signature', value]]
    if (kind !== null) list.push(['x-service-event', kind])
    return { body, list: [...list, ...list.filter(([name]) => repeats.includes(name))] }
  })

/** Every form in which headers may be passed. */
const formsOfHeaders: ReadonlyArray<(list: [string, string][]) => unknown> = [
  (list) => list,
  (list) => new Map(list),
  (list) => Object.fromEntries(list),
  (list) => Object.fromEntries(list.map(([name, value]) => [name.toUpperCase(), [value, value]])),
  (list) => list.values(),
  (list) => headersOf(list),
]
const nearlyArguments = fc
  .tuple(nearlyDelivery, fc.constantFrom(...formsOfHeaders))
  .map(([{ body, list }, form]) => [body, () => form(list)] as const)

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
})
const hostile = fc.constantFrom<Array<() => unknown>>(
  () => new Proxy({}, { ownKeys: fail, has: fail, get: fail }),
  () => Object.defineProperty({}, 'x-service-signature', { enumerable: true, get: fail }),
  () => ({ 'x-service-signature': { toString: fail } }),
  () => ({ 'x-service-signature': Symbol('a') }),
  () => [[Symbol('a'), 'b']],
  () => ({ [Symbol.iterator]: fail }),
)
const wrongHeaders = fc.oneof(anything, fc.record({ 'x-service-signature': anything }))
const wrongArguments = fc.tuple(
  fc.oneof(anything, fc.uint8Array(), fc.string({ unit: 'binary' })),
  fc.oneof(
    hostile,
    wrongHeaders.map((headers) => () => headers),
  ),
)

onEveryCrypto(() => {
  test('a verifier throws only the typed error', { timeout: PATIENCE }, async () => {
    const webhooks = new Webhooks(SECRET, { maxBodyBytes: LIMIT, tolerance: 60 })
    await fc.assert(
      fc.asyncProperty(fc.oneof(nearlyArguments, wrongArguments), async (given) => {
        // New for each call: some can be read only once, and fast-check reads values.
        const [body, headersOf] = given as [WebhookBody, () => WebhookHeaders]
        const read = await outcomeOf(() => webhooks.unwrap(body, headersOf()))
        const verified = await outcomeOf(async () => {
          await webhooks.verify(body, headersOf())
          return envelope as WebhookEvent
        })
        // A body that was read is authentic.
        if ('event' in read) expect(verified).toHaveProperty('event')
      }),
      effort,
    )
  })

  test('a receiver reports only the typed error', { timeout: PATIENCE }, async () => {
    const webhooks = new Webhooks(SECRET, { maxBodyBytes: LIMIT })
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const viaFetch = fetchHandler(webhooks, () => {}, { onError })
    const viaNode = nodeHandler(webhooks, () => {}, { onError })
    await fc.assert(
      fc.asyncProperty(nearlyDelivery, fc.integer({ min: 20 }), async ({ body, list }, size) => {
        const headers = headersOf(list)
        const parts = partsOf(body, size)
        errors.length = 0

        const { status } = await viaFetch(requestOf(parts, headers))
        const other = await statusOf(viaNode, parts, Object.fromEntries(headers))

        const reported = errors.map((error) => refusal(error).code)
        const [code] = reported
        expect(reported).toEqual(code ? [code, code] : [])
        expect([status, other]).toEqual(Array(2).fill(code ? WEBHOOKS_REFUSALS[code] : 204))
      }),
      effort,
    )
  })
})

function fail(): never {
  throw new Error('hostile')
}

/** Those that can travel. */
function headersOf(list: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers()
  for (const [name, value] of list) {
    try {
      headers.append(name, value)
    } catch {
      // No client can send it.
    }
  }
  return headers
}

function partsOf(body: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(body.length / size)
  return Array.from({ length: count }, (_, i) => body.subarray(i * size, (i + 1) * size))
}

function requestOf(parts: Uint8Array[], headers: Headers): Request {
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  const init = { method: 'POST', headers, body, duplex: 'half' }
  return new Request('http://receiver.test/', init)
}

/** The status of a node:http receiver, without a connection. */
async function statusOf(
  listener: ReturnType<typeof nodeHandler>,
  parts: Uint8Array[],
  headers: Record<string, string>,
): Promise<number> {
  const incoming = Object.assign(Readable.from(parts), { method: 'POST', headers, complete: true })
  const writeHead = vi.fn((_status: number) => ({ end() {} }))
  const outgoing = { headersSent: false, writeHead }
  await listener(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse)
  return writeHead.mock.calls[0]?.[0] ?? 0
}
