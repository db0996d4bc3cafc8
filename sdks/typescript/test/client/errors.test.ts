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
    [sdk.BadRequestError, sdk.APIError],
    [sdk.AuthenticationError, sdk.APIError],
    [sdk.PermissionDeniedError, sdk.APIError],
    [sdk.NotFoundError, sdk.APIError],
    [sdk.ConflictError, sdk.APIError],
    [sdk.UnprocessableEntityError, sdk.APIError],
    [sdk.RateLimitError, sdk.APIError],
    [sdk.ServerError, sdk.APIError],
    [sdk.APIError, sdk.SupportChatError],
    [sdk.APITimeoutError, sdk.APIConnectionError],
    [sdk.APIConnectionError, sdk.SupportChatError],
    [sdk.InvalidResponseError, sdk.SupportChatError],
    [sdk.SupportChatError, Error],
  ])('are classes: %o', (type, parent) => {
    expect(type.prototype).toBeInstanceOf(parent)
    expect(type.prototype.name).toBe(type.name)
  })

  it('begin their stack with class, status and code, and hold the headers', async () => {
    server.respond(problem(404, { 'x-team': 'a' }))
    const error = await failure()
    expect((error as Error).constructor).toBe(sdk.NotFoundError)
    expect((error as Error).stack).toMatch(/^NotFoundError: 404 some_code/)
    expect((error as sdk.APIError).headers.get('x-team')).toBe('a')
  })

  it('never shows a key or all headers, even when the service echoes the key', async () => {
    server.respond(
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

  it('have the problem of the contract', async () => {
    const body = {
      type: 'about:blank',
      title: 'Unprocessable',
      status: 422,
      code: 'validation_failed',
      request_id: 'req_1',
      detail: 'One part of the request is not acceptable.',
      errors: [{ in: 'query', code: 'maximum', parameter: 'limit', message: 'must be <= 100' }],
    }
    server.respond(HttpResponse.json(body, { status: 422 }))
    const error = (await rejection(client.conversations.list({ limit: 1000 }))) as sdk.APIError
    expect(error.message).toBe(
      '422 validation_failed: limit must be <= 100 (GET /v1/conversations, request req_1)',
    )
    expect(error.problem).toEqual(body)
    expect(error.body).toBe(error.problem)
  })

  it.each([['null'], ['"text"'], ['[{}]'], ['not JSON'], ['']])(
    'have no problem where the body is %s',
    async (body) => {
      server.respond(new HttpResponse(body, { status: 500 }))
      expect(((await failure()) as sdk.APIError).problem).toBeNull()
    },
  )

  const reason = (message: unknown, rest: object = {}) => ({ message, ...rest })

  it.each<[string, unknown[], string]>([
    ['the parameter', [reason('is bad', { parameter: 'a', pointer: '/b' })], 'a is bad'],
    ['the pointer', [reason('is bad', { pointer: '/a/0/b' })], 'a/0/b is bad'],
    ['the body', [reason('is bad', { pointer: '' })], 'body is bad'],
    ['the body by its root', [reason('is bad', { pointer: '/' })], 'body is bad'],
    ['nothing', [reason('is bad', { parameter: 7 })], 'is bad'],
    ['no name twice', [reason('a is bad', { parameter: 'a' })], 'a is bad'],
    ['another text', [{ detail: 'is bad', parameter: 'a' }], 'a is bad'],
    ['the readable ones', ['x', null, {}, reason(7), reason('is bad')], 'is bad'],
    [
      'three at most',
      ['a', 'b', 'c', 'd', 'e', 7].map((text) => reason(text)),
      'a; b; c; and 2 more',
    ],
    ['the detail', [{}], 'Detail.'],
    ['the detail of no list', 'x' as unknown as [], 'Detail.'],
  ])('name %s in their message', async (_, errors, text) => {
    server.respond(HttpResponse.json({ detail: 'Detail.', errors }, { status: 422 }))
    expect(((await failure()) as Error).message).toBe(`422: ${text} (GET /v1/conversations/conv_1)`)
  })

  it('name the reasons of a problem that is wrapped', async () => {
    const error = { code: 'bad', errors: [{ parameter: 'limit', message: 'must be <= 100' }] }
    server.respond(HttpResponse.json({ error }, { status: 422 }))
    expect(((await failure()) as Error).message).toMatch(/^422 bad: limit must be <= 100 /)
  })

  it('hold the response that cannot be read, and do not print it', async () => {
    const headers = { 'x-request-id': 'req_1', 'x-team': 'a' }
    server.respond(new HttpResponse('<secret>', { headers }))
    const error = (await failure()) as sdk.InvalidResponseError
    expect(error).toMatchObject({ status: 200, requestId: 'req_1', outcome: 'unknown' })
    expect(error.headers.get('x-team')).toBe('a')
    expect(error.body).toBe('<secret>')
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('secret')
  })

  it('lead to the line of the caller', async () => {
    server.respond(problem(404))
    async function theCaller() {
      return await client.conversations.get('conv_1')
    }
    async function theLoop() {
      for await (const _ of client.conversations.list()) {
      }
    }
    async function theTimeout() {
      const fetch = () => new Promise<Response>(() => {})
      return await createClient({ fetch, maxRetries: 0 }).conversations.get('c1', { timeout: 10 })
    }
    async function theAbort() {
      return await client.conversations.get('c1', { signal: AbortSignal.timeout(1) })
    }
    for (const call of [theCaller, theLoop, theTimeout, theAbort]) {
      const error = (await rejection(call())) as Error
      expect(error.stack).toContain(call.name)
    }
  })
})
