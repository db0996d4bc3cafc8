import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { clock } from '../../src/core/clock.js'
import { APIConnectionError, APIError, RateLimitError, ServerError } from '../../src/index.js'
import { captureSleeps, createClient, problem, rejection, useServer } from './support.ts'

describe('retries', () => {
  const server = useServer()
  const client = createClient()
  const post = () => client.conversations.messages.create('conv_1', { text: 'Hi' })

  it.each([408, 429, 502, 503, 504])('repeats a GET after %i', async (status) => {
    const sleeps = captureSleeps()
    server.answer(problem(status), problem(status), { ok: true })
    expect(await client.analytics.get()).toEqual({ ok: true })
    expect(sleeps).toEqual([500, 1000])
    expect(server.requests[1]).toEqual(server.requests[0])
    expect(server.requests[2]).toEqual(server.requests[0])
  })

  it.each([400, 401, 403, 404, 409, 422, 500, 501])(
    'does not repeat a GET after %i',
    async (status) => {
      captureSleeps()
      server.answer(problem(status))
      expect(await rejection(client.analytics.get())).toBeInstanceOf(APIError)
      expect(server.requests).toHaveLength(1)
    },
  )

  it('repeats a GET after a failed connection', async () => {
    captureSleeps()
    server.answer('network error', { ok: true })
    expect(await client.analytics.get()).toEqual({ ok: true })
  })

  it('repeats a POST after 429 with the same body and the same key', async () => {
    captureSleeps()
    server.answer(problem(429), problem(429), { id: 'msg_1' })
    await post()
    expect(server.requests).toHaveLength(3)
    expect(server.requests[1]).toEqual(server.requests[0])
    expect(server.requests[2]).toEqual(server.requests[0])
    expect(server.requests[0]?.headers['idempotency-key']).toBeTruthy()
  })

  it.each([408, 500, 502, 503, 504])('does not repeat a POST after %i', async (status) => {
    captureSleeps()
    server.answer(problem(status))
    expect(await rejection(post())).toMatchObject({ outcome: 'unknown' })
    expect(server.requests).toHaveLength(1)
  })

  it('does not repeat a POST that may have arrived', async () => {
    captureSleeps()
    server.answer('network error')
    const error = await rejection(post())
    expect(error).toBeInstanceOf(APIConnectionError)
    expect(error).toMatchObject({ outcome: 'unknown' })
    expect(server.requests).toHaveLength(1)
  })

  it('repeats a POST like a GET where the contract says that it has no second effect', async () => {
    captureSleeps()
    server.answer(problem(503), 'network error', { ok: true })
    const operation = { retryable: true, idempotencyHeader: 'Idempotency-Key' }
    expect(await client.request('POST', '/v1/things', { body: {} }, {}, operation)).toEqual({
      ok: true,
    })
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('doubles the delay up to its limit and takes off up to a quarter', async () => {
    const sleeps = captureSleeps(0)
    server.answer(problem(503))
    await rejection(client.analytics.get({ maxRetries: 6 }))
    expect(sleeps).toEqual([375, 750, 1500, 3000, 6000, 6000])
    expect(server.requests).toHaveLength(7)
  })

  it('can be switched off for a client and for a call', async () => {
    captureSleeps()
    server.answer(problem(503))
    await rejection(client.analytics.get({ maxRetries: 0 }))
    await rejection(client.withOptions({ maxRetries: 0 }).analytics.get())
    expect(server.requests).toHaveLength(2)
  })

  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '60' }, 60_000],
    [{ 'retry-after-ms': '120', 'retry-after': '3' }, 120],
    [{ 'retry-after-ms': 'soon', 'retry-after': '3' }, 3000],
    [{ 'retry-after-ms': '-5', 'retry-after': '3' }, 3000],
    [{ 'retry-after': 'Fri, 06 Mar 2026 10:00:05 GMT' }, 5000],
    [{ 'retry-after': 'Friday, 06-Mar-26 10:00:05 GMT' }, 5000],
    [{ 'retry-after': 'Fri, 06 Mar 2026 09:59:59 GMT' }, 500],
    [{ 'retry-after': '-1' }, 500],
    [{ 'retry-after': 'soon' }, 500],
    [{ 'retry-after': '2026-03-06' }, 500],
    [{ 'retry-after': '' }, 500],
  ])('waits as %j says', async (headers, delay) => {
    const sleeps = captureSleeps()
    vi.spyOn(clock, 'now').mockReturnValue(Date.UTC(2026, 2, 6, 10))
    server.answer(problem(429, headers as Record<string, string>), { ok: true })
    await client.analytics.get()
    expect(sleeps).toEqual([delay])
  })

  it.each([
    [{ 'retry-after': '61' }, 61],
    [{ 'retry-after-ms': '60001' }, 60.001],
    [{ 'retry-after': 'Fri, 06 Mar 2026 10:02:00 GMT' }, 120],
  ])('fails at once when %j asks for more than a minute', async (headers, retryAfter) => {
    const sleeps = captureSleeps()
    vi.spyOn(clock, 'now').mockReturnValue(Date.UTC(2026, 2, 6, 10))
    server.answer(problem(429, headers as Record<string, string>))
    const error = await rejection(client.analytics.get())
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfter })
    expect(sleeps).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('raises the last failure', async () => {
    captureSleeps()
    server.answer('network error', problem(502), problem(503))
    const error = await rejection(client.analytics.get())
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ status: 503, retryAfter: null })
  })

  it('stops waiting when the call is cancelled', async () => {
    server.answer(HttpResponse.json({}, { status: 503, headers: { 'retry-after': '60' } }))
    const controller = new AbortController()
    const reason = new Error('not needed any more')
    const logger = {
      debug() {},
      info() {},
      warn: () => setTimeout(() => controller.abort(reason)),
      error() {},
    }
    const call = createClient({ logger }).analytics.get({ signal: controller.signal })
    expect(await rejection(call)).toBe(reason)
    expect(server.requests).toHaveLength(1)
  })
})
