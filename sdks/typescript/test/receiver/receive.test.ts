import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { BaseError } from '../../src/generated/names.ts'
import { webhookHandler } from '../../src/webhooks/fetch.ts'
import {
  type DedupeStore,
  MemoryDedupeStore,
  WebhookReceiver,
  WebhookRouter,
  Webhooks,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import { signed } from '../webhooks/support.ts'

const body = Buffer.from(JSON.stringify(envelope))
const webhooks = new Webhooks(SECRET)

function delivery(secret = SECRET): Request {
  const headers = { 'x-service-signature': signed(body, secret) }
  return new Request('http://receiver.test/', { method: 'POST', headers, body })
}

describe('without a hook', () => {
  const log = vi.fn()
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(log)
  })
  afterEach(() => {
    log.mockReset()
  })

  test('a refusal is logged, with neither secret nor digest nor body', async () => {
    const receive = webhookHandler(webhooks, () => {})
    expect((await receive(delivery('whsec_other'))).status).toBe(401)
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.any(WebhookVerificationError))
    const text = inspect(log.mock.calls)
    expect(text).toContain('signature_mismatch')
    for (const hidden of [
      SECRET,
      signed(body, SECRET).slice(7),
      signed(body, 'whsec_other').slice(7),
      'conv_01J2Z8M3VN',
    ])
      expect(text).not.toContain(hidden)
  })

  test('what the handler throws is logged', async () => {
    const failure = new Error('The database is down.')
    const receive = webhookHandler(webhooks, async () => Promise.reject(failure))
    expect((await receive(delivery())).status).toBe(503)
    expect(log).toHaveBeenCalledExactlyOnceWith(failure)
  })

  test('success is not logged', async () => {
    expect((await webhookHandler(webhooks, () => {})(delivery())).status).toBe(204)
    expect(log).not.toHaveBeenCalled()
  })
})

describe('a hook', () => {
  test('is passed the error alone', async () => {
    const onError = vi.fn()
    await webhookHandler(webhooks, () => {}, { onError })(delivery('whsec_other'))
    expect(onError.mock.calls).toEqual([[expect.any(WebhookVerificationError)]])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('hook')
      },
    ],
    ['rejects', () => Promise.reject(new Error('hook'))],
    ['never ends', () => new Promise(() => {})],
  ] as const)('that %s changes no response', async (_, onError) => {
    const receive = webhookHandler(webhooks, () => {}, { onError })
    expect((await receive(delivery('whsec_other'))).status).toBe(401)
    expect((await receive(delivery())).status).toBe(204)
  })
})

describe('a handler', () => {
  test.each([undefined, new WebhookRouter()])('must be a function, and not %s', (given) => {
    const error = new BaseError('The handler is not a function.')
    expect(() => webhookHandler(webhooks, given as never)).toThrow(error)
    expect(() => new WebhookReceiver(webhooks, given as never)).toThrow(error)
  })

  test.each([
    ['an error', new Error('no')],
    ['undefined', undefined],
    ['a refusal of another delivery', new WebhookVerificationError('payload_too_large')],
  ])('that throws %s gets the event again', async (_, thrown) => {
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const handler = () => {
      throw thrown
    }
    const receive = webhookHandler(webhooks, handler, { onError, store: new MemoryDedupeStore() })
    expect((await receive(delivery())).status).toBe(503)
    expect((await receive(delivery())).status).toBe(503)
    expect(errors).toEqual([thrown, thrown])
  })

  test('is called once for deliveries that come at once', async () => {
    const handler = vi.fn(() => Promise.resolve())
    const receive = webhookHandler(webhooks, handler, { store: new MemoryDedupeStore() })
    const responses = await Promise.all(Array.from({ length: 50 }, () => receive(delivery())))
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([204, ...Array(49).fill(503)])
    expect(handler).toHaveBeenCalledOnce()
    expect((await receive(delivery())).status).toBe(204)
    expect(handler).toHaveBeenCalledOnce()
  })
})

