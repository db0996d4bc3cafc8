import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { APIError, type Conversation, NotFoundError, RateLimitError } from '../../src/index.ts'
import { createHandlers, fixtures, mock, respond } from '../../src/msw/index.ts'
import * as testing from '../../src/testing/index.ts'
import { createClient, rejection } from '../client/support.ts'

const handlers = createHandlers()
const server = setupServer(...handlers)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => {
  server.resetHandlers()
  handlers.reset()
})
afterAll(() => server.close())

const client = createClient({ maxRetries: 0 })

describe('a handler of each operation', () => {
  test('returns the example of the contract', async () => {
    expect(await client.analytics.get()).toEqual(fixtures.analytics())
    expect(await client.conversations.list().toArray({ limit: 100 })).toEqual(
      fixtures.conversationPage().data,
    )
    expect(await client.conversations.get(fixtures.conversation().id)).toEqual(
      fixtures.conversation(),
    )
  })

  test('returns the example with the ID that is asked for', async () => {
    const other = await client.conversations.get('conv_01J2Z7Q4KX')
    expect(other).toMatchObject({ id: 'conv_01J2Z7Q4KX', status: 'open', handoff: null })
    const unknown = await client.conversations.get('a b/ü')
    expect(unknown).toEqual(fixtures.conversation({ id: 'a b/ü' }))
  })

  test('returns what was sent, and the status of the contract', async () => {
    const { data, response } = await client.conversations.messages
      .create('conv_1', { text: 'Hi' })
      .withResponse()
    expect(response.status).toBe(201)
    expect(data).toEqual(fixtures.message({ id: data.id, conversation_id: 'conv_1', text: 'Hi' }))
    const source = { type: 'text', title: 'Hours', text: 'From 9 to 5.' } as const
    expect(await client.knowledge.sources.create(source)).toMatchObject({
      type: 'text',
      title: 'Hours',
      status: 'pending',
    })
  })

  test('remembers what was created, until it is reset', async () => {
    const transcript = async (id: string) =>
      (await client.conversations.get(id)).transcript.map(({ text }) => text)
    const before = await transcript('conv_1')
    const created = []
    for (const text of ['one', 'two']) {
      created.push(await client.conversations.messages.create('conv_1', { text }))
    }
    created.push(await client.conversations.messages.create('conv_2', { text: 'three' }))
    expect(new Set(created.map(({ id }) => id)).size).toBe(3)
    expect(await transcript('conv_1')).toEqual([...before, 'one', 'two'])
    expect(await transcript('conv_2')).toEqual([...before, 'three'])
    handlers.reset()
    expect(await transcript('conv_1')).toEqual(before)
  })
})

describe('the handler of one operation', () => {
  test('takes data', async () => {
    server.use(mock.conversations.get(fixtures.conversation({ status: 'open' })))
    expect((await client.conversations.get('conv_1')).status).toBe('open')
    expect((await client.conversations.get('conv_1')).status).toBe('open')
  })

  test('takes a function, with the parameters of the path', async () => {
    server.use(
      mock.conversations.get(async ({ params, request }) => {
        expect(request.headers.get('authorization')).toMatch(/^Bearer /)
        return params.id === 'conv_9'
          ? respond.notFound()
          : fixtures.conversation({ id: params.id })
      }),
    )
    expect((await client.conversations.get('ä/b')).id).toBe('ä/b')
    expect(await rejection(client.conversations.get('conv_9'))).toBeInstanceOf(NotFoundError)
  })

  test('takes a function, with the body of the request', async () => {
    server.use(
      mock.conversations.messages.create(async ({ params, json }) => {
        const { text } = await json()
        return fixtures.message({ conversation_id: params.id, text: text.toUpperCase() })
      }),
    )
    const message = await client.conversations.messages.create('conv_1', { text: 'hi' })
    expect(message).toMatchObject({ conversation_id: 'conv_1', text: 'HI' })
  })

  test('takes a response of its own', async () => {
    server.use(mock.analytics.get(HttpResponse.error()))
    const error = await rejection(client.analytics.get())
    expect(error).toMatchObject({ name: 'APIConnectionError' })
  })

  test('may be used once', async () => {
    server.use(mock.analytics.get(respond.serviceUnavailable(), { once: true }))
    expect(await rejection(client.analytics.get())).toMatchObject({ status: 503 })
    expect(await client.analytics.get()).toEqual(fixtures.analytics())
  })

  test('may be that of one base URL', async () => {
    server.use(mock.analytics.get(respond.forbidden(), { baseURL: 'http://other.test/' }))
    expect(await client.analytics.get()).toEqual(fixtures.analytics())
    const other = createClient({ baseURL: 'http://other.test' })
    expect(await rejection(other.analytics.get())).toMatchObject({ status: 403 })
  })

  test('is typed by its operation', () => {
    expectTypeOf(mock.conversations.get).parameter(0).extract<Conversation>().not.toBeNever()
    // @ts-expect-error there is no such parameter
    mock.conversations.get(({ params }) => fixtures.conversation({ id: params.name }))
    // @ts-expect-error a page is no conversation
    mock.conversations.get(fixtures.conversationPage())
    // @ts-expect-error there is no such field
    fixtures.conversation({ state: 'open' })
  })
})

