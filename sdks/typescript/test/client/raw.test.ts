import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import type { paths, RawClient, SupportChat } from '../../src/index.js'
import { createRawClient } from '../../src/raw/index.js'
import {
  API_KEY,
  BASE_URL,
  captureSleeps,
  createClient,
  problem,
  rejection,
  useServer,
} from './support.ts'

const raws = {
  'client.raw': (client: SupportChat): RawClient<paths> => client.raw,
  createRawClient: (client: SupportChat): RawClient<paths> => createRawClient(client),
}

describe.each(Object.entries(raws))('%s', (_, rawOf) => {
  const server = useServer()
  const raw = rawOf(createClient())

  it('sends a call with the key of the client', async () => {
    server.respond({ id: 'conv_1' })
    const { data, error, response } = await raw.GET('/v1/conversations/{id}', {
      params: { path: { id: 'a/b' } },
    })
    expect(data).toEqual({ id: 'conv_1' })
    expect(error).toBeUndefined()
    expect(response.status).toBe(200)
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      url: `${BASE_URL}/v1/conversations/a%2Fb`,
      headers: { authorization: `Bearer ${API_KEY}` },
      body: '',
    })
  })

  it('returns the body of an error response, and does not throw', async () => {
    server.respond(problem(404))
    const { data, error, response } = await raw.GET('/v1/conversations')
    expect(data).toBeUndefined()
    expect(error).toMatchObject({ code: 'some_code' })
    expect(response.status).toBe(404)
  })

  it('retries like every call, with one key for all attempts of a POST', async () => {
    const sleeps = captureSleeps()
    server.respond(problem(429), HttpResponse.json({ id: 'msg_1' }, { status: 201 }))
    const { data } = await raw.POST('/v1/conversations/{id}/messages', {
      params: { path: { id: 'conv_1' } },
      body: { text: 'Hi' },
    })
    expect(data).toEqual({ id: 'msg_1' })
    expect(sleeps).toEqual([500])
    expect(server.requests[1]).toEqual(server.requests[0])
    expect(server.requests[0]).toMatchObject({
      body: '{"text":"Hi"}',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': expect.stringMatching(/-/),
      },
    })
  })

  it('takes the options of a call', async () => {
    captureSleeps()
    server.respond(problem(503))
    await raw.GET('/v1/conversations', { maxRetries: 0 })
    expect(server.requests).toHaveLength(1)
    await raw.POST('/v1/knowledge/sources', {
      body: { type: 'text', title: 't', text: 'x' },
      params: { header: { 'Idempotency-Key': 'mine' } },
    })
    expect(server.requests[1]?.headers['idempotency-key']).toBe('mine')
    const call = raw.GET('/v1/conversations', { signal: AbortSignal.abort('enough') })
    expect(await rejection(call)).toMatchObject({ name: 'AbortError', cause: 'enough' })
  })

  it('refuses a path that would address something else', async () => {
    const call = raw.GET('/v1/conversations/{id}', { params: { path: { id: '..' } } })
    expect(await rejection(call)).toMatchObject({ outcome: 'not_sent' })
    expect(server.requests).toEqual([])
  })

  it('does not follow redirects', async () => {
    server.respond(
      new HttpResponse(null, { status: 302, headers: { location: 'http://other.test' } }),
    )
    const { response } = await raw.GET('/v1/conversations', { redirect: 'follow' } as object)
    expect(response.status).toBe(302)
    expect(server.requests).toHaveLength(1)
  })

  it('reads bytes and responses without content', async () => {
    const bytes = new Uint8Array([0, 255, 128])
    server.respond(new HttpResponse(bytes), new HttpResponse(null, { status: 204 }))
    const { data } = await raw.GET('/v1/conversations', { parseAs: 'arrayBuffer' })
    expect(new Uint8Array(data as ArrayBuffer)).toEqual(bytes)
    expect((await raw.GET('/v1/conversations')).data).toBeUndefined()
  })

  it('passes on what only fetch uses', async () => {
    const fetch = vi.fn(async (_: string, _init: RequestInit) => Response.json({}))
    const init = { cache: 'no-store', credentials: 'include', keepalive: true } as const
    await rawOf(createClient({ fetch })).GET('/v1/conversations', init)
    expect(fetch.mock.calls[0]?.[1]).toMatchObject(init)
  })

  it('takes headers away with null, and ignores undefined', async () => {
    server.respond({})
    await raw.GET('/v1/conversations', { headers: { authorization: null } })
    await raw.GET('/v1/conversations', { headers: { authorization: undefined } })
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
    expect(server.requests[1]?.headers.authorization).toBe(`Bearer ${API_KEY}`)
  })
})

describe('client.raw', () => {
  it('is made once', () => {
    const client = createClient()
    expect(client.raw).toBe(client.raw)
  })
})

describe('middleware of openapi-fetch', () => {
  const server = useServer()

  it('changes requests and responses', async () => {
    server.respond({})
    const raw = createRawClient(createClient())
    raw.use({
      onRequest: ({ request }) => new Request(request, { headers: { 'x-team': 'a' } }),
      onResponse: ({ response }) => new Response('{"by":"middleware"}', response),
    })
    const { data } = await raw.GET('/v1/conversations', { headers: { 'x-team': 'b' } })
    expect(data).toEqual({ by: 'middleware' })
    expect(server.requests[0]?.headers['x-team']).toBe('a')
  })

  it('keeps the options of a call whose request it replaces', async () => {
    captureSleeps()
    server.respond(problem(503))
    const raw = createRawClient(createClient())
    raw.use({ onRequest: ({ request }) => new Request(request.url) })
    await raw.GET('/v1/conversations', { maxRetries: 0, headers: { accept: null } })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.headers).toMatchObject({ accept: '*/*' }) // fetch's own
    const call = raw.GET('/v1/conversations', { signal: AbortSignal.abort('enough') })
    expect(await rejection(call)).toMatchObject({ name: 'AbortError', cause: 'enough' })
  })

  it('cannot send the key elsewhere', async () => {
    const raw = createRawClient(createClient())
    raw.use({ onRequest: ({ request }) => new Request('http://api.test.evil/v1', request) })
    expect(await rejection(raw.GET('/v1/conversations'))).toMatchObject({ outcome: 'not_sent' })
  })
})

describe('client.fetch', () => {
  const server = useServer()
  const { fetch } = createClient()

  it('sends a request with the key and the retries of the client', async () => {
    const sleeps = captureSleeps()
    server.respond(problem(503), { id: 'a' })
    const response = await fetch(new Request(`${BASE_URL}/v1/later?x=1`))
    expect(await response.json()).toEqual({ id: 'a' })
    expect(sleeps).toEqual([500])
    expect(server.requests[1]).toMatchObject({
      url: `${BASE_URL}/v1/later?x=1`,
      headers: { authorization: `Bearer ${API_KEY}` },
    })
  })

  it('returns any status, and ends with the signal of the request', async () => {
    server.respond(problem(404))
    expect((await fetch(new Request(`${BASE_URL}/v1/later`))).status).toBe(404)
    const signal = AbortSignal.abort('enough')
    const call = fetch(new Request(`${BASE_URL}/v1/later`, { signal }))
    expect(await rejection(call)).toMatchObject({ name: 'AbortError', cause: 'enough' })
  })
})
