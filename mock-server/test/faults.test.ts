/** What `x-mock-fault` breaks, how often, and at which point of a request. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MockServer } from '../src/index.ts'
import type { Server } from '../src/server.ts'
import { createMockServer } from './mock.ts'
import { AUTH, problem, raw, start, TRAPS } from './support.ts'

const CONVERSATION = '/v1/conversations/conv_01J2Z7Q4KX'

let mock: MockServer
beforeAll(async () => {
  mock = await createMockServer()
})
afterAll(() => mock.close())
afterEach(() => vi.useRealTimers())

let keys = 0
/** A key that no test has used. */
const fresh = () => ({ authorization: `Bearer sk_test_${keys++}` })

const get = (fault: string, headers: Record<string, string> = AUTH, path = '/v1/analytics') =>
  mock.fetch(path, { headers: { ...headers, 'x-mock-fault': fault } })
const statuses = async (count: number, ...call: Parameters<typeof get>) => {
  const all = []
  for (let i = 0; i < count; i++) all.push((await get(...call)).status)
  return all
}
const transcript = async (headers: Record<string, string>) =>
  (await (await fetch(mock.url + CONVERSATION, { headers })).json()).transcript.slice(2)
const post = (headers: Record<string, string>) =>
  fetch(`${mock.url}${CONVERSATION}/messages`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"text":"Hello."}',
  })

describe('status', () => {
  it('returns the example of the contract, without Retry-After', async () => {
    const response = await get('status=503')
    expect(response.headers.has('retry-after')).toBe(false)
    expect((await problem(response, 503)).code).toBe('unavailable')
  })

  it('returns a plain problem if the contract has no example', async () => {
    expect(await problem(await get('status=599'), 599)).toMatchObject({ status: 599 })
    const other = await createMockServer({ contract: TRAPS })
    const headers = { ...AUTH, 'x-mock-fault': 'status=418' }
    const response = await other.fetch('/v1/things/mine', { headers })
    expect((await problem(response, 418)).code).toBe('requested_fault')
    await other.close()
  })

  it.each([
    [404, 'Not Found'],
    [409, 'Conflict'],
    [418, "I'm a Teapot"],
    [502, 'Bad Gateway'],
  ])(
    '%i does not return the example of `default`, which has another status',
    async (status, title) => {
      const response = await get(`status=${status}`, AUTH, '/v1/conversations')
      expect(await problem(response, status)).toMatchObject({
        code: 'requested_fault',
        title,
        detail: `${title}, as x-mock-fault requested.`,
      })
    },
  )

  it('returns the example of the range in the contract', async () => {
    const other = await createMockServer({ contract: TRAPS })
    const headers = { ...AUTH, 'x-mock-fault': 'status=504' }
    const response = await other.fetch('/v1/things', { headers })
    expect([response.status, (await response.json()).code]).toEqual([504, 'failed'])
    await other.close()
  })

  it('is returned before the request takes effect', async () => {
    const one = fresh()
    expect((await post({ ...one, 'x-mock-fault': 'status=500' })).status).toBe(500)
    expect(await transcript(one)).toEqual([])
  })

  it('is returned after the credentials were checked', async () => {
    await problem(await get('status=503', { authorization: '' }), 401)
    await problem(await get('status=503', { authorization: 'Bearer sk_live_x' }), 401)
  })
})

describe('times', () => {
  it('affects only the first requests', async () => {
    expect(await statuses(4, 'status=503; times=2', fresh())).toEqual([503, 503, 200, 200])
  })

  it('defaults to 503', async () => {
    expect(await statuses(2, 'times=1', fresh())).toEqual([503, 200])
  })

  it('counts for each key, method, path and header', async () => {
    const one = fresh()
    const fault = 'status=503; times=1'
    expect(await statuses(2, fault, one)).toEqual([503, 200])
    expect(await statuses(2, fault, fresh())).toEqual([503, 200])
    expect(await statuses(2, fault, one, CONVERSATION)).toEqual([503, 200])
    expect(await statuses(2, fault, one, '/v1/conversations')).toEqual([503, 200])
    expect(await statuses(2, 'status=500; times=1', one)).toEqual([500, 200])
    const head = await mock.fetch('/v1/analytics', {
      method: 'HEAD',
      headers: { ...one, 'x-mock-fault': fault },
    })
    expect(head.status).toBe(503)
    expect(await statuses(1, fault, one)).toEqual([200])
  })

  it('counts from zero after a reset of its sandbox', async () => {
    const fault = 'status=503; times=1'
    const [one, other] = [fresh(), fresh()]
    expect([await statuses(2, fault, one), await statuses(2, fault, other)]).toEqual([
      [503, 200],
      [503, 200],
    ])
    await mock.fetch('/_mock/reset', {
      method: 'POST',
      headers: { ...one, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await statuses(2, fault, one)).toEqual([503, 200])
    expect(await statuses(1, fault, other)).toEqual([200])
    expect(await statuses(2, fault, AUTH)).toEqual([503, 200])
    await mock.reset()
    expect(await statuses(2, fault, AUTH)).toEqual([503, 200])
  })

  it('counts without state, too', async () => {
    const server: Server = await start()
    const headers = { ...AUTH, 'x-mock-fault': 'times=1' }
    const all = []
    for (let i = 0; i < 2; i++)
      all.push((await fetch(`${server.url}/v1/analytics`, { headers })).status)
    await server.close()
    expect(all).toEqual([503, 200])
  })
})

describe('rate', () => {
  it('fails its share of the requests, the same ones in every run', async () => {
    const first = await statuses(1000, 'rate=0.1', fresh())
    const hit = first.filter((status) => status === 503).length
    expect(hit).toBeGreaterThan(70)
    expect(hit).toBeLessThan(130)
    expect(await statuses(1000, 'rate=0.1', fresh())).toEqual(first)
  })

  it('of 0 fails none and of 1 all', async () => {
    expect(new Set(await statuses(50, 'rate=0', fresh()))).toEqual(new Set([200]))
    expect(new Set(await statuses(50, 'rate=1', fresh()))).toEqual(new Set([503]))
  })

  it('combines with times: among the first requests', async () => {
    const all = await statuses(60, 'status=500; rate=0.5; times=40', fresh())
    expect(new Set(all.slice(0, 40))).toEqual(new Set([200, 500]))
    expect(new Set(all.slice(40))).toEqual(new Set([200]))
  })
})

describe('delay', () => {
  it.each([
    ['delay=2s', 2000],
    ['delay=0.5s', 500],
    ['delay=20ms', 20],
    ['delay=120s', 120_000],
  ])('%s waits that long and then responds', async (fault, ms) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    let status = 0
    const done = get(fault).then((response) => {
      status = response.status
    })
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(status).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    await done
    expect(status).toBe(200)
  })

  it('applies to refused requests too, with an idempotency key and without', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const statuses: number[] = []
    const wrong = ['0', '1'].map((key) =>
      mock
        .fetch(`${CONVERSATION}/messages`, {
          method: 'POST',
          headers: {
            ...AUTH,
            'content-type': 'application/json',
            'x-mock-fault': 'delay=1s',
            ...(key === '1' && { 'idempotency-key': key }),
          },
          body: '{}',
        })
        .then(({ status }) => statuses.push(status)),
    )
    await vi.advanceTimersByTimeAsync(999)
    expect(statuses).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all(wrong)
    expect(statuses).toEqual([422, 422])
  })

  it('ends before the server does', async () => {
    const server = await start()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const headers = { ...AUTH, 'x-mock-fault': 'delay=8s' }
    const done = fetch(`${server.url}/v1/analytics`, { headers }).then(
      ({ status }) => status,
      () => 'cut off',
    )
    await vi.waitUntil(() => vi.getTimerCount() === 1)
    const end = server.close()
    await vi.advanceTimersByTimeAsync(8000)
    expect(await done).toBe(200)
    await end
  })

  it('combines with a status', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const delayed = get('delay=1s; status=500')
    await vi.advanceTimersByTimeAsync(1000)
    expect((await delayed).status).toBe(500)
  })
})