describe('a store', () => {
  test('gets the id of the event and the token of its lease', async () => {
    const calls: unknown[] = []
    const store: DedupeStore = {
      begin: async (id) => {
        calls.push(['begin', id])
        return { state: 'new', token: 'token_1' }
      },
      done: async (...given) => void calls.push(['done', ...given]),
      release: async (...given) => void calls.push(['release', ...given]),
    }
    let fails = false
    const handler = () => {
      if (fails) throw new Error('no')
    }
    const receive = webhookHandler(webhooks, handler, { store, onError: () => {} })
    await receive(delivery())
    fails = true
    await receive(delivery())
    await receive(delivery('whsec_other'))
    expect(calls).toEqual([
      ['begin', envelope.id],
      ['done', envelope.id, 'token_1'],
      ['begin', envelope.id],
      ['release', envelope.id, 'token_1'],
    ])
  })

  test.each([undefined, {}, { state: 'gone' }])(
    'that returns %j never loses an event',
    async (lease) => {
      const handler = vi.fn()
      const store = { begin: () => lease as never, done: () => {}, release: () => {} }
      const onError = vi.fn()
      const receive = webhookHandler(webhooks, handler, { store, onError })
      expect((await receive(delivery())).status).toBe(503)
      expect(handler).not.toHaveBeenCalled()
      expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error))
    },
  )

  test.each([
    ['another process', undefined],
    ['web-3:812', 'web-3:812'],
  ])('that knows of an event in progress tells the hook of %s', async (who, holder) => {
    const store: DedupeStore = {
      begin: () => ({ state: 'in_progress', holder }),
      done() {},
      release() {},
    }
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const receive = webhookHandler(webhooks, () => {}, { store, onError })
    expect((await receive(delivery())).status).toBe(503)
    expect(errors).toEqual([expect.any(BaseError)])
    const message = `${envelope.id} is being handled by ${who}. The service delivers it again.`
    expect(errors).toMatchObject([{ message }])
  })

  test('that refuses like a verifier loses no event', async () => {
    const begin = () => Promise.reject(new WebhookVerificationError('signature_mismatch'))
    const store = { begin, done() {}, release() {} }
    const receive = webhookHandler(webhooks, () => {}, { store, onError: () => {} })
    expect((await receive(delivery())).status).toBe(503)
  })
})

describe('a receiver without a server', () => {
  const headers = { 'x-service-signature': signed(body, SECRET) }
  const make = () => {
    const handled: string[] = []
    const errors: unknown[] = []
    const receiver = new WebhookReceiver(webhooks, ({ id }) => handled.push(id), {
      store: new MemoryDedupeStore(),
      onError: (error) => errors.push(error),
    })
    return { receiver, handled, errors }
  }

  test('resolves to the status, and handles an event once', async () => {
    const { receiver, handled, errors } = make()
    expect(await receiver.receive(body, headers)).toBe(204)
    expect(await receiver.receive(body.toString(), new Headers(headers))).toBe(204)
    expect(handled).toEqual([envelope.id])
    expect(errors).toEqual([])
  })

  test('takes the promise of a body', async () => {
    const { receiver, handled } = make()
    expect(await receiver.receive(delivery().arrayBuffer(), headers)).toBe(204)
    expect(handled).toEqual([envelope.id])
  })

  test('delivers again what could not be read', async () => {
    const { receiver, errors } = make()
    const failure = new Error('reset')
    expect(await receiver.receive(Promise.reject(failure), headers)).toBe(503)
    expect(errors).toEqual([failure])
  })

  test.each([
    [401, body, {}],
    [500, JSON.parse(body.toString()), headers],
    [500, undefined, headers],
    [500, '', headers],
    [400, '', { 'x-service-signature': signed(Buffer.alloc(0), SECRET), 'content-length': '0' }],
    [401, body, null],
  ])('resolves to %i, whatever is passed (%#)', async (status, given, headers) => {
    const { receiver, errors } = make()
    expect(await receiver.receive(given as string, headers as object as Headers)).toBe(status)
    expect(errors).toEqual([expect.objectContaining({ status })])
  })
})
