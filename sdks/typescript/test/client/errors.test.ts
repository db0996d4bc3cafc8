import { inspect } from 'node:util'
import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import * as sdk from '../../src/index.js'
import { API_KEY, createClient, problem, rejection, useServer } from './support.ts'

describe('errors', () => {
  const server = useServer()
  const client = createClient({ maxRetries: 0 })
  const failure = () => rejection(client.conversations.get('conv_1'))

  it.each([
    [400, sdk.BadRequestError, 'rejected'],
    [401, sdk.AuthenticationError, 'rejected'],
    [403, sdk.PermissionDeniedError, 'rejected'],
    [404, sdk.NotFoundError, 'rejected'],
    [408, sdk.APIError, 'unknown'],
    [405, sdk.APIError, 'rejected'],
    [409, sdk.ConflictError, 'rejected'],
    [422, sdk.UnprocessableEntityError, 'rejected'],
    [429, sdk.RateLimitError, 'rejected'],
    [500, sdk.ServerError, 'unknown'],
    [503, sdk.ServerError, 'unknown'],
    [599, sdk.ServerError, 'unknown'],
  ] as const)('raises for %i its own class', async (status, type, outcome) => {
    server.answer(problem(status, { 'retry-after': '2' }))
    const error = await failure()
    expect(error).toBeInstanceOf(sdk.SupportChatError)
    expect(error).toBeInstanceOf(sdk.APIError)
    expect((error as Error).constructor).toBe(type)
    expect((error as Error).name).toBe(type.name)
    expect((error as Error).stack).toMatch(new RegExp(`^${type.name}: ${status} some_code`))
    expect(error).toMatchObject({
      status,
      outcome,
      code: 'some_code',
      requestId: 'req_1',
      retryAfter: 2,
      body: { title: 'Title' },
      message: `${status} some_code: What is wrong. (GET /v1/conversations/conv_1, request req_1)`,
    })
    expect((error as sdk.APIError).headers.get('retry-after')).toBe('2')
  })

  it.each([
    [
      'a body that is not JSON',
      new HttpResponse('<h1>Bad\ngateway</h1>', { status: 502 }),
      '502: <h1>Bad\ngateway</h1> (GET /v1/conversations/conv_1)',
      '<h1>Bad\ngateway</h1>',
    ],
    ['no body', new HttpResponse(null, { status: 500 }), '500 (GET /v1/conversations/conv_1)', ''],
    [
      'a wrapped problem',
      HttpResponse.json({ error: { code: 'c', message: 'm' } }, { status: 400 }),
      '400 c: m (GET /v1/conversations/conv_1)',
      { error: { code: 'c', message: 'm' } },
    ],
    [
      'a body that says nothing',
      HttpResponse.json([1], { status: 400 }),
      '400 (GET /v1/conversations/conv_1)',
      [1],
    ],
    ['null', HttpResponse.json(null, { status: 404 }), '404 (GET /v1/conversations/conv_1)', null],
  ])('describes %s', async (_, answer, message, body) => {
    server.answer(answer)
    const error = await failure()
    expect(error).toMatchObject({ message, body, requestId: null, retryAfter: null })
  })

  it('quotes no more than the beginning of a page', async () => {
    server.answer(new HttpResponse('x'.repeat(10_000), { status: 500 }))
    expect(((await failure()) as Error).message).toBe(
      `500: ${'x'.repeat(300)} (GET /v1/conversations/conv_1)`,
    )
  })

  it('never shows a key or all headers, even when the service repeats the key', async () => {
    server.answer(
      HttpResponse.json(
        { detail: `${API_KEY} is unknown` },
        { status: 401, headers: { 'set-cookie': 'session=1', 'x-echo': API_KEY } },
      ),
    )
    const error = (await rejection(client.conversations.get(API_KEY))) as Error
    expect(error.message).toBe('401: [redacted] is unknown (GET /v1/conversations/[redacted])')
    for (const shown of [inspect(error), JSON.stringify(error), String(error.stack)]) {
      expect(shown).not.toContain(API_KEY)
      expect(shown).not.toContain('session=1')
    }
  })

  it('leaves the query out of the message', async () => {
    server.answer(problem(400))
    const error = await rejection(client.conversations.list({ cursor: 'private' }))
    expect(String(error)).not.toContain('private')
  })

  it.each([301, 302, 307, 308])(
    'does not follow a %i, and names only where it leads',
    async (status) => {
      server.answer(
        new HttpResponse(null, {
          status,
          headers: { location: 'https://other.test/path?token=secret' },
        }),
      )
      const error = await failure()
      expect((error as Error).constructor).toBe(sdk.APIError)
      expect(error).toMatchObject({
        status,
        outcome: 'rejected',
        message: `${status}: redirect to https://other.test, not followed (GET /v1/conversations/conv_1)`,
      })
      expect(server.requests).toHaveLength(1)
    },
  )

  it.each([
    ['truncated', '{"id":'],
    ['empty', ''],
    ['a page', '<html></html>'],
  ])('raises InvalidResponseError for a success whose body is %s', async (_, body) => {
    server.answer(new HttpResponse(body, { status: 200, headers: { 'x-request-id': 'req_2' } }))
    const error = await failure()
    expect(error).toBeInstanceOf(sdk.InvalidResponseError)
    expect(error).not.toBeInstanceOf(sdk.APIError)
    expect(error).toMatchObject({
      outcome: 'unknown',
      requestId: 'req_2',
      message: '200: the body is not JSON (GET /v1/conversations/conv_1, request req_2)',
    })
  })

  it('does not repeat a call whose answer cannot be read', async () => {
    server.answer(new HttpResponse('<', { status: 200 }))
    await rejection(createClient().conversations.get('conv_1'))
    expect(server.requests).toHaveLength(1)
  })
})
