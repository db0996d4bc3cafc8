/** The log of requests to the API. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { noting } from '../src/record/exchanges.ts'
import { KEPT } from '../src/record/har.ts'
import { type Bounds, RequestLog } from '../src/requests/log.ts'
import { KEY, type Sandboxed, SEEDED, sandboxed } from './sandboxed.ts'
import { raw, start } from './support.ts'

async function begin(): Promise<Sandboxed> {
  const mock = await sandboxed()
  onTestFinished(() => mock.close())
  return mock
}

/** What the log of a key lists. */
async function logOf(mock: Sandboxed, query = '', key = KEY) {
  return (await mock.get(`/_mock/requests${query}`, { key })).body.data
}

const messages = `/v1/conversations/${SEEDED.open}/messages`

describe('the log of requests', () => {
  it('has each request with its response, newest first, and without secrets', async () => {
    const mock = await begin()
    await mock.get('/v1/conversations?limit=2')
    const { headers, body } = await mock.post(messages, { text: 'From the team.' })
    const [latest, first, ...others] = await logOf(mock)
    expect(others).toEqual([])
    expect(first).toMatchObject({ method: 'GET', path: '/v1/conversations', query: 'limit=2' })
    expect(first).toMatchObject({ body: null, reason: null, fault: null, source: 'client' })
    expect(latest).toMatchObject({
      id: headers['x-request-id'],
      at: '2026-11-21T12:00:00.000Z',
      method: 'POST',
      path: messages,
      query: '',
      body: '{"text":"From the team."}',
      response: { status: 201, body: JSON.stringify(body) },
      key: 'sk_test_…',
    })
    expect(latest.headers.authorization).toBe('[redacted]')
    expect(latest.duration_ms).toBeGreaterThan(0)
    expect((await mock.get(`/_mock/requests/${latest.id}`)).body).toEqual(latest)
    expect(JSON.stringify(latest)).not.toContain(KEY)
  })

  it('says why a request was refused, and which fault it met', async () => {
    const mock = await begin()
    const faulty = { headers: { 'x-mock-fault': 'status=503' } }
    await mock.post(messages, {})
    await mock.get('/v1/conversations', faulty)
    await mock.get('/v1/conversations?limit=1000')
    const [limit, fault, text] = await logOf(mock)
    expect(text.reason).toMatch(/text is required/)
    expect(fault).toMatchObject({ fault: 'status=503', response: { status: 503 } })
    expect(limit.reason).toMatch(/limit must be <= 100/)
  })

  it('shows requests without an accepted key in every sandbox, and others in their own', async () => {
    const mock = await begin()
    const url = mock.server.url
    const live = { authorization: 'Bearer sk_live_9' }
    await fetch(`${url}/v1/conversations`)
    await fetch(`${url}/v1/conversations`, { headers: live })
    await fetch(`${url}/v1/nothing`)
    await fetch(`${url}/v1/conversations/%ff`)
    await mock.get('/v1/conversations', { key: 'sk_test_other' })
    const reasons = [
      expect.stringContaining('invalid percent-encoding'),
      expect.stringContaining('No path matches /v1/nothing.'),
      expect.stringContaining('Never send it a live key.'),
      expect.stringContaining('Send an API key'),
    ]
    const shown = (list: Array<{ reason: string }>) => list.map(({ reason }) => reason)
    expect(shown(await logOf(mock))).toEqual(reasons)
    expect(shown(await logOf(mock, '', 'sk_test_other'))).toEqual([null, ...reasons])
    expect(JSON.stringify(await logOf(mock))).not.toContain('sk_live_9')
  })

  it('shows what is no valid HTTP', async () => {
    const mock = await begin()
    const { url } = mock.server
    await raw(url, 'GET /v1/conversations HTTP/1.1\r\nbad header\r\n\r\n')
    await raw(url, 'GET /v1/analytics HTTP/1.1\r\nconnection: close\r\n\r\n')
    await raw(url, 'nonsense\r\n\r\n')
    const shown = (await logOf(mock)).map((one: Record<string, string>) => [
      one.method,
      one.path,
      one.reason,
    ])
    expect(shown).toEqual([
      ['', '/', 'This is not a valid HTTP/1.1 request.'],
      ['GET', '/v1/analytics', 'The Host header is missing.'],
      ['GET', '/v1/conversations', 'This is not a valid HTTP/1.1 request.'],
    ])
    const [{ id }] = await logOf(mock)
    expect((await mock.post(`/_mock/requests/${id}/repeat`, {})).status).toBe(409)
  })

  it('has no requests for pages and for the control API', async () => {
    const mock = await begin()
    for (const path of [
      '/',
      '/docs',
      '/reference',
      '/openapi.yaml',
      '/_mock/health',
      '/dashboard/events',
    ]) {
      await fetch(mock.server.url + path)
    }
    expect(await logOf(mock)).toEqual([])
  })

  it('is chosen by method, path, status and position', async () => {
    const mock = await begin()
    await mock.get('/v1/conversations')
    await mock.get(`/v1/conversations/${SEEDED.open}`)
    await mock.post(messages, { text: 'Hello.' })
    await mock.post(messages, {})
    const chosen = async (query: string) =>
      (await logOf(mock, query)).map(
        ({ response }: { response: { status: number } }) => response.status,
      )
    const [, message] = await logOf(mock)
    expect(await chosen('?method=post')).toEqual([422, 201])
    expect(await chosen('?status=4xx')).toEqual([422])
    expect(await chosen('?status=201')).toEqual([201])
    expect(await chosen('?path=/v1/conversations')).toEqual([200])
    expect(await chosen('?path=/v1/conversations/{id}')).toEqual([200])
    expect(await chosen('?path=/v1/conversations/*')).toEqual([422, 201, 200])
    expect(await chosen('?limit=1')).toEqual([422])
    expect(await chosen(`?before=${message.id}`)).toEqual([200, 200])
    expect(await chosen('?before=none')).toEqual([])
    expect((await mock.get('/_mock/requests?status=4')).status).toBe(422)
    expect((await mock.get('/_mock/requests/req_none')).status).toBe(404)
  })

  it('is exported as HAR, oldest first', async () => {
    const mock = await begin()
    await mock.get('/v1/conversations')
    await mock.post(messages, {})
    const { body } = await mock.get('/_mock/requests.har?path=/v1/*')
    expect(body.log).toMatchObject({ version: '1.2', creator: { name: 'support-chat-mock' } })
    expect(body.log.entries.map(({ response }: { response: object }) => response)).toMatchObject([
      { status: 200 },
      { status: 422 },
    ])
    expect(JSON.stringify(body)).not.toContain(KEY)
  })

  it('starts again when the sandbox is reset', async () => {
    const mock = await begin()
    await fetch(`${mock.server.url}/v1/conversations`)
    await mock.get('/v1/conversations')
    await mock.post('/_mock/reset', {})
    expect(await logOf(mock)).toEqual([])
    expect(await logOf(mock, '', 'sk_test_other')).toHaveLength(1)
    await mock.get('/v1/conversations')
    expect(await logOf(mock)).toHaveLength(1)
  })

  it('is not kept where nobody can read it', async () => {
    const server = await start()
    onTestFinished(() => server.close())
    await fetch(`${server.url}/v1/conversations`)
    expect(await server.requests.list('')).toEqual([])
  })
})

