/** Rules by which requests fail, though the client does not ask for it. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { readDelay } from '../src/faults/fault.ts'
import { covers, templateOf } from '../src/faults/paths.ts'
import { KEY, type Sandboxed, SEEDED, sandboxed } from './sandboxed.ts'

async function begin(): Promise<Sandboxed> {
  const mock = await sandboxed()
  onTestFinished(() => mock.close())
  return mock
}

const add = (mock: Sandboxed, rule: object, key = KEY) => mock.post('/_mock/faults', rule, { key })
const listed = async (mock: Sandboxed) => (await mock.get('/_mock/faults')).body.data

/** The statuses of requests, one after the other. */
async function statuses(mock: Sandboxed, ...paths: string[]): Promise<number[]> {
  const all = []
  for (const path of paths) all.push((await mock.get(path)).status)
  return all
}

describe('a rule', () => {
  it('fails the requests that it counts, and says what is left', async () => {
    const mock = await begin()
    const rule = { path: '/v1/conversations', status: 429, retry_after: 2, times: 1 }
    const added = await add(mock, rule)
    expect(added).toMatchObject({
      status: 201,
      body: { ...rule, left: 1, failed: 0, method: null },
    })

    const failed = await mock.get('/v1/conversations')
    expect(failed.status).toBe(429)
    expect(failed.headers['retry-after']).toBe('2')
    expect(await statuses(mock, '/v1/conversations')).toEqual([200])
    expect(await listed(mock)).toMatchObject([{ id: added.body.id, left: 0, failed: 1 }])
  })

  it('acts on the sandbox of its key only', async () => {
    const mock = await begin()
    await add(mock, { status: 503 }, 'sk_test_other')
    expect(await statuses(mock, '/v1/conversations')).toEqual([200])
    const other = await mock.get('/v1/conversations', { key: 'sk_test_other' })
    expect(other.status).toBe(503)
  })

  it('is for a method, for a template and for the start of paths', async () => {
    const mock = await begin()
    const one = `/v1/conversations/${SEEDED.open}`
    await add(mock, { method: 'post', path: '/v1/*', status: 500 })
    expect(await statuses(mock, '/v1/conversations', one)).toEqual([200, 200])
    expect((await mock.post(`${one}/messages`, { text: 'Hello.' })).status).toBe(500)
    await add(mock, { path: '/v1/conversations/{id}', status: 502 })
    expect(await statuses(mock, '/v1/conversations', one)).toEqual([200, 502])
  })

  it('waits for those before it, so that rules form a queue', async () => {
    const mock = await begin()
    await add(mock, { status: 429, times: 1 })
    await add(mock, { status: 503, times: 2 })
    const path = '/v1/analytics'
    expect(await statuses(mock, path, path, path, path)).toEqual([429, 503, 503, 200])
  })

  it('fails a share of the requests, the same ones in every run', async () => {
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const mock = await begin()
        await add(mock, { rate: 0.5, times: 20 })
        return statuses(mock, ...Array(30).fill('/v1/analytics'))
      }),
    )
    expect(runs[0]).toEqual(runs[1])
    expect(new Set(runs[0]?.slice(0, 20))).toEqual(new Set([200, 503]))
    expect(new Set(runs[0]?.slice(20))).toEqual(new Set([200]))
  })

  it('comes after the header of a request, and after the check of its key', async () => {
    const mock = await begin()
    await add(mock, { status: 503, times: 1 })
    const headers = { 'x-mock-fault': 'status=504; retry-after=3' }
    const asked = await mock.get('/v1/analytics', { headers })
    expect(asked).toMatchObject({ status: 504, headers: { 'retry-after': '3' } })
    expect((await mock.get('/v1/analytics', { key: 'sk_live_1' })).status).toBe(401)
    expect(await listed(mock)).toMatchObject([{ left: 1 }])
  })

  it('breaks the connection', async () => {
    const mock = await begin()
    await add(mock, { reset: true, times: 1 })
    await expect(mock.get('/v1/analytics')).rejects.toThrow('fetch failed')
    await add(mock, { truncate: true, times: 1 })
    await expect(mock.get('/v1/analytics')).rejects.toThrow('terminated')
    expect(await statuses(mock, '/v1/analytics')).toEqual([200])
  })

  it('is named in the log of requests', async () => {
    const mock = await begin()
    await add(mock, { path: '/v1/analytics', status: 429, retry_after: 1, times: 1 })
    await mock.get('/v1/analytics')
    const { body } = await mock.get('/_mock/requests')
    expect(body.data[0].fault).toBe('flt_1: status=429; retry-after=1; times=1')
  })

  it('ends when it is removed, and with a reset', async () => {
    const mock = await begin()
    await add(mock, { status: 500 })
    await add(mock, { status: 501 })
    await mock.call('DELETE', '/_mock/faults/flt_1')
    expect(await statuses(mock, '/v1/analytics')).toEqual([501])
    await mock.post('/_mock/reset', {})
    expect(await statuses(mock, '/v1/analytics')).toEqual([200])
    expect(await listed(mock)).toEqual([])
    await add(mock, { status: 500 })
    expect((await mock.call('DELETE', '/_mock/faults')).status).toBe(204)
    expect(await statuses(mock, '/v1/analytics')).toEqual([200])
    expect((await mock.call('DELETE', '/_mock/faults/flt_9')).status).toBe(404)
  })
})

it.each([
  [{ status: 500, reset: true }, 'has one of'],
  [{ reset: true, truncate: true }, 'has one of'],
  [{ reset: true, retry_after: 1 }, 'needs a response'],
  [{ delay: '121s' }, 'longest'],
  [{ delay: 'PT2S' }, ''],
  [{ status: 200 }, ''],
  [{ times: 0 }, ''],
  [{ path: '/conversations' }, 'Did you mean /v1/conversations?'],
  [{ path: '/v2/things' }, 'Its paths are: '],
])('%j is refused', async (rule, why) => {
  const mock = await begin()
  const { status, body } = await add(mock, rule)
  expect(status).toBe(422)
  expect(body.detail).toContain(why)
  expect(await listed(mock)).toEqual([])
})

it('a sandbox has a limited number of rules', async () => {
  const mock = await begin()
  for (let count = 0; count < 100; count++) await add(mock, { status: 500 })
  expect((await add(mock, { status: 500 })).status).toBe(409)
})

describe('paths', () => {
  const templates = ['/v1/things', '/v1/things/{id}', '/v1/things/{id}/parts']

  it.each([
    ['/v1/things', '/v1/things', true],
    ['/v1/things', '/v1/things/1', false],
    ['/v1/things/{any}', '/v1/things/1', true],
    ['/v1/things/{any}', '/v1/things/1/parts', false],
    ['/v1/things/*', '/v1/things/1/parts', true],
    ['*', '/v1/things', true],
  ])('%s covers %s: %s', (wanted, path, isCovered) => {
    expect(covers(wanted, path)).toBe(isCovered)
    if (isCovered) expect(templateOf(wanted, templates)).toBe(wanted)
  })

  it.each(['/v1/thing', '/v1/things/1/pieces', '/v2/*', '/v1/things/{id}/parts/*'])(
    '%s is none of the contract',
    (wanted) => expect(() => templateOf(wanted, templates)).toThrow('No path'),
  )
})

it.each([
  ['2s', 2000],
  ['1.5s', 1500],
  ['300ms', 300],
  ['120s', 120_000],
  ['121s', null],
  ['2', null],
])('a delay of %s is %s', (text, ms) => expect(readDelay(text)).toBe(ms))
