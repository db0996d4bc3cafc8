import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { asBlob, asText, content } from '../../src/core/body.js'
import { type HeaderValues, SupportChat, SupportChatError } from '../../src/index.js'
import { createRawClient } from '../../src/raw/index.js'
import { API_KEY, BASE_URL, createClient, rejection, useServer } from './support.ts'

describe('client options', () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['a timeout beyond the limit of timers', { timeout: 2 ** 31 }, /timeout/],
    ['half a retry', { maxRetries: 0.5 }, /maxRetries/],
  ])('refuses %s', (_, options, message) => {
    expect(() => createClient(options)).toThrow(SupportChatError)
    expect(() => createClient(options)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message), outcome: 'not_sent' }),
    )
  })

  it('refuses to run in a browser without the option', () => {
    vi.stubGlobal('document', {})
    vi.stubGlobal('process', { env: {} })
    try {
      expect(() => createClient()).toThrow(/dangerouslyAllowBrowser/)
      expect(() => createClient({ dangerouslyAllowBrowser: true })).not.toThrow()
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('makes clones that differ only in the given options', async () => {
    const fetch = vi.fn(async () => Response.json({}))
    const client = createClient({ fetch })
    const clone = client.withOptions({ apiKey: 'sk_other' })
    expect(clone).toBeInstanceOf(SupportChat)
    await clone.conversations.get('c1')
    const [url, init] = fetch.mock.calls[0] as unknown as [string, RequestInit]
    expect(url).toBe(`${BASE_URL}/v1/conversations/c1`)
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer sk_other')
  })

  it('shows its key neither when it is printed nor as JSON', () => {
    const client = createClient()
    for (const shown of [
      inspect(client, { depth: 9, showHidden: true, getters: true }),
      JSON.stringify(client),
      String(client),
    ]) {
      expect(shown).not.toContain(API_KEY)
    }
  })
})

describe('options of the client and of a call', () => {
  const server = useServer()

  it('keeps an option whose new value is undefined', async () => {
    server.respond({})
    const client = createClient().withOptions({ apiKey: undefined, baseURL: undefined })
    await client.conversations.get('c1', {
      headers: undefined,
      timeout: undefined,
      maxRetries: undefined,
    })
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`)
  })

  it('merges headers by name, a call over its client', async () => {
    server.respond({})
    const defaultHeaders = { 'X-Team': 'a', 'x-kept': 'b', accept: null, 'x-none': undefined }
    const client = createClient({ defaultHeaders })
    await client.conversations.get('c1', { headers: { 'x-team': 'c', authorization: undefined } })
    await client.conversations.get('c1', { headers: { 'x-team': null } })
    const [first, second] = server.requests.map(({ headers }) => headers)
    expect(first).toMatchObject({
      'x-team': 'c',
      'x-kept': 'b',
      accept: '*/*', // fetch's own
      authorization: `Bearer ${API_KEY}`,
    })
    expect(first).not.toHaveProperty('x-none')
    expect(second).not.toHaveProperty('x-team')
    expect(() => createClient({ defaultHeaders: { 'a b': 'c' } })).toThrow(SupportChatError)
  })

  it('takes the headers of another implementation of fetch', async () => {
    server.respond({})
    // Like those of undici or of another realm: no instance of the global class.
    const headersOf = (name: string): Headers =>
      Object.create(new Map([[name, 'a']]), {
        [Symbol.iterator]: { value: () => [[name, 'a']].values() },
      })
    const client = createClient({ defaultHeaders: headersOf('X-Team') })
    await client.conversations.get('c1', { headers: headersOf('X-Env') })
    await createRawClient(client).GET('/v1/conversations', { headers: headersOf('X-Env') })
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({ 'x-team': 'a', 'x-env': 'a' })
    }
    expect(server.requests).toHaveLength(2)
  })

  it('merges the query by name, a call over its parameters over its client', async () => {
    server.respond({ data: [] })
    const client = createClient({ defaultQuery: { tenant: 't', limit: 5, gone: 1 } })
    await client.conversations.list({ limit: 7, cursor: undefined }, { query: { gone: null } })
    await client.raw.GET('/v1/conversations', { params: { query: { limit: 9 } } })
    await client.fetch(new Request(`${BASE_URL}/v1/analytics?limit=1`), { query: { a: 'b c' } })
    expect(server.requests.map(({ url }) => url.slice(BASE_URL.length))).toEqual([
      '/v1/conversations?tenant=t&limit=7',
      '/v1/conversations?tenant=t&limit=9&gone=1',
      '/v1/analytics?limit=1&tenant=t&gone=1&a=b%20c',
    ])
  })

  it('takes the first cursor of a list from any query', async () => {
    for (const { query, ...options } of [
      { query: { cursor: 'c0' } },
      { defaultQuery: { cursor: 'c0' } },
    ]) {
      server.respond({ data: [1], next_cursor: 'c1' }, { data: [2], next_cursor: null })
      const before = server.requests.length
      const list = createClient(options).conversations.list({}, { query })
      expect(await list.toArray()).toEqual([1, 2])
      const urls = server.requests.slice(before).map(({ url }) => new URL(url).search)
      expect(urls).toEqual(['?cursor=c0', '?cursor=c1'])
    }
  })

  it('keeps the query of a call on all pages', async () => {
    server.respond({ data: [1], next_cursor: 'c1' }, { data: [2], next_cursor: null })
    const list = createClient().conversations.list({}, { query: { beta: 1 } })
    for await (const _ of list) {
    }
    expect(server.requests.map(({ url }) => new URL(url).search)).toEqual([
      '?beta=1',
      '?beta=1&cursor=c1',
    ])
  })

  it('adds members to a body', async () => {
    server.respond({})
    const client = createClient()
    const options = { extraBody: { text: 'b', priority: 1, none: undefined } }
    await client.conversations.messages.create('conv_1', { text: 'a' }, options)
    await client.request('POST', '/v1/things', {}, options)
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { text: 'b', priority: 1 },
      { text: 'b', priority: 1 },
    ])
    const call = client.request('POST', '/v1/things', { body: ['a'] }, options)
    expect(await rejection(call)).toMatchObject({ outcome: 'not_sent' })
  })

  it('sends no body with a method that has none', async () => {
    const client = createClient()
    const body = { a: 1 }
    for (const call of [
      client.conversations.get('c1', { extraBody: body }),
      client.request('HEAD', '/v1/things', {}, { extraBody: body }),
      client.request('GET', '/v1/things', { body }),
    ]) {
      expect(await rejection(call)).toMatchObject({
        message: expect.stringMatching(/has no body.*query/),
        outcome: 'not_sent',
      })
    }
    expect(server.requests).toEqual([])
  })

  it('refuses members for a body that is no object', async () => {
    server.respond({})
    const client = createClient()
    const binary = { body: content('application/octet-stream') }
    const options = { extraBody: { a: 1 } }
    for (const call of [
      ...['text', null, 7, [], new Uint8Array(1)].map((body) =>
        client.request('POST', '/v1/things', { body }, options),
      ),
      client.request('POST', '/v1/files', {}, options, binary),
    ]) {
      expect(await rejection(call)).toMatchObject({
        message: expect.stringMatching(/extraBody/),
        outcome: 'not_sent',
      })
    }
    expect(server.requests).toEqual([])
  })

  it.each([asText, asBlob])('takes the header of the client for a response of %o', async (read) => {
    server.respond(new Response('x'))
    const call = (defaultHeaders: HeaderValues, headers?: HeaderValues) =>
      createClient({ defaultHeaders }).request('GET', '/v1/file', {}, { headers }, { read })
    await call({})
    await call({ Accept: 'text/csv' })
    await call({ Accept: 'text/csv' }, { accept: 'text/plain' })
    expect(server.requests.map(({ headers }) => headers.accept)).toEqual([
      '*/*',
      'text/csv',
      'text/plain',
    ])
  })

  it('waits without limit where the timeout is null', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout')
    const fetch = async () => Response.json({ ok: true })
    expect(await createClient({ fetch, timeout: null }).conversations.get('c1')).toEqual({
      ok: true,
    })
    expect(await createClient({ fetch }).conversations.get('c1', { timeout: null })).toEqual({
      ok: true,
    })
    expect(timer).not.toHaveBeenCalled()
  })
})
