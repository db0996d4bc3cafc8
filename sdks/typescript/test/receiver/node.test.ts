import { once } from 'node:events'
import { type IncomingMessage, type RequestListener, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import express from 'express'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { BaseError } from '../../src/generated/names.ts'
import {
  Webhooks,
  type WebhooksOptions,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import { type WebhookHandlerOptions, webhookHandler } from '../../src/webhooks/node.ts'
import { signed } from '../webhooks/support.ts'
import { send, serve } from './servers.ts'

const body = Buffer.from(JSON.stringify(envelope))
const headers = ['content-type', 'application/json', 'x-service-signature', signed(body, SECRET)]

function receiver({ maxBodyBytes, ...options }: WebhooksOptions & WebhookHandlerOptions = {}) {
  const handled: string[] = []
  const errors: unknown[] = []
  const webhooks = new Webhooks(SECRET, { maxBodyBytes })
  const onError = (error: unknown) => errors.push(error)
  const listener = webhookHandler(webhooks, ({ id }) => handled.push(id), { ...options, onError })
  return { listener, handled, errors }
}

const deliver = (port: number) => send(port, 'POST', body, headers)
const ok = { status: 204, allow: undefined, text: '' }

describe('a body that a framework has read', () => {
  const { json, raw, text, urlencoded } = express
  const parsers = {
    'express.json()': json(),
    'express.text()': text({ type: () => true }),
    'express.json() as text': [text({ type: () => true }), json()],
  }

  test.each(Object.entries(parsers))('is reported at once, after %s', async (_, parser) => {
    const { listener, handled, errors } = receiver()
    const port = await serve(express().use(parser).post('/', listener))
    expect(await deliver(port)).toEqual({ ...ok, status: 500 })
    expect(handled).toEqual([])
    expect(errors).toEqual([expect.any(WebhookVerificationError)])
    expect(errors[0]).toMatchObject({
      code: 'body_already_parsed',
      hint: expect.stringMatching(/before express\.json\(\).*express\.raw\(/),
    })
  })

  const readers: Record<string, RequestListener> = {
    'with nothing kept': async (incoming) => {
      for await (const _ of incoming);
    },
    'as text': (incoming) => {
      incoming.setEncoding('utf8')
    },
    'with an object kept, and the bytes left': (incoming) => {
      Object.assign(incoming, { body: envelope })
    },
  }

  test.each(Object.entries(readers))('is reported at once, %s', async (_, read) => {
    const { listener, errors } = receiver()
    const port = await serve(async (incoming, outgoing) => {
      await read(incoming as IncomingMessage, outgoing)
      listener(incoming, outgoing)
    })
    expect(await deliver(port)).toEqual({ ...ok, status: 500 })
    expect(errors).toMatchObject([{ code: 'body_already_parsed' }])
  })

  test('of no byte is reported too', async () => {
    const { listener, errors } = receiver()
    const port = await serve(async (incoming, outgoing) => {
      for await (const _ of incoming);
      listener(incoming, outgoing)
    })
    expect(await send(port, 'POST', Buffer.alloc(0), [])).toEqual({ ...ok, status: 500 })
    expect(errors).toMatchObject([{ code: 'body_already_parsed' }])
  })

  const keepers: Record<string, RequestListener[] | ReturnType<typeof raw>> = {
    "express.raw({ type: 'application/json' })": raw({ type: 'application/json' }),
    'a parser for other types': urlencoded(),
  }

  test.each(Object.entries(keepers))('is taken as it came, after %s', async (_, parser) => {
    const { listener, handled } = receiver()
    const port = await serve(express().use(parser).post('/', listener))
    expect(await deliver(port)).toEqual(ok)
    expect(handled).toEqual([envelope.id])
  })

  const remains = {
    'rawBody, as Cloud Functions do': { rawBody: body, body: envelope },
    'an empty object, as Express 4 does': { body: {} },
    null: { body: null },
    'the bytes of another realm': { body: runInNewContext('Uint8Array').from(body) },
  }

  test.each(Object.entries(remains))('is found where a framework leaves %s', async (_, left) => {
    const { listener, handled } = receiver()
    const port = await serve((incoming, outgoing) => {
      listener(Object.assign(incoming, left), outgoing)
    })
    expect(await deliver(port)).toEqual(ok)
    expect(handled).toEqual([envelope.id])
  })

  test('is refused beyond the limit, also where a framework has kept it', async () => {
    const { listener, errors } = receiver({ maxBodyBytes: body.length - 1 })
    const port = await serve(
      express()
        .use(raw({ type: () => true }))
        .post('/', listener),
    )
    expect(await deliver(port)).toEqual({ ...ok, status: 413 })
    expect(errors).toMatchObject([{ code: 'payload_too_large' }])
  })
})

describe('a body that is too large', () => {
  test('is refused by its announced length, before a byte of it comes', async () => {
    const { listener, errors } = receiver()
    const { write, received, closed } = await dial(await serve(listener))
    write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9999999\r\n\r\n')
    await expect.poll(received).toMatch(/^HTTP\/1\.1 413 .*content-length: 0\r\n.*\r\n\r\n$/is)
    expect(errors).toMatchObject([{ code: 'payload_too_large' }])
    await closed
  })

  test('is refused to a sender that waits for 100 Continue', async () => {
    const { listener } = receiver()
    const { write, received } = await dial(await serve(listener))
    write('POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 9999999\r\n\r\n')
    await expect.poll(received).toMatch(/HTTP\/1\.1 413 /)
  })

  test('is refused while it comes, and not read for ever', async () => {
    const { listener, errors } = receiver({ maxBodyBytes: 1000 })
    let taken = 0
    const port = await serve((incoming, outgoing) => {
      listener(incoming, outgoing)
      incoming.on('data', (part: Buffer) => {
        taken += part.length
      })
    })
    const { socket, write, received, closed } = await dial(port)
    write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n')
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
    const push = () => {
      while (socket.writable && socket.write(chunk));
    }
    socket.on('drain', push)
    push()
    await expect.poll(received).toMatch(/^HTTP\/1\.1 413 /)
    await closed
    expect(taken).toBeLessThan(32 * 1024 * 1024)
    expect(errors).toMatchObject([{ code: 'payload_too_large' }])
  })

  test('ends after a while where its sender has stopped', async () => {
    const { listener } = receiver({ maxBodyBytes: 10 })
    const { write, closed } = await dial(await serve(listener))
    const start = Date.now()
    write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\nabc')
    await closed
    expect(Date.now() - start).toBeLessThan(30_000)
  })

  test('leaves the receiver as it was', async () => {
    const { listener, handled } = receiver({ maxBodyBytes: body.length })
    const port = await serve(listener)
    const large = Buffer.alloc(3_000_000)
    for (let i = 0; i < 5; i++) {
      expect(await send(port, 'POST', large, headers)).toEqual({ ...ok, status: 413 })
    }
    expect(await deliver(port)).toEqual(ok)
    expect(handled).toEqual([envelope.id])
  })
})

describe('a sender', () => {
  test.each([0, 10])('that leaves after %i bytes is no event and no crash', async (sent) => {
    const { listener, handled, errors } = receiver()
    const port = await serve(listener)
    const { socket, write } = await dial(port)
    write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n`)
    write(body.subarray(0, sent))
    await sleep(50)
    socket.resetAndDestroy()
    await expect.poll(() => errors).toEqual([expect.any(BaseError)])
    expect(errors[0]).not.toBeInstanceOf(WebhookVerificationError)
    expect(handled).toEqual([])
    expect(await deliver(port)).toEqual(ok)
  })

  test('that leaves early does not leave a pending promise', async () => {
    const { listener, errors } = receiver()
    const finished = vi.fn()
    const port = await serve(async (incoming, outgoing) => {
      await new Promise((resolve) => incoming.once('close', resolve))
      listener(incoming, outgoing).then(finished)
    })
    const { socket, write } = await dial(port)
    write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n')
    await sleep(50)
    socket.resetAndDestroy()
    await expect.poll(() => finished.mock.calls.length).toBe(1)
    expect(errors).toMatchObject([{ message: expect.stringContaining('hung up') }])
  })

  test('that leaves after a part was read is not told of a body that was read', async () => {
    const { listener, errors } = receiver()
    const port = await serve(async (incoming, outgoing) => {
      await once(incoming, 'data')
      await new Promise((resolve) => incoming.once('close', resolve))
      listener(incoming, outgoing)
    })
    const { socket, write } = await dial(port)
    write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nabc')
    await sleep(50)
    socket.resetAndDestroy()
    await expect.poll(() => errors).toHaveLength(1)
    expect(errors).toMatchObject([{ message: expect.stringContaining('hung up') }])
  })

  test('that leaves while its refusal is written is no crash', async () => {
    const { listener } = receiver({ maxBodyBytes: 10 })
    const port = await serve(listener)
    const { socket, write, received } = await dial(port)
    write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\nabc')
    await expect.poll(received).toMatch(/ 413 /)
    socket.resetAndDestroy()
    await sleep(50)
    expect((await deliver(port)).status).toBe(413)
  })

  test('that leaves while its event is handled is no crash', async () => {
    const { handled } = receiver()
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const listener = webhookHandler(new Webhooks(SECRET), async ({ id }) => {
      handled.push(id)
      await opened
    })
    const port = await serve(listener)
    const outgoing = request({ port, method: 'POST', headers: Object.fromEntries(pairs(headers)) })
    outgoing.on('error', () => {}).end(body)
    await expect.poll(() => handled.length).toBe(1)
    outgoing.destroy()
    await sleep(20)
    open()
    expect(await deliver(port)).toEqual(ok)
  })

  test('that is slow is waited for, byte by byte', async () => {
    const { listener, handled } = receiver()
    const { write, received } = await dial(await serve(listener))
    write(`POST / HTTP/1.1\r\nhost: a\r\n${lines(headers)}content-length: ${body.length}\r\n\r\n`)
    for (const byte of body.subarray(0, 40)) {
      write(Buffer.of(byte))
      await sleep(1)
    }
    write(body.subarray(40))
    await expect.poll(received).toMatch(/^HTTP\/1\.1 204 /)
    expect(handled).toEqual([envelope.id])
  })

  test('that is slower than the limit is told to deliver again, and the connection ends', async () => {
    const { listener, handled, errors } = receiver({ bodyTimeout: 0.1 })
    const { write, received, closed } = await dial(await serve(listener))
    write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\n')
    const drip = setInterval(() => write(' '), 20)
    onTestFinished(() => clearInterval(drip))
    await expect.poll(received).toMatch(/^HTTP\/1\.1 503 .*connection: close/is)
    await closed
    expect(handled).toEqual([])
    expect(errors).toEqual([expect.any(BaseError)])
    expect(errors).toMatchObject([{ message: 'The body did not arrive within 0.1 seconds.' }])
  })

  test('that waits for 100 Continue gets it', async () => {
    const { listener, handled } = receiver()
    const port = await serve(listener)
    const outgoing = request({
      port,
      method: 'POST',
      headers: [
        ...headers,
        'host',
        'a',
        'content-length',
        `${body.length}`,
        'expect',
        '100-continue',
      ],
    })
    outgoing.flushHeaders()
    await once(outgoing, 'continue')
    outgoing.end(body)
    const [response] = await once(outgoing, 'response')
    expect(response.statusCode).toBe(204)
    expect(handled).toEqual([envelope.id])
  })

  test('may send one delivery after the other, without waiting, also after refusals', async () => {
    const { listener, handled } = receiver()
    const { write, received } = await dial(await serve(listener))
    const post = (lines: string) =>
      `POST / HTTP/1.1\r\nhost: a\r\n${lines}content-length: ${body.length}\r\n\r\n${body}`
    const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'
    write(post('') + post(lines(headers)) + get + post(lines(headers)))
    await expect
      .poll(() => received().match(/(?<=HTTP\/1\.1 )\d+/g))
      .toEqual(['401', '204', '405', '204'])
    expect(handled).toEqual([envelope.id, envelope.id])
  })

  test.each([
    ['announced', `content-length: 3000\r\n\r\n${' '.repeat(3000)}`],
    ['in chunks', `transfer-encoding: chunked\r\n\r\nbb8\r\n${' '.repeat(3000)}\r\n0\r\n\r\n`],
  ])('gets the response to a POST behind one that is too large, %s', async (_, large) => {
    const { listener, handled } = receiver({ maxBodyBytes: 2000 })
    const { write, received } = await dial(await serve(listener))
    const start = `POST / HTTP/1.1\r\nhost: a\r\n`
    write(`${start}${large}${start}${lines(headers)}content-length: ${body.length}\r\n\r\n${body}`)
    await expect.poll(() => received().match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['413', '204'])
    expect(handled).toEqual([envelope.id])
  })

  test('of a PUT with a long body is not read for ever', async () => {
    const { listener } = receiver()
    const { write, received, closed } = await dial(await serve(listener))
    write('PUT / HTTP/1.1\r\nhost: a\r\ncontent-length: 99999999999\r\n\r\nabc')
    await expect.poll(received).toMatch(/^HTTP\/1\.1 405 .*allow: POST/is)
    await closed
  })
})

test('a body that someone has paused is read', async () => {
  const { listener, handled } = receiver()
  const port = await serve(async (incoming, outgoing) => {
    incoming.pause()
    await sleep(10)
    listener(incoming, outgoing)
  })
  expect(await deliver(port)).toEqual(ok)
  expect(handled).toEqual([envelope.id])
})

test('a request that other code has responded to is left alone', async () => {
  const { listener } = receiver()
  const port = await serve((incoming, outgoing) => {
    outgoing.writeHead(202).end()
    listener(incoming, outgoing)
  })
  expect(await deliver(port)).toEqual({ ...ok, status: 202 })
  expect(await deliver(port)).toEqual({ ...ok, status: 202 })
})

/** A connection on which bytes are sent as they are. */
async function dial(port: number) {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (part) => {
    received += part
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return {
    socket,
    write: (bytes: string | Uint8Array) => socket.write(bytes),
    received: () => received,
    closed,
  }
}

function pairs(list: readonly string[]): [string, string][] {
  return list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1] ?? '']] : []))
}

function lines(list: readonly string[]): string {
  return pairs(list)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
}
