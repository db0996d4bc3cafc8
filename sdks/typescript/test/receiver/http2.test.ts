import { once } from 'node:events'
import { connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { Webhooks } from '../../src/webhooks/index.ts'
import { webhookHandler } from '../../src/webhooks/node.ts'
import { signed } from '../webhooks/support.ts'
import { codeOf } from './scenario.ts'

const body = Buffer.from(JSON.stringify(envelope))

/** A receiver behind HTTP/2, and a sender that announces no length. */
async function receiver() {
  const handled: string[] = []
  const errors: unknown[] = []
  const webhooks = new Webhooks(SECRET, { maxBodyBytes: 10_000 })
  const receive = webhookHandler(webhooks, ({ id }) => handled.push(id), {
    bodyTimeout: 0.2,
    onError: (error) => errors.push(codeOf(error)),
  })
  const server = createServer((request, response) => receive(request as never, response as never))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  client.on('error', () => {})
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const open = () => {
    const request = client.request({
      ':method': 'POST',
      ':path': '/',
      'x-service-signature': signed(body, SECRET),
    })
    const status = once(request, 'response').then(([headers]) => headers[':status'])
    request.on('error', () => {}).resume()
    return { request, status }
  }
  const post = (content: Buffer) => {
    const { request, status } = open()
    request.end(content)
    return status
  }
  return { handled, errors, open, post, leave: () => client.destroy() }
}

test('a delivery over HTTP/2 is handled', async () => {
  const { post, handled, errors } = await receiver()
  expect(await post(body)).toBe(204)
  expect([handled, errors]).toEqual([[envelope.id], []])
})

test('a body over HTTP/2 that is empty and has no length was read by other code', async () => {
  const { post, errors } = await receiver()
  expect(await post(Buffer.alloc(0))).toBe(500)
  expect(errors).toEqual(['body_already_parsed'])
})

test('a body over HTTP/2 that is too large leaves the connection as it was', async () => {
  const { post, handled, errors } = await receiver()
  expect(await post(Buffer.alloc(200_000))).toBe(413)
  expect(await post(body)).toBe(204)
  expect([handled, errors]).toEqual([[envelope.id], ['payload_too_large']])
})

test('a slow body over HTTP/2 leaves the connection as it was', async () => {
  const { open, post, errors } = await receiver()
  const { request, status } = open()
  request.write('{')
  expect(await status).toBe(503)
  expect(await post(body)).toBe(204)
  expect(errors).toEqual(['The body did not arrive within 0.2 seconds.'])
})

test('a sender that leaves over HTTP/2 has hung up', async () => {
  const { open, leave, errors } = await receiver()
  const { request } = open()
  request.write('{')
  await new Promise((resolve) => setTimeout(resolve, 50))
  leave()
  await expect.poll(() => errors).toEqual(['The sender hung up before the end of the body.'])
})