describe('an error of the contract', () => {
  test.each(Object.entries(respond))('%s is one for the client', async (_, make) => {
    const expected = make()
    server.use(mock.conversations.get(make()))
    const error = await rejection(client.conversations.get('conv_1'))
    expect(error).toBeInstanceOf(APIError)
    const { status, headers } = expected
    expect(error).toMatchObject({ status, requestId: headers.get('x-request-id') })
    expect((error as APIError).problem).toEqual(await expected.json())
  })

  test('may ask to wait, and the client tries again', async () => {
    const patient = createClient({ maxRetries: 1 })
    server.use(mock.analytics.get(respond.rateLimited({ retryAfter: 0.01 }), { once: true }))
    expect(await patient.analytics.get()).toEqual(fixtures.analytics())
    server.use(mock.analytics.get(respond.rateLimited({ retryAfter: 2 })))
    const error = await rejection(client.analytics.get())
    expect(error).toBeInstanceOf(RateLimitError)
    expect((error as RateLimitError).retryAfter).toBe(2)
  })

  test('may have other parts, and headers', async () => {
    const options = { body: { code: 'archived' }, headers: { 'x-shard': '7' } }
    server.use(mock.conversations.get(respond.conflict(options)))
    const error = (await rejection(client.conversations.get('conv_1'))) as APIError
    expect(error.code).toBe('archived')
    expect(error.problem).toMatchObject({ status: 409, title: 'Conflict' })
    expect(error.headers.get('x-shard')).toBe('7')
  })

  test('fits handlers that you write by hand', async () => {
    server.use(http.get('*/v1/analytics', () => respond.internalServerError()))
    expect(await rejection(client.analytics.get())).toMatchObject({ status: 500 })
  })
})

describe('fixtures', () => {
  test('are merged deeply, and share nothing', () => {
    const one = fixtures.conversation({ handoff: { reason: 'A refund.' }, transcript: [] })
    expect(one.handoff?.reason).toBe('A refund.')
    expect(one.handoff?.requested_at).toBe(fixtures.conversation().handoff?.requested_at)
    expect(one.transcript).toEqual([])
    expect(fixtures.conversation({ handoff: null }).handoff).toBeNull()
    expect(fixtures.conversation({ status: undefined })).toEqual(fixtures.conversation())
    const spoiled = fixtures.conversation()
    spoiled.transcript.length = 0
    expect(fixtures.conversation().transcript).not.toEqual([])
    expectTypeOf(fixtures.conversation()).toEqualTypeOf<Conversation>()
  })

  test('are a part of the test kit too', () => {
    expect(testing.fixtures).toBe(fixtures)
  })
})

describe('paths', () => {
  const base = 'https://api.example.com/support/'

  test('that the contract does not have are 404, below a base URL', async () => {
    server.use(...createHandlers({ baseURL: base }))
    const other = createClient({ baseURL: base })
    expect(await other.analytics.get()).toEqual(fixtures.analytics())
    const error = await rejection(other.request('GET', '/v1/nothing'))
    expect(error).toBeInstanceOf(NotFoundError)
    expect((error as NotFoundError).message).toContain(
      'The contract has no GET /support/v1/nothing.',
    )
  })

  test('of others are left alone', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {}) // msw names what it does not know
    for (const [url, method] of [
      ['http://api.test/v1/nothing', 'GET'],
      ['http://api.test/v2/analytics', 'GET'],
      ['http://api.test/a/v1/analytics', 'GET'],
      ['http://api.test/v1/conversations/a/b', 'GET'],
      ['http://api.test/?/v1/analytics', 'GET'],
      ['http://api.test/v1/analytics', 'POST'],
    ] as const) {
      expect(await rejection(fetch(url, { method })), url).toBeInstanceOf(TypeError)
    }
  })

  test('may have a query or a slash at the end', async () => {
    for (const end of ['?a=/b', '/', '#a']) {
      expect((await fetch(`http://api.test/v1/analytics${end}`)).status).toBe(200)
    }
  })
})
