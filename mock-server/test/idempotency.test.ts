/** A request that is sent twice with one idempotency key takes effect once. */
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CallOptions, type Sandboxed, SEEDED, sandboxed } from './sandboxed.ts'
import { gate } from './virtual.ts'

const PATH = `/v1/conversations/${SEEDED.open}`
const MESSAGES = `${PATH}/messages`
const SOURCES = '/v1/knowledge/sources'
const SOURCE = { type: 'text', title: 'Returns', text: 'Within 30 days.' }

let mock: Sandboxed
afterEach(() => vi.useRealTimers())
afterEach(() => mock.close())

const withKey = (key: string, options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { ...options.headers, 'idempotency-key': key },
})
const transcript = async (options: CallOptions = {}) =>
  (await mock.get(PATH, options)).body.transcript.slice(2)

/** Resolves when a key has been claimed. */
async function claim(): Promise<void> {
  const claims = vi.spyOn(mock.sandboxes.store.state, 'claimKey')
  while (claims.mock.settledResults.length === 0) await immediate()
}

/** Delays commits until they are released. */
function slowStore() {
  const held: Array<() => void> = []
  const { opened: reached, open: reach } = gate()
  const { state } = mock.sandboxes.store
  const commit = state.commit.bind(state)
  const spy = vi.spyOn(state, 'commit').mockImplementation(async (...change) => {
    reach()
    await new Promise<void>((resolve) => held.push(resolve))
    return commit(...change)
  })
  return {
    reached,
    release() {
      spy.mockRestore()
      for (const go of held) go()
    },
  }
}

