import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { BaseError } from '../../src/generated/names.ts'
import { type WebhookHandlerOptions, webhookHandler } from '../../src/webhooks/fetch.ts'
import {
  Webhooks,
  type WebhooksOptions,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import { signed } from '../webhooks/support.ts'

const body = Buffer.from(JSON.stringify(envelope))
const headers = { 'x-service-signature': signed(body, SECRET) }

function receiver({ maxBodyBytes, ...options }: WebhooksOptions & WebhookHandlerOptions = {}) {
  const handled: string[] = []
  const errors: unknown[] = []
  const webhooks = new Webhooks(SECRET, { maxBodyBytes })
  const onError = (error: unknown) => errors.push(error)
  const receive = webhookHandler(webhooks, ({ id }) => handled.push(id), { ...options, onError })
  return { receive, handled, errors }
}

function post(content: BodyInit | null, more: Record<string, string> = {}): Request {
  const init = { method: 'POST', headers: { ...headers, ...more }, body: content, duplex: 'half' }
  return new Request('http://receiver.test/', init)
}

/** A body in parts that records whether it was read. */
function stream(parts: Iterable<unknown>) {
  const iterator = parts[Symbol.iterator]()
  const cancel = vi.fn()
  let pulls = 0
  const readable = new ReadableStream({
    pull(controller) {
      pulls++
      const { value, done } = iterator.next()
      // A promise is a part that comes later.
      if (value instanceof Promise) return value
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel,
  })
  return { readable, cancel, pulls: () => pulls }
}

test('a delivery is handled, and its response has no body', async () => {
  const { receive, handled } = receiver()
  const response = await receive(post(body))
  expect([response.status, response.body]).toEqual([204, null])
  expect(handled).toEqual([envelope.id])
})

describe('a body that was read before', () => {
  const readers: Record<string, (request: Request) => unknown> = {
    'as JSON': (request) => request.json(),
    'by a reader that still holds it': (request) => request.body?.getReader(),
    'and cancelled': (request) => request.body?.cancel(),
  }
  test.each(Object.entries(readers))('is reported at once, %s', async (_, read) => {
    const { receive, handled, errors } = receiver()
    const request = post(body)
    await read(request)
    expect((await receive(request)).status).toBe(500)
    expect(handled).toEqual([])
    expect(errors).toEqual([expect.any(WebhookVerificationError)])
    expect(errors[0]).toMatchObject({
      code: 'body_already_parsed',
      hint: expect.stringContaining('request.clone()'),
    })
  })

  test('is accepted where it was a clone', async () => {
    const { receive } = receiver()
    const request = post(body)
    await request.clone().json()
    expect((await receive(request)).status).toBe(204)
  })
})

describe('a body that is too large', () => {
  test('is read to its end, so that the connection stays open for the response', async () => {
    const { receive, errors } = receiver({ maxBodyBytes: 10 })
    const { readable, cancel, pulls } = stream(Array(9).fill(new Uint8Array(4)))
    expect((await receive(post(readable))).status).toBe(413)
    expect(cancel).not.toHaveBeenCalled()
    expect(pulls()).toBe(10)
    expect(errors).toMatchObject([{ code: 'payload_too_large' }])
  })

  test('is cancelled where 16 MiB more are not its end', async () => {
    const { receive } = receiver({ maxBodyBytes: 10 })
    const { readable, cancel, pulls } = stream(
      (function* () {
        for (;;) yield new Uint8Array(1_048_576)
      })(),
    )
    expect((await receive(post(readable))).status).toBe(413)
    expect(cancel).toHaveBeenCalledOnce()
    expect(pulls()).toBeLessThan(20)
  })

  test('is cancelled where its end does not come within two seconds', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { receive } = receiver({ maxBodyBytes: 2 })
    const { readable, cancel } = stream([new Uint8Array(4), new Promise(() => {})])
    const response = receive(post(readable))
    await vi.advanceTimersByTimeAsync(1_999)
    expect(cancel).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect((await response).status).toBe(413)
    expect(cancel).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('gets its response where the sender hangs up meanwhile', async () => {
    const { receive, errors } = receiver({ maxBodyBytes: 2 })
    const { readable } = stream(
      (function* () {
        yield new Uint8Array(4)
        yield Promise.reject(new Error('gone'))
      })(),
    )
    expect((await receive(post(readable))).status).toBe(413)
    expect(errors).toMatchObject([{ code: 'payload_too_large' }])
  })

  test('is not looked at where its length is announced as far more', async () => {
    const { receive } = receiver({ maxBodyBytes: 10 })
    const { readable, cancel, pulls } = stream([new Uint8Array(4)])
    expect((await receive(post(readable, { 'content-length': '16777217' }))).status).toBe(413)
    expect(cancel).toHaveBeenCalledOnce()
    expect(pulls()).toBeLessThan(2)
  })

  test('gets a response also where it cannot be cancelled', async () => {
    const { receive } = receiver({ maxBodyBytes: 2 })
    const { readable, cancel } = stream([new Uint8Array(20_000_000)])
    cancel.mockRejectedValue(new Error('no'))
    expect((await receive(post(readable))).status).toBe(413)
  })
})

test('a body may come in parts of any size, also of none', async () => {
  const { receive, handled } = receiver()
  const parts = [...body].flatMap((byte) => [Uint8Array.of(byte), new Uint8Array()])
  expect((await receive(post(stream(parts).readable))).status).toBe(204)
  expect(handled).toEqual([envelope.id])
})

test('a body that breaks off is no event and no crash', async () => {
  const { receive, handled, errors } = receiver()
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error('gone'))
    },
  })
  expect((await receive(post(broken))).status).toBe(503)
  expect(handled).toEqual([])
  expect(errors).toEqual([expect.any(BaseError)])
  expect(errors[0]).not.toBeInstanceOf(WebhookVerificationError)
  expect(errors).toMatchObject([
    { message: expect.stringContaining('hung up'), cause: new Error('gone') },
  ])
})

