import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { Webhooks } from '../../src/webhooks/index.ts'
import type { WebhookHandlerOptions } from '../../src/webhooks/node.ts'
import { signed } from '../webhooks/support.ts'
import { cases, codeOf, run, type Start } from './cases.ts'
import { frameworks } from './frameworks.ts'
import { send } from './servers.ts'

const LIMIT = 1_048_576
const ok = { status: 204, allow: undefined, text: '' }

async function started(start: Start, options: WebhookHandlerOptions = {}) {
  const handled: string[] = []
  const errors: unknown[] = []
  const port = await start(new Webhooks(SECRET), ({ id }) => handled.push(id), {
    ...options,
    onError: (error) => errors.push(codeOf(error)),
  })
  const deliver = (size = 0) => {
    const bytes = Buffer.from(JSON.stringify(envelope))
    const body = Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length), ' ')])
    const headers = [
      'content-type',
      'application/json',
      'x-service-signature',
      signed(body, SECRET),
    ]
    return send(port, 'POST', body, headers)
  }
  return { port, handled, errors, deliver }
}

describe.each(Object.entries(frameworks))('a receiver in %s', (_, framework) => {
  const { start, consumed, keeps, buffers } = framework

  test.each(cases)('$id: $rule', async (each) => {
    await run(each, start)
  })

  test('takes bodies up to its own limit, whatever that of the framework', async () => {
    const { deliver, handled, errors } = await started(start)
    expect(await deliver(LIMIT)).toEqual(ok)
    expect((await deliver(LIMIT + 1)).status).toBe(413)
    expect(handled).toEqual([envelope.id])
    expect(errors).toEqual(['payload_too_large'])
  })

  test('says so where a parser has read the body, or reads the body itself', async () => {
    const { deliver, handled, errors } = await started(consumed)
    expect(await deliver()).toEqual({ ...ok, status: keeps ? 204 : 500 })
    expect(handled).toEqual(keeps ? [envelope.id] : [])
    expect(errors).toEqual(keeps ? [] : ['body_already_parsed'])
  })

  test.skipIf(buffers)('ends what a slow sender sends, after its time limit', async () => {
    const { port, deliver, errors } = await started(start, { bodyTimeout: 0.2 })
    const { received, closed } = drip(port)
    await expect.poll(received).toMatch(/^HTTP\/1\.1 503 /)
    await closed
    expect(errors).toEqual(['The body did not arrive within 0.2 seconds.'])
    expect(await deliver()).toEqual(ok)
  })

  test.skipIf(buffers)('tells of a sender that hangs up, not of a parser', async () => {
    const { port, deliver, errors } = await started(start)
    const { socket, sent } = drip(port)
    await sent
    socket.resetAndDestroy()
    await expect.poll(() => errors).toEqual(['The sender hung up before the end of the body.'])
    expect(await deliver()).toEqual(ok)
  })
})

/** Sends a request whose body never ends. */
function drip(port: number) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const type = 'content-type: application/json\r\ncontent-length: 999\r\n'
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${type}\r\n`)
  let pieces = 0
  let tell = () => {}
  const sent = new Promise<void>((resolve) => {
    tell = resolve
  })
  const timer = setInterval(() => {
    socket.write('{')
    if (++pieces === 5) tell()
  }, 20)
  onTestFinished(() => {
    clearInterval(timer)
    socket.destroy()
  })
  return { socket, sent, closed, received: () => text }
}