describe('an idempotency key', () => {
  it.each([
    ['a message', MESSAGES, { text: 'Hello.' }],
    ['a source', SOURCES, SOURCE],
  ])('gets the same response for %s, however often it is sent', async (_, path, body) => {
    mock = await sandboxed()
    const first = await mock.post(path, body, withKey('one'))
    const others = [
      await mock.post(path, body, withKey('one')),
      await mock.post(path, JSON.stringify(body, null, 2), withKey('one')),
    ]
    expect(first.status).toBe(201)
    for (const { status, body } of others) expect([status, body]).toEqual([201, first.body])
  })

  it('has its message in the transcript once, and its event once', async () => {
    mock = await sandboxed()
    for (let i = 0; i < 3; i++) await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))
    expect(await transcript()).toHaveLength(1)
    expect(await mock.events()).toHaveLength(1)
  })

  it('is needed to recognise a retry: without one, each request counts', async () => {
    mock = await sandboxed()
    const posted = [
      await mock.post(MESSAGES, { text: 'Hello.' }),
      await mock.post(MESSAGES, { text: 'Hello.' }),
      await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one')),
      await mock.post(MESSAGES, { text: 'Hello.' }, withKey('two')),
    ]
    expect(await transcript()).toEqual(posted.map(({ body }) => body))
  })

  it('is refused with another body or another conversation', async () => {
    mock = await sandboxed()
    await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))
    const other = `/v1/conversations/${SEEDED.handedOff}/messages`
    for (const [path, text] of [
      [MESSAGES, 'Good-bye.'],
      [other, 'Hello.'],
    ] as const) {
      const { status, body } = await mock.post(path, { text }, withKey('one'))
      expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
    }
    expect(await transcript()).toHaveLength(1)
  })

  it('is refused while its request runs, and gets its response afterwards', async () => {
    mock = await sandboxed()
    await mock.get(PATH)
    const store = slowStore()
    const first = mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))
    await store.reached
    const running = await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))
    const reused = await mock.post(MESSAGES, { text: 'Good-bye.' }, withKey('one'))
    store.release()
    expect([running.status, running.body.code]).toEqual([409, 'idempotency_in_progress'])
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
    const { body } = await first
    expect((await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))).body).toEqual(body)
    expect(await transcript()).toEqual([body])
  })

  it('is held by a request with a late response, so that a retry is refused meanwhile', async () => {
    mock = await sandboxed()
    await mock.get(PATH)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const late = withKey('one', { headers: { 'x-mock-fault': 'delay=2s' } })
    const claimed = claim()
    const first = mock.post(MESSAGES, { text: 'Hello.' }, late)
    await claimed
    const running = await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))
    expect([running.status, running.body.code]).toEqual([409, 'idempotency_in_progress'])
    expect(await transcript()).toEqual([])
    await vi.advanceTimersByTimeAsync(2000)
    const { status, body } = await first
    expect(status).toBe(201)
    expect((await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))).body).toEqual(body)
    expect(await transcript()).toEqual([body])
  })

  it('is held over a reset by a request with a late response, whose message is in the new state', async () => {
    mock = await sandboxed()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const late = withKey('one', { headers: { 'x-mock-fault': 'delay=2s' } })
    await mock.post('/_mock/clock', { advance: 'P1D' })
    const claimed = claim()
    const first = mock.post(MESSAGES, { text: 'Hello.' }, late)
    await claimed
    await mock.post('/_mock/reset', {})
    await vi.advanceTimersByTimeAsync(2000)
    const { body } = await first
    expect(body.created_at).toBe('2026-11-21T12:00:00Z')
    expect(await transcript()).toEqual([body])
    expect((await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))).body).toEqual(body)
  })

  it('ignores the order of the fields in a body', async () => {
    mock = await sandboxed()
    const first = await mock.post(SOURCES, SOURCE, withKey('one'))
    const { type, title, text } = SOURCE
    const again = await mock.post(SOURCES, { text, title, type }, withKey('one'))
    expect([again.status, again.body]).toEqual([201, first.body])
  })

  it('takes effect for only one of many concurrent requests', async () => {
    mock = await sandboxed()
    const all = await Promise.all(
      Array.from({ length: 20 }, () => mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))),
    )
    const [message, ...more] = await transcript()
    expect(more).toEqual([])
    for (const { status, body } of all) {
      if (status === 409) expect(body.code).toBe('idempotency_in_progress')
      else expect([status, body]).toEqual([201, message])
    }
    expect(all.filter(({ status }) => status === 201)).not.toEqual([])
  })

  it('is free again after its request was refused', async () => {
    mock = await sandboxed()
    const one = withKey('one')
    expect((await mock.post('/v1/conversations/conv_no/messages', { text: 'a' }, one)).status).toBe(
      404,
    )
    expect((await mock.post(MESSAGES, { text: '' }, one)).status).toBe(422)
    expect((await mock.post(MESSAGES, '{"text"', one)).status).toBe(400)
    const done = `/v1/conversations/${SEEDED.resolved}/messages`
    expect((await mock.post(done, { text: 'a' }, one)).status).toBe(409)
    expect((await mock.post(MESSAGES, { text: 'b' }, one)).status).toBe(201)
  })

  it('is free again after the server failed', async () => {
    mock = await sandboxed()
    await mock.get(PATH)
    const { state } = mock.sandboxes.store
    vi.spyOn(state, 'commit').mockRejectedValueOnce(new Error('no'))
    const failed = await mock.post(MESSAGES, { text: 'a' }, withKey('one'))
    expect(failed.status).toBe(500)
    expect((await mock.post(MESSAGES, { text: 'b' }, withKey('one'))).status).toBe(201)
  })

  it('is separate for each sandbox and each operation', async () => {
    mock = await sandboxed()
    const mine = await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one', { key: 'sk_a' }))
    const yours = await mock.post(MESSAGES, { text: 'Good-bye.' }, withKey('one', { key: 'sk_b' }))
    const source = await mock.post(SOURCES, SOURCE, withKey('one', { key: 'sk_a' }))
    expect([mine.status, yours.status, source.status]).toEqual([201, 201, 201])
    expect(await transcript({ key: 'sk_b' })).toEqual([yours.body])
  })

  it('is free again after a reset', async () => {
    mock = await sandboxed()
    await mock.post(MESSAGES, { text: 'Hello.' }, withKey('one'))
    await mock.post('/_mock/reset', {})
    expect((await mock.post(MESSAGES, { text: 'Good-bye.' }, withKey('one'))).status).toBe(201)
  })

  it('has 1 to 255 characters', async () => {
    mock = await sandboxed()
    const statuses = []
    for (const key of ['', 'x', 'x'.repeat(255), 'x'.repeat(256)]) {
      statuses.push((await mock.post(MESSAGES, { text: 'Hello.' }, withKey(key))).status)
    }
    expect(statuses).toEqual([422, 201, 201, 422])
  })
})
