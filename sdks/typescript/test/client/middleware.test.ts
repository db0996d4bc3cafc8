import { describe, expect, it, vi } from 'vitest'
import type { Middleware } from '../../src/index.js'
import { createRawClient } from '../../src/raw/index.js'
import { API_KEY, captureSleeps, createClient, problem, rejection, useServer } from './support.ts'

describe('middleware', () => {
  const server = useServer()

  it('sees the request as it is sent, on every attempt', async () => {
    captureSleeps()
    server.respond(problem(503), { id: 'msg_1' })
    const seen: unknown[] = []
    const middleware: Middleware = async (request, next, attempt) => {
      const { method, url, headers } = request
      const body = await request.clone().text()
      seen.push([attempt, method, url, headers.get('authorization'), body])
      return next(request)
    }
    const client = createClient({ middleware: [middleware] })
    const options = { idempotencyKey: 'k', query: { dry: true }, maxRetries: 0 }
    await rejection(client.conversations.messages.create('conv_1', { text: 'Hi' }, options))
    await client.conversations.get('c1')
    expect(seen).toEqual([
      [
        {
          operation: 'conversations.messages.create',
          method: 'POST',
          template: '/v1/conversations/{id}/messages',
          path: '/v1/conversations/conv_1/messages',
          retry: 0,
        },
        'POST',
        'http://api.test/v1/conversations/conv_1/messages?dry=true',
        `Bearer ${API_KEY}`,
        '{"text":"Hi"}',
      ],
      [expect.objectContaining({ retry: 0 }), 'GET', expect.any(String), expect.any(String), ''],
    ])
  })

  it('runs inside the retries, with the number of the retry', async () => {
    captureSleeps()
    server.respond(problem(503), problem(503), { ok: true })
    const retries: number[] = []
    const middleware: Middleware = (request, next, { retry }) => {
      retries.push(retry)
      request.headers.set('x-attempt', `${retry}`)
      return next(request)
    }
    expect(await createClient({ middleware: [middleware] }).conversations.get('c1')).toEqual({
      ok: true,
    })
    expect(retries).toEqual([0, 1, 2])
    expect(server.requests.map(({ headers }) => headers['x-attempt'])).toEqual(['0', '1', '2'])
  })

  it('runs the first one outermost', async () => {
    server.respond({ ok: true })
    const order: string[] = []
    const named = (name: string): Middleware => {
      return async (request, next) => {
        order.push(`${name} before`)
        const response = await next(request)
        order.push(`${name} after`)
        return response
      }
    }
    await createClient({ middleware: [named('a'), named('b')] }).conversations.get('c1')
    expect(order).toEqual(['a before', 'b before', 'b after', 'a after'])
  })

  it('runs that of a call within that of the client, on every attempt and page', async () => {
    captureSleeps()
    const first = { data: [], next_cursor: 'c' }
    server.respond(problem(503), first, { data: [], next_cursor: null })
    const order: string[] = []
    const named = (name: string): Middleware => {
      return (request, next) => {
        order.push(name)
        return next(request)
      }
    }
    const client = createClient({ middleware: [named('client')] })
    await client.conversations.list({}, { middleware: [named('a'), named('b')] }).toArray()
    expect(order).toEqual(Array(3).fill(['client', 'a', 'b']).flat())
    await client.raw.GET('/v1/conversations', { middleware: [named('raw')] })
    await createRawClient(client).GET('/v1/conversations', { middleware: [named('entry')] })
    expect(order.slice(9)).toEqual(['client', 'raw', 'client', 'entry'])
  })

  it('changes the request and the response', async () => {
    server.respond({ by: 'service' })
    const middleware: Middleware = async (request, next) => {
      const response = await next(new Request(`${request.url}?x=1`, { headers: { 'x-team': 'a' } }))
      return new Response('{"by":"middleware"}', { headers: response.headers })
    }
    const client = createClient({ middleware: [middleware] })
    expect(await client.conversations.get('c1')).toEqual({ by: 'middleware' })
    expect(server.requests[0]?.url).toBe('http://api.test/v1/conversations/c1?x=1')
    expect(server.requests[0]?.headers).toMatchObject({ 'x-team': 'a' })
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('responds by itself, and its response is retried like any other', async () => {
    const sleeps = captureSleeps()
    const responses = [new Response(null, { status: 503 }), Response.json({ ok: true })]
    const middleware: Middleware = () => responses.shift() as Response
    const client = createClient({ middleware: [middleware], fetch: vi.fn() })
    expect(await client.conversations.get('c1')).toEqual({ ok: true })
    expect(sleeps).toEqual([500])
  })

  it('ends the call with an error of its own, unchanged and without a retry', async () => {
    const mine = new TypeError('fetch failed')
    const middleware = vi.fn<Middleware>().mockRejectedValue(mine)
    const client = createClient({ middleware: [middleware] })
    expect(await rejection(client.conversations.get('c1'))).toBe(mine)
    middleware.mockReset().mockImplementation(() => {
      throw mine
    })
    expect(await rejection(client.conversations.get('c1'))).toBe(mine)
    middleware.mockReset().mockImplementation(async (request, next) => {
      await next(request)
      throw mine
    })
    server.respond({ ok: true })
    expect(await rejection(client.conversations.get('c1'))).toBe(mine)
    expect(middleware).toHaveBeenCalledOnce()
  })

  it('must return a response', async () => {
    server.respond({ ok: true })
    const middleware = vi.fn<Middleware>(async (request, next) => {
      await next(request)
      return undefined as unknown as Response
    })
    const error = await rejection(
      createClient({ middleware: [middleware] }).conversations.get('c1'),
    )
    expect(error).toEqual(new TypeError('Middleware must return a Response.'))
    expect(middleware).toHaveBeenCalledOnce()
  })

  it('has sent nothing where it did not reach the service', async () => {
    const sleeps = captureSleeps()
    const fetch = vi.fn()
    let release = () => {}
    const late = new Promise<void>((resolve) => {
      release = resolve
    })
    const middleware = vi.fn<Middleware>(async (request, next) => {
      await late
      return next(request)
    })
    const { messages } = createClient({
      middleware: [middleware],
      fetch,
      timeout: 20,
    }).conversations
    expect(await rejection(messages.create('conv_1', { text: 'Hi' }))).toMatchObject({
      name: 'APITimeoutError',
      outcome: 'not_sent',
    })
    expect(sleeps).toHaveLength(2)
    const signal = AbortSignal.timeout(5)
    expect(await rejection(messages.create('conv_1', { text: 'Hi' }, { signal }))).toMatchObject({
      name: 'TimeoutError',
      attempts: 1,
      outcome: 'not_sent',
    })
    expect(middleware).toHaveBeenCalledTimes(4)
    release()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(fetch).not.toHaveBeenCalled()
  })

  it('gets our error where no response arrived, and leaves the retry to the client', async () => {
    captureSleeps()
    server.respond('network error', { ok: true })
    const seen: unknown[] = []
    const middleware: Middleware = async (request, next) =>
      next(request).catch((error) => {
        seen.push(error.name)
        throw error
      })
    expect(await createClient({ middleware: [middleware] }).conversations.get('c1')).toEqual({
      ok: true,
    })
    expect(seen).toEqual(['APIConnectionError'])
  })

  it('runs under the timeout and the signal of the call', async () => {
    const client = createClient({ middleware: [() => new Promise(() => {})], maxRetries: 0 })
    const slow = client.conversations.get('c1', { timeout: 20 })
    expect(await rejection(slow)).toMatchObject({ name: 'APITimeoutError' })
    const ended = client.conversations.get('c1', { signal: AbortSignal.timeout(20) })
    expect(await rejection(ended)).toMatchObject({ name: 'TimeoutError', attempts: 1 })
  })

  it('ends the request itself at the timeout, whose signal it may have dropped', async () => {
    const aborted = vi.fn()
    const client = createClient({
      middleware: [(request, next) => next(new Request(request.url))],
      fetch: (_, { signal }) =>
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => {
            aborted()
            reject(signal.reason)
          }),
        ),
      maxRetries: 0,
    })
    expect(await rejection(client.conversations.get('c1', { timeout: 20 }))).toMatchObject({
      name: 'APITimeoutError',
    })
    expect(aborted).toHaveBeenCalledOnce()
  })

  it('sends forms with their boundary', async () => {
    server.respond({})
    const form = new FormData()
    form.append('name', 'a')
    const middleware: Middleware = (request, next) => next(request)
    await createClient({ middleware: [middleware] }).request(
      'POST',
      '/v1/things',
      { body: form },
      {},
      {
        body: { contentType: null, encode: (body) => body as FormData },
      },
    )
    const [sent] = server.requests
    const boundary = sent?.headers['content-type']?.replace('multipart/form-data; boundary=', '')
    expect(boundary).toBeTruthy()
    expect(sent?.body).toContain(boundary)
  })

  it('runs for every way to call', async () => {
    server.respond({ data: [] })
    const middleware = vi.fn<Middleware>((request, next) => next(request))
    const client = createClient({ middleware: [middleware] })
    await client.raw.GET('/v1/conversations/{id}', { params: { path: { id: 'c1' } } })
    await client.fetch(new Request('http://api.test/v1/conversations'))
    await client.conversations.list()
    await client.withOptions({ timeout: 1_000 }).request('GET', '/v1/later')
    expect(middleware.mock.calls.map(([, , { operation }]) => operation)).toEqual([
      'conversations.get',
      'conversations.list',
      'conversations.list',
      null,
    ])
  })
})
