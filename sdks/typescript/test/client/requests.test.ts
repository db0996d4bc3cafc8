import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { SupportChatError, VERSION } from '../../src/index.js'
import { API_KEY, BASE_URL, createClient, rejection, useServer } from './support.ts'

describe('requests', () => {
  const server = useServer()
  const client = createClient()

  it('lists with its parameters in the query and no body', async () => {
    server.answer({ data: [], next_cursor: null, has_more: false })
    await client.conversations.list({ status: 'handed_off', limit: 5, cursor: 'a b&c=d' })
    expect(server.requests).toEqual([
      {
        method: 'GET',
        url: `${BASE_URL}/v1/conversations?status=handed_off&limit=5&cursor=a%20b%26c%3Dd`,
        headers: {
          accept: 'application/json, application/problem+json',
          authorization: `Bearer ${API_KEY}`,
          'user-agent': `support-chat-typescript/${VERSION} (Node.js/24)`,
        },
        body: '',
      },
    ])
  })

  it('leaves out parameters that are undefined or null', async () => {
    server.answer({})
    await client.request('GET', '/v1/things', { query: { a: undefined, b: null, c: 0, d: '' } })
    expect(server.requests[0]?.url).toBe(`${BASE_URL}/v1/things?c=0&d=`)
  })

  it('gets one by its identifier', async () => {
    server.answer({ id: 'conv_1', later: 'field' })
    expect(await client.conversations.get('conv_1')).toEqual({ id: 'conv_1', later: 'field' })
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      url: `${BASE_URL}/v1/conversations/conv_1`,
    })
  })

  it('posts JSON with an idempotency key of its own', async () => {
    server.answer(HttpResponse.json({ id: 'msg_1' }, { status: 201 }))
    await client.conversations.messages.create('conv_1', { text: 'Grüße 👋' })
    await client.conversations.messages.create('conv_1', { text: 'Grüße 👋' })
    const [first, second] = server.requests
    expect(first).toMatchObject({
      method: 'POST',
      url: `${BASE_URL}/v1/conversations/conv_1/messages`,
      body: '{"text":"Grüße 👋"}',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    })
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key'])
  })

  it('posts a source and reads the counters', async () => {
    server.answer({ id: 'src_1' })
    await client.knowledge.sources.create(
      { type: 'url', url: 'https://shop.test/help' },
      { idempotencyKey: 'mine' },
    )
    await client.analytics.get()
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: `${BASE_URL}/v1/knowledge/sources`,
        body: '{"type":"url","url":"https://shop.test/help"}',
        headers: { 'idempotency-key': 'mine' },
      },
      { method: 'GET', url: `${BASE_URL}/v1/analytics` },
    ])
    expect(server.requests[1]?.headers).not.toHaveProperty('idempotency-key')
  })

  it('sends the headers of a call over its own; null takes one away', async () => {
    server.answer({})
    const headers = { 'X-Team': 'a', Accept: 'text/x', 'User-Agent': null }
    await client.analytics.get({ headers })
    await client.analytics.get({ headers: new Headers({ 'X-Team': 'b' }) })
    expect(server.requests[0]?.headers).toMatchObject({ 'x-team': 'a', accept: 'text/x' })
    expect(server.requests[0]?.headers['user-agent']).toBe('node') // fetch's own
    expect(server.requests[1]?.headers).toMatchObject({ 'x-team': 'b' })
  })

  it.each([
    ['a/b', 'a%2Fb'],
    ['../admin', '..%2Fadmin'],
    ['a?b#c', 'a%3Fb%23c'],
    ['...', '...'],
    ['$&{id}', '%24%26%7Bid%7D'],
    ['é %', '%C3%A9%20%25'],
    ['http://evil.test', 'http%3A%2F%2Fevil.test'],
  ])('keeps the identifier %j inside its segment', async (id, segment) => {
    server.answer({})
    await client.conversations.get(id)
    expect(server.requests[0]?.url).toBe(`${BASE_URL}/v1/conversations/${segment}`)
  })

  it.each(['.', '..', '', '%2e', '%2E.', '\ud800'])(
    'refuses the identifier %j before anything is sent',
    async (id) => {
      const error = await rejection(client.conversations.get(id))
      expect(error).toBeInstanceOf(SupportChatError)
      expect(error).toMatchObject({ outcome: 'not_sent' })
      expect(server.requests).toEqual([])
    },
  )

  it.each(['v1/x', '/v1/../x', '/v1/.', '/v1/x?y=1', '/v1/x#y', '/v1/.\t./x', '/v1\\..\\x'])(
    'refuses the path %j before anything is sent',
    async (path) => {
      expect(await rejection(client.request('GET', path))).toMatchObject({ outcome: 'not_sent' })
      expect(server.requests).toEqual([])
    },
  )

  it('refuses what cannot be written without quoting it', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const calls = [
      () => client.request('POST', '/v1/things', { body: circular }),
      () => client.analytics.get({ headers: { 'x-token': 'secret\nmore' } }),
      () => client.analytics.get({ idempotencyKey: ' ' }),
      () => client.analytics.get({ timeout: -1 }),
      () => client.analytics.get({ maxRetries: -1 }),
      () => client.list('/v1/analytics'),
    ]
    for (const call of calls) {
      const error = await rejection(call())
      expect(error).toBeInstanceOf(SupportChatError)
      expect(error).toMatchObject({ outcome: 'not_sent' })
      expect(String(error)).not.toContain('secret')
    }
    expect(server.requests).toEqual([])
  })

  it('hands out the answer with its body unread', async () => {
    server.answer(HttpResponse.json({ id: 'conv_1' }, { headers: { 'x-request-id': 'req_7' } }))
    const result = await client.conversations.get('conv_1').withResponse()
    expect(result).toMatchObject({ data: { id: 'conv_1' }, requestId: 'req_7' })
    expect(result.response.status).toBe(200)
    expect(await result.response.json()).toEqual({ id: 'conv_1' })
    const response = await client.conversations.get('conv_1').asResponse()
    expect(await response.text()).toBe('{"id":"conv_1"}')
  })

  it('leaves no second rejection behind when the answer is taken instead of the data', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    server.answer(HttpResponse.json({}, { status: 404 }))
    await rejection(client.conversations.get('x').withResponse())
    await rejection(client.conversations.get('x').asResponse())
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('looks the global fetch up at each attempt', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ ok: true }))
    expect(await client.analytics.get()).toEqual({ ok: true })
    expect(fetch).toHaveBeenCalledOnce()
  })

  it('resolves to undefined without content', async () => {
    server.answer(new HttpResponse(null, { status: 204 }))
    expect(await client.request('DELETE', '/v1/things/{id}', { path: { id: 7 } })).toBeUndefined()
    expect(server.requests[0]).toMatchObject({ method: 'DELETE', url: `${BASE_URL}/v1/things/7` })
  })
})