describe('a repeated request', () => {
  it('takes effect again, with the same key and a new idempotency key', async () => {
    const mock = await begin()
    const key = 'sk_test_other'
    const once = { key, headers: { 'idempotency-key': 'k1', 'x-request-id': 'req_mine' } }
    const { body: first } = await mock.post(messages, { text: 'Twice.' }, once)
    const path = '/_mock/requests/req_mine/repeat'
    expect((await mock.post(path, {})).status).toBe(404)

    const { status, body } = await mock.post(path, {}, { key })
    expect([status, body.source, body.response.status]).toEqual([201, 'repeat', 201])
    expect(body.id).not.toBe('req_mine')
    expect(body.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/)
    const second = JSON.parse(body.response.body)
    expect(second).toMatchObject({ text: 'Twice.' })
    expect(second.id).not.toBe(first.id)

    const kept = await mock.post(path, { keep_idempotency_key: true }, { key })
    expect(JSON.parse(kept.body.response.body).id).toBe(first.id)
    expect(await logOf(mock, '', key)).toHaveLength(3)
  })

  it('is refused like the first one, for the same reason', async () => {
    const mock = await begin()
    await fetch(`${mock.server.url}/v1/conversations?limit=0`, {
      headers: { 'x-request-id': 'req_1' },
    })
    const { body } = await mock.post('/_mock/requests/req_1/repeat', {})
    expect(body.response.status).toBe(401)
    expect(body.reason).toMatch(/Send an API key/)
  })

  it('needs the whole body', async () => {
    const mock = await begin()
    const sent = { method: 'POST', body: '{"text":"Hi."}', headers: { 'x-request-id': 'req_1' } }
    await fetch(mock.server.url + messages, sent)
    const { status, body } = await mock.post('/_mock/requests/req_1/repeat', {})
    expect([status, body.code]).toEqual([409, 'request_incomplete'])
  })
})

