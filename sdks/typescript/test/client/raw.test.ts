import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import {
  API_KEY,
  BASE_URL,
  captureSleeps,
  createClient,
  problem,
  rejection,
  useServer,
} from './support.ts'

describe('client.raw', () => {
  const server = useServer()
  const client = createClient()

  it('sends what openapi-fetch is asked for, with the key of the client', async () => {
    server.answer({ id: 'conv_1' })
    const { data, error, response } = await client.raw.GET('/v1/conversations/{id}', {
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

  it('hands out a failure as its body and throws nothing for it', async () => {
    server.answer(problem(404))
    const { data, error, response } = await client.raw.GET('/v1/analytics')
    expect(data).toBeUndefined()
    expect(error?.code).toBe('some_code')
    expect(response.status).toBe(404)
  })

  it('repeats like every call and sends one key for all attempts of a POST', async () => {
    const sleeps = captureSleeps()
    server.answer(problem(429), HttpResponse.json({ id: 'msg_1' }, { status: 201 }))
    const { data } = await client.raw.POST('/v1/conversations/{id}/messages', {
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
    server.answer(problem(503))
    await client.raw.GET('/v1/analytics', { maxRetries: 0 })
    expect(server.requests).toHaveLength(1)
    await client.raw.POST('/v1/knowledge/sources', {
      body: { type: 'text', title: 't', text: 'x' },
      params: { header: { 'Idempotency-Key': 'mine' } },
    })
    expect(server.requests[1]?.headers['idempotency-key']).toBe('mine')
    const call = client.raw.GET('/v1/analytics', { signal: AbortSignal.abort('enough') })
    expect(await rejection(call)).toBe('enough')
  })

  it('refuses a path that would address something else', async () => {
    const call = client.raw.GET('/v1/conversations/{id}', { params: { path: { id: '..' } } })
    expect(await rejection(call)).toMatchObject({ outcome: 'not_sent' })
    expect(server.requests).toEqual([])
  })

  it('does not follow redirects', async () => {
    server.answer(
      new HttpResponse(null, { status: 302, headers: { location: 'http://other.test' } }),
    )
    const { response } = await client.raw.GET('/v1/analytics', { redirect: 'follow' })
    expect(response.status).toBe(302)
    expect(server.requests).toHaveLength(1)
  })

  it('keeps bytes and answers without content', async () => {
    const bytes = new Uint8Array([0, 255, 128])
    server.answer(new HttpResponse(bytes), new HttpResponse(null, { status: 204 }))
    const { data } = await client.raw.GET('/v1/analytics', { parseAs: 'arrayBuffer' })
    expect(new Uint8Array(data as ArrayBuffer)).toEqual(bytes)
    expect((await client.raw.GET('/v1/analytics')).data).toBeUndefined()
  })

  it('runs middleware, one that sends another request too', async () => {
    server.answer({})
    const { raw } = client.withOptions({})
    raw.use({
      onRequest: ({ request }) => new Request(request, { headers: { 'x-team': 'a' } }),
      onResponse: ({ response }) => new Response('{"by":"middleware"}', response),
    })
    const { data } = await raw.GET('/v1/analytics')
    expect(data).toEqual({ by: 'middleware' })
    expect(server.requests[0]?.headers['x-team']).toBe('a')
  })

  it('is made once', () => {
    expect(client.raw).toBe(client.raw)
  })
})
