import { once } from 'node:events'
import { type OutgoingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Event, Webhooks, WebhookVerificationError } from '@support-chat/sdk/webhooks'
import { type TestContext, test } from 'vitest'
import { createReceiver } from '../typescript/src/receiver.ts'

const SECRET = 'whsec_test'
const BODY = '{"event":"a.b","id":"evt_1","occurred_at":"2026-03-02T09:00:00Z","data":{}}'
const SIGNATURE = await Webhooks.sign(BODY, SECRET)
const SIGNED = { 'x-service-signature': SIGNATURE }
const NOT_JSON = { 'x-service-signature': await Webhooks.sign('{', SECRET) }

const refused: [what: string, status: number, code: string, body: string, OutgoingHttpHeaders][] = [
  ['without a signature', 401, 'missing_signature', BODY, {}],
  ['with two', 401, 'duplicate_header', BODY, { 'x-service-signature': [SIGNATURE, SIGNATURE] }],
  ['without a digest', 401, 'malformed_signature', BODY, { 'x-service-signature': 'sha256=' }],
  ['signed with MD5', 401, 'unsupported_algorithm', BODY, { 'x-service-signature': 'md5=ab' }],
  ['that was changed', 401, 'signature_mismatch', `${BODY} `, SIGNED],
  ['that is too large', 413, 'payload_too_large', BODY.padEnd(1001), SIGNED],
  ['that is no JSON', 400, 'invalid_json', '{', NOT_JSON],
  ['of two kinds', 400, 'event_mismatch', BODY, { ...SIGNED, 'x-service-event': 'a.c' }],
]

test.for(refused)('a delivery %s is answered %i, without the reason', async (row, context) => {
  const [, status, code, body, headers] = row
  const { expect } = context
  const { deliver, handled, reports } = await startReceiver(context)
  expect(await deliver(body, headers)).toEqual({ status, text: '' })
  expect(handled).toEqual([])
  expect(reports).toEqual([expect.any(WebhookVerificationError)])
  expect(reports[0]).toMatchObject({ code })
})

test('an event that could not be handled is asked for again, and then handled', async (context) => {
  const { expect } = context
  let broken = true
  const { deliver, handled, reports } = await startReceiver(context, async () => {
    if (broken) throw new Error('The database is down.')
  })
  expect(await deliver(BODY, SIGNED)).toEqual({ status: 503, text: '' })
  expect(reports.map(String)).toEqual(['Error: The database is down.'])
  broken = false
  expect(await deliver(BODY, SIGNED)).toEqual({ status: 204, text: '' })
  expect(handled).toEqual(['evt_1', 'evt_1'])
})

test('an event that comes again is handled once', async (context) => {
  const { expect } = context
  const { deliver, handled } = await startReceiver(context)
  expect(await deliver(BODY, SIGNED)).toEqual({ status: 204, text: '' })
  expect(await deliver(BODY, SIGNED)).toEqual({ status: 204, text: '' })
  expect(handled).toEqual(['evt_1'])
})

test('an event that comes again while it is handled is asked for later', async (context) => {
  const { expect } = context
  const work = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const { deliver, handled } = await startReceiver(context, () => {
    started.resolve()
    return work.promise
  })
  const first = deliver(BODY, SIGNED)
  await started.promise
  expect(await deliver(BODY, SIGNED)).toEqual({ status: 503, text: '' })
  work.resolve()
  expect(await first).toEqual({ status: 204, text: '' })
  expect(handled).toEqual(['evt_1'])
})

async function startReceiver(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  handle: (event: Event) => Promise<void> = async () => {},
) {
  const handled: string[] = []
  const reports: unknown[] = []
  const server = createReceiver({
    webhooks: new Webhooks(SECRET),
    maxBodyBytes: 1000,
    handle: (event) => {
      handled.push(event.id)
      return handle(event)
    },
    report: (error) => reports.push(error),
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as AddressInfo

  // node:http, as fetch cannot send a header twice.
  async function deliver(body: string, headers: OutgoingHttpHeaders) {
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers }).end(body)
    const [response] = await once(outgoing, 'response')
    return { status: response.statusCode, text: await text(response) }
  }
  return { deliver, handled, reports }
}
