/** One attempt over real connections: the request that is sent, and what each response means. */
import { createServer } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import { Webhooks } from '@support-chat/sdk/webhooks'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Sender, type SignatureEncoding } from '../src/delivery/sender.ts'
import { type Receiver, type Responder, receiver, responding } from './receiver.ts'

const SECRET = 'whsec_test'
const BODY = JSON.stringify({
  event: 'conversation.resolved',
  id: 'evt_1',
  occurred_at: '2026-11-21T12:00:00Z',
  data: { conversation_id: 'conv_Zoë' },
})
const EVENT = { id: 'evt_1', kind: 'conversation.resolved', body: BODY }
const MB = 1024 * 1024

const senderOf = (encoding: SignatureEncoding = 'hex', timeout?: number) =>
  new Sender({ allowPrivate: true, encoding, userAgent: 'mock', ...(timeout && { timeout }) })
const patient = senderOf()
const hasty = senderOf('hex', 200)
afterAll(() => Promise.all([patient.close(), hasty.close()]))

const send = (url: string, sender = patient) =>
  sender.send({ endpoint: { id: 'ep_1', url, kinds: null, secret: SECRET }, event: EVENT })

let target: Receiver
afterEach(() => target?.close())

async function attempt(respond: Responder, sender = patient) {
  target = await receiver(respond)
  return send(`${target.url}/hook?a=1`, sender)
}

describe('the request', () => {
  it('is the text of the event, signed, with its kind', async () => {
    await attempt(responding(204))
    const [{ path, headers, body }] = target.received as [(typeof target.received)[0]]
    expect(path).toBe('/hook?a=1')
    expect(body).toBe(BODY)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'mock',
      'x-service-event': 'conversation.resolved',
      'x-service-signature': await Webhooks.sign(BODY, SECRET),
    })
  })

  it.each(['hex', 'base64', 'base64url'] as const)(
    'is verified by the SDK in %s',
    async (encoding) => {
      target = await receiver()
      const sender = senderOf(encoding)
      await send(target.url, sender)
      await sender.close()
      const [{ headers, body }] = target.received as [(typeof target.received)[0]]
      const event = await new Webhooks(SECRET).unwrap(body, headers)
      expect(event).toMatchObject({ id: 'evt_1', event: 'conversation.resolved' })
      await expect(new Webhooks('another').unwrap(body, headers)).rejects.toThrow()
    },
  )
})

describe('a response', () => {
  it.each([200, 201, 204, 299])('of %i is a success', async (status) => {
    expect(await attempt(responding(status))).toMatchObject({ status, reason: null, retry: false })
  })

  it.each([500, 502, 503, 599])('of %i is retried', async (status) => {
    const result = await attempt(responding(status))
    expect(result).toMatchObject({ status, retry: true })
    expect(result.reason).toContain(String(status))
  })

  it.each([400, 401, 404, 409, 410, 429])('of %i is not retried', async (status) => {
    const result = await attempt(responding(status))
    expect(result).toMatchObject({ status, retry: false })
    expect(result.reason).toContain('refused')
  })

  it.each([300, 301, 302, 303, 304, 307, 308])('of %i is not followed', async (status) => {
    const result = await attempt(responding(status, '', { location: '/elsewhere' }))
    expect(result).toMatchObject({ status, retry: false, headers: { location: '/elsewhere' } })
    expect(result.reason).toContain('redirects are not followed')
    expect(target.received).toHaveLength(1)
  })

  it('is kept with its headers, including duplicates', async () => {
    const result = await attempt((response) => {
      response.writeHead(200, { 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] }).end('{"ok":"é"}')
    })
    expect(result.headers).toMatchObject({ 'x-one': '1', 'set-cookie': 'a=1, b=2' })
    expect(result.body).toBe('{"ok":"é"}')
  })

  it('may hold anything', async () => {
    const result = await attempt(
      (response) => void response.end(Buffer.from([0x61, 0, 0xff, 0x62])),
    )
    expect(result).toMatchObject({ status: 200, body: 'a\ufffd\ufffdb' })
  })

  it('is kept up to 16 KB', async () => {
    const result = await attempt(responding(200, 'x'.repeat(20_000)))
    expect(result.body).toBe('x'.repeat(16 * 1024))
  })

  it('of 10 MB counts by its status and is not read to its end', async () => {
    let sent = 0
    const result = await attempt((response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const more = () => {
        for (let goes = true; goes && sent < 10 * MB && !response.destroyed; sent += chunk.length) {
          goes = response.write(chunk)
        }
      }
      response.on('drain', more)
      response.writeHead(200, { 'content-length': 10 * MB })
      more()
    })
    expect(result).toMatchObject({ status: 200, reason: null, body: 'x'.repeat(16 * 1024) })
    expect(sent).toBeLessThan(10 * MB)
  })
})

describe('no response', () => {
  const never: Responder = () => {}
  const drip: Responder = (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  }

  it.each([
    ['from a receiver that hangs', never],
    ['from one that drips', drip],
  ])('%s is a timeout, which is retried', async (_name, respond) => {
    const result = await attempt(respond, hasty)
    expect(result).toMatchObject({ status: null, retry: true, body: '' })
    expect(result.reason).toBe('no complete response within 0.2 s')
  })

  it.each<[string, Responder]>([
    ['from a receiver that resets', (_response, _request, socket) => socket.resetAndDestroy()],
    ['from one that closes', (_response, _request, socket) => socket.destroy()],
    [
      'to its end',
      (response, _request, socket) => {
        response.writeHead(200, { 'content-length': 100 }).write('half', () => socket.destroy())
      },
    ],
  ])('%s is a broken connection, which is retried', async (_name, respond) => {
    const result = await attempt(respond)
    expect(result).toMatchObject({ status: null, retry: true })
    expect(result.reason).toMatch(/^the connection failed: /)
  })

  it('in HTTP is a broken connection', async () => {
    const server = createServer((socket) => socket.end('SSH-2.0-nothing\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    expect(await send(`http://127.0.0.1:${port}`)).toMatchObject({ status: null, retry: true })
    server.close()
  })

  it('from a closed port is a broken connection', async () => {
    target = await receiver()
    await target.close()
    const result = await send(target.url)
    expect(result).toMatchObject({
      retry: true,
      reason: 'the connection failed: nothing listens at this address (ECONNREFUSED)',
    })
  })
})

it.each([
  ['', 'no valid URL'],
  ['hook', 'no valid URL'],
  ['http://', 'no valid URL'],
  ['http://[fe80::1%25eth0]/', 'no valid URL'],
  ['http://a:99999/', 'no valid URL'],
  ['ftp://example.com/', 'has no HTTP URL'],
  ['file:///etc/passwd', 'has no HTTP URL'],
  ['http://user:secret@example.com/', 'user name'],
  ['http://user@example.com/', 'user name'],
])('a delivery to the URL %j fails without a retry', async (url, why) => {
  const result = await send(url)
  expect(result).toMatchObject({ status: null, retry: false })
  expect(result.reason).toContain(why)
  expect(result.reason).not.toContain('secret')
})

it('reuses a connection', async () => {
  target = await receiver()
  for (let i = 0; i < 5; i++) {
    await send(target.url)
    await immediate()
  }
  expect(new Set(target.received.map(({ port }) => port)).size).toBe(1)
})
