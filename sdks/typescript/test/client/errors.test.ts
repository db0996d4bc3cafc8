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
})