describe('reset', () => {
  it('breaks the connection without a byte, before the request takes effect', async () => {
    const one = fresh()
    await expect(post({ ...one, 'x-mock-fault': 'reset' })).rejects.toThrow('fetch failed')
    expect(await transcript(one)).toEqual([])
    const head = `GET /v1/analytics HTTP/1.1\r\nHost: a\r\nAuthorization: ${one.authorization}\r\n`
    expect(await raw(mock.url, `${head}X-Mock-Fault: reset\r\n\r\n`)).toBe('')
  })

  it('looks the same without a connection', async () => {
    await expect(get('reset')).rejects.toThrow('fetch failed')
  })
})

describe('truncate', () => {
  it('breaks in the middle of the response', async () => {
    const headers = `Host: a\r\nAuthorization: ${AUTH.authorization}`
    const request = `GET /v1/analytics HTTP/1.1\r\n${headers}\r\nConnection: close\r\n`
    const whole = await raw(mock.url, `${request}\r\n`)
    const cut = await raw(mock.url, `${request}X-Mock-Fault: truncate\r\n\r\n`)
    const [body = '', half = ''] = [whole, cut].map((text) => text.split('\r\n\r\n')[1])
    expect(cut).toContain(`content-length: ${body.length}`)
    expect(half).toBe(body.slice(0, body.length / 2))
  })

  it('breaks in the middle without a connection, too', async () => {
    const response = await get('truncate')
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('breaks after the message was posted, and a retry with the idempotency key returns it', async () => {
    const one = { ...fresh(), 'idempotency-key': 'one' }
    const cut = await post({ ...one, 'x-mock-fault': 'truncate; times=1' })
    await expect(cut.text()).rejects.toThrow()
    expect(await transcript(one)).toHaveLength(1)
    const again = await post({ ...one, 'x-mock-fault': 'truncate; times=1' })
    expect(again.status).toBe(201)
    expect(await transcript(one)).toEqual([await again.json()])
  })

  it('has no effect on a response without a body', async () => {
    const headers = { ...AUTH, 'x-mock-fault': 'truncate' }
    const response = await fetch(`${mock.url}/v1/analytics`, { method: 'HEAD', headers })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('a malformed fault', () => {
  it.each([
    '',
    ';',
    'nonsense',
    'status',
    'status=200',
    'status=600',
    'status=5xx',
    'status=503=4',
    'delay=2',
    'delay=-1s',
    'delay=121s',
    'delay=1h',
    'times=0',
    'times=1.5',
    'times=9999999',
    'rate=1.1',
    'rate=-0.1',
    'rate=.5',
    'reset=1',
    'truncate=yes',
    'status=503; reset',
    'reset; truncate',
    'status=500; status=503',
    'constructor=1',
    '__proto__=1',
    'toString',
    'status=503; times=2; colour=red',
    `status=${'5'.repeat(10_000)}`,
  ])('is refused: %j', async (fault) => {
    const { code, detail } = await problem(await get(fault), 400)
    expect(code).toBe('malformed_fault')
    expect(detail).toContain('Use at most one of')
    expect(detail.length).toBeLessThan(400)
  })

  it.each(['STATUS=503', 'status = 503', 'status=503;', 'status=503,times=9'])(
    'is accepted in another spelling: %j',
    async (fault) => {
      expect((await get(fault, fresh())).status).toBe(503)
    },
  )
})