describe('what the log keeps', () => {
  const body = (length: number) => 'x'.repeat(length)

  /** A log, a call to add to it, and the ids that a key then has: the number of each call. */
  function logging(bounds: Partial<Bounds>) {
    const log = new RequestLog(() => 'http://127.0.0.1', false, {
      calls: 100,
      busy: 100,
      bytes: 1e6,
      total: 1e6,
      sandboxes: 100,
      ...bounds,
    })
    let count = 0
    const call = async (key: string, length = 1) => {
      const handler = noting(async () => ({ status: 200, headers: {}, body: body(length) }), {
        isNoted: () => true,
        note: (one) => log.add(one),
      })
      const findings = { id: String(++count), key }
      await handler({ method: 'GET', target: '/', headers: {}, body: nothing(), findings })
    }
    return { call, of: (key: string) => log.of(key).map(({ findings }) => findings.id) }
  }

  async function* nothing() {}

  it('is bounded by their number', async () => {
    const { call, of } = logging({ calls: 2, busy: 2 })
    for (const key of ['a', 'a', 'b', 'a']) await call(key)
    expect([of('a'), of('b')]).toEqual([['4', '2'], ['3']])
  })

  it('is less of those that arrive within a second, and earlier ones stay', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { call, of } = logging({ calls: 4, busy: 2 })
    for (let i = 0; i < 3; i++) await call('a')
    vi.advanceTimersByTime(1001)
    for (let i = 0; i < 4; i++) await call('a')
    expect(of('a')).toEqual(['7', '6', '3', '2'])
  })

  it('is bounded by their size', async () => {
    const { call, of } = logging({ bytes: 50_000 })
    for (let i = 0; i < 3; i++) await call('a', 20_000)
    expect(of('a')).toEqual(['3', '2'])
  })

  it('is bounded over all sandboxes, of which the least recently used one goes first', async () => {
    for (const bounds of [{ total: 60_000 }, { sandboxes: 2 }]) {
      const { call, of } = logging(bounds)
      await call('a', 20_000)
      await call('b', 20_000)
      await call('a')
      await call('c', 20_000)
      expect([of('a'), of('b'), of('c')]).toEqual([['3', '1'], [], ['4']])
    }
  })

  it('is the start of a long body', async () => {
    const mock = await begin()
    const text = body(KEPT)
    await mock.post(messages, { text })
    const [{ body: sent, body_size: size }] = await logOf(mock)
    expect([sent.length, size]).toEqual([KEPT, JSON.stringify({ text }).length])
  })
})
