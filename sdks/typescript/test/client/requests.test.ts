import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { SupportChatError } from '../../src/index.js'
import { API_KEY, BASE_URL, createClient, rejection, useServer } from './support.ts'

describe('requests', () => {
  const server = useServer()
  const client = createClient()

  it('leaves out parameters that are undefined or null', async () => {
    server.respond({})
    await client.request('GET', '/v1/things', { query: { a: undefined, b: null, c: 0, d: '' } })
    expect(server.requests[0]?.url).toBe(`${BASE_URL}/v1/things?c=0&d=`)
  })

  it('takes headers as Headers, and ignores undefined', async () => {
    server.respond({})
    await client.conversations.get('c1', { headers: new Headers({ 'X-Team': 'b' }) })
    await client.conversations.get('c1', { headers: { authorization: undefined } })
    expect(server.requests[0]?.headers).toMatchObject({ 'x-team': 'b' })
    expect(server.requests[1]?.headers.authorization).toBe(`Bearer ${API_KEY}`)
  })

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
      () => client.request('GET', '/v1/things', { query: { a: { b: ['secret'] } } }),
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

  it('returns the response with its body unread', async () => {
    server.respond(HttpResponse.json({ id: 'conv_1' }, { headers: { 'x-request-id': 'req_7' } }))
    const result = await client.conversations.get('conv_1').withResponse()
    expect(result).toMatchObject({ data: { id: 'conv_1' }, requestId: 'req_7' })
    expect(result.response.status).toBe(200)
    expect(await result.response.json()).toEqual({ id: 'conv_1' })
    const response = await client.conversations.get('conv_1').asResponse()
    expect(await response.text()).toBe('{"id":"conv_1"}')
  })

  it('leaves no second rejection when the response is taken instead of the data', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    server.respond(HttpResponse.json({}, { status: 404 }))
    await rejection(client.conversations.get('x').withResponse())
    await rejection(client.conversations.get('x').asResponse())
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('looks the global fetch up at each attempt', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ ok: true }))
    expect(await client.conversations.get('c1')).toEqual({ ok: true })
    expect(fetch).toHaveBeenCalledOnce()
  })
})
