import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { signed } from '../webhooks/support.ts'
import { cases, run } from './cases.ts'
import type { Setting, Steered } from './scenario.ts'
import { send } from './servers.ts'

const LIMIT = 1_048_576
const ok = { status: 204, allow: undefined, text: '' }

/** Starts a receiver, with other code in front that has read the body where that is asked for. */
export type Open = (setting: Setting & { consumed?: boolean }) => Promise<Steered>

/** In what the place of a receiver differs. */
export interface Place {
  /** The framework leaves the raw body to the receiver, whatever parsers it has. */
  keeps?: true | undefined
  /** What is in front waits for the whole body. */
  buffers?: true | undefined
  /** The connection ends as soon as the receiver gives up a body, before the response. */
  drops?: true | undefined
  /** Nothing runs on when the sender has hung up. */
  cuts?: true | undefined
}

/** What holds of a receiver wherever it is. */
export function receives(open: Open, { keeps, buffers, drops, cuts }: Place = {}): void {
  const plain: Setting = { secrets: [SECRET], store: 'none', handler: ['returns'] }

  test.each(cases)('$id: $rule', async (each) => {
    await run(each, await open(each))
  })

  test('takes bodies up to its own limit, whatever that of the framework', async () => {
    const receiver = await open(plain)
    expect(await deliver(receiver, LIMIT)).toEqual(ok)
    expect((await deliver(receiver, LIMIT + 1)).status).toBe(413)
    expect(await receiver.seen()).toEqual({
      handled: [envelope.id],
      errors: ['payload_too_large'],
    })
  })

  test('says so where other code has read the body, or reads the body itself', async () => {
    const receiver = await open({ ...plain, consumed: true })
    expect(await deliver(receiver)).toEqual({ ...ok, status: keeps ? 204 : 500 })
    expect(await receiver.seen()).toEqual(
      keeps
        ? { handled: [envelope.id], errors: [] }
        : { handled: [], errors: ['body_already_parsed'] },
    )
  })

  test.skipIf(buffers)('ends what a slow sender sends, after its time limit', async () => {
    const receiver = await open({ ...plain, bodyTimeout: 0.2 })
    const { received, closed } = drip(receiver)
    if (!drops) await expect.poll(received).toMatch(/^HTTP\/1\.1 503 /)
    await closed
    const { errors } = await receiver.seen()
    expect(errors).toEqual(['The body did not arrive within 0.2 seconds.'])
    expect(await deliver(receiver)).toEqual(ok)
  })

  test.skipIf(buffers || cuts)('tells of a sender that hangs up, not of other code', async () => {
    const receiver = await open(plain)
    const { socket, sent } = drip(receiver)
    await sent
    socket.resetAndDestroy()
    await expect
      .poll(async () => (await receiver.seen()).errors)
      .toEqual(['The sender hung up before the end of the body.'])
    expect(await deliver(receiver)).toEqual(ok)
  })
}

function deliver({ port, path }: Steered, size = 0) {
  const bytes = Buffer.from(JSON.stringify(envelope))
  const body = Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length), ' ')])
  const headers = ['content-type', 'application/json', 'x-service-signature', signed(body, SECRET)]
  return send(port, 'POST', body, headers, path)
}

/** Sends a request whose body never ends. */
function drip({ port, path = '/' }: Steered) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const type = 'content-type: application/json\r\ncontent-length: 199\r\n'
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\n${type}\r\n`)
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