test('a body that takes too long is given up, and delivered again', async () => {
  const { receive, handled, errors } = receiver({ bodyTimeout: 0.05 })
  const { readable, cancel } = stream([body.subarray(0, 9), new Promise(() => {})])
  expect((await receive(post(readable))).status).toBe(503)
  expect(cancel).toHaveBeenCalledOnce()
  expect(handled).toEqual([])
  expect(errors).toEqual([expect.any(BaseError)])
  expect(errors).toMatchObject([{ message: 'The body did not arrive within 0.05 seconds.' }])
})

test.each([0, null])('a time limit of %s is none', async (bodyTimeout) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { receive } = receiver({ bodyTimeout })
  expect((await receive(post(body))).status).toBe(204)
  expect(vi.getTimerCount()).toBe(0)
})

test('a body whose parts are not bytes is refused', async () => {
  const { receive, errors } = receiver()
  expect((await receive(post(stream([{}]).readable))).status).toBe(500)
  expect(errors).toMatchObject([{ code: 'body_already_parsed' }])
})

describe('a request without a body', () => {
  const signature = { 'x-service-signature': signed(Buffer.alloc(0), SECRET) }

  test('is looked at as any other where its sender says so', async () => {
    const { receive, errors } = receiver()
    const response = await receive(post(null, { ...signature, 'content-length': '0' }))
    expect(response.status).toBe(400)
    expect(errors).toMatchObject([{ code: 'invalid_json' }])
  })

  test.each([undefined, '9'])('of length %s is one whose body was read', async (length) => {
    const { receive, errors } = receiver()
    const announced = length ? Object.assign({ 'content-length': length }, signature) : signature
    const response = await receive(post(null, announced))
    expect(response.status).toBe(500)
    expect(errors).toMatchObject([{ code: 'body_already_parsed' }])
  })
})

test('the body of a request that is no POST is not looked at', async () => {
  const { receive } = receiver()
  const request = new Request('http://receiver.test/', { method: 'PUT', body })
  const response = await receive(request)
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  expect(request.bodyUsed).toBe(false)
})
