/** The API returns what was posted, and only responses that the contract declares. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formsOf } from '../src/contract/form.ts'
import { loadContract } from '../src/contract/load.ts'
import { Bindings } from '../src/sandbox/bindings.ts'
import { Events } from '../src/sandbox/events.ts'
import { intentOf } from '../src/sandbox/intents.ts'
import { Sandboxes } from '../src/sandbox/sandboxes.ts'
import { EMPTY } from '../src/sandbox/seed.ts'
import { SqliteStore } from '../src/store/sqlite/index.ts'
import { CONTRACT } from './oracle-of.ts'
import { KEY, NOW, type Sandboxed, SEEDED, sandboxed } from './sandboxed.ts'
import { SILENT } from './support.ts'

let mock: Sandboxed
beforeAll(async () => {
  mock = await sandboxed()
})
afterAll(() => mock.close())

let keys = 0
/** A key that no test has used. */
const fresh = () => ({ key: `sk_test_${keys++}` })

describe('conversations', () => {
  it('are those of the contract’s examples at first, the latest first', async () => {
    const { status, body } = await mock.get('/v1/conversations', fresh())
    expect(status).toBe(200)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(Object.values(SEEDED))
    expect(body).toMatchObject({ next_cursor: null, has_more: false })
  })

  it('show their transcript and handoff', async () => {
    const { body } = await mock.get(`/v1/conversations/${SEEDED.handedOff}`, fresh())
    expect(body.transcript.map(({ text }: { text: string }) => text)).toHaveLength(3)
    expect(body.handoff).toEqual({
      reason: 'The visitor asked for a human.',
      requested_at: '2026-03-02T09:21:48Z',
    })
  })

  it('hold what was posted at the end of their transcript', async () => {
    const one = fresh()
    const path = `/v1/conversations/${SEEDED.open}`
    const texts = ['Hello.', 'Zoë’s “parcel” 📦\n\u0000\\"', 'x'.repeat(10_000)]
    const posted = []
    for (const text of texts) {
      const { status, body } = await mock.post(`${path}/messages`, { text }, one)
      expect(status).toBe(201)
      expect(body).toMatchObject({ text, conversation_id: SEEDED.open, author: { type: 'agent' } })
      posted.push(body)
    }
    const { body } = await mock.get(path, one)
    expect(body.transcript.slice(2)).toEqual(posted)
    expect(new Set(posted.map(({ id }) => id)).size).toBe(3)
    expect(body.updated_at).toBe('2026-11-21T12:00:00Z')
  })

  it('move to the top of the list with a new message', async () => {
    const one = fresh()
    await mock.post(`/v1/conversations/${SEEDED.open}/messages`, { text: 'Hello.' }, one)
    const { body } = await mock.get('/v1/conversations', one)
    expect(body.data[0]).toMatchObject({ id: SEEDED.open, updated_at: '2026-11-21T12:00:00Z' })
  })

  it('that do not exist are a 404', async () => {
    for (const id of ['conv_nothing', 'x', '%20', '%2F', 'conv_01J2Z8M3VN%00', '日本', "a'(b)"]) {
      const path = `/v1/conversations/${id}`
      expect((await mock.get(path)).body.code).toBe('conversation_not_found')
      const posted = await mock.post(`${path}/messages`, { text: 'Hello.' })
      expect([posted.status, posted.body.code]).toEqual([404, 'conversation_not_found'])
    }
  })

  it('that are resolved accept no message', async () => {
    const path = `/v1/conversations/${SEEDED.resolved}/messages`
    const { status, body } = await mock.post(path, { text: 'Hello?' })
    expect([status, body.code]).toEqual([409, 'impossible_step'])
    expect(body.detail).toContain('is resolved')
  })

  it('keep all messages that are posted at the same time', async () => {
    const one = fresh()
    const path = `/v1/conversations/${SEEDED.open}`
    const texts = Array.from({ length: 50 }, (_, index) => `Message ${index}`)
    const posted = texts.map((text) => mock.post(`${path}/messages`, { text }, one))
    for (const { status } of await Promise.all(posted)) expect(status).toBe(201)
    const { body } = await mock.get(path, one)
    const found = body.transcript.slice(2).map(({ text }: { text: string }) => text)
    expect(found.sort()).toEqual(texts.sort())
  })
})

describe('an invalid request', () => {
  const messages = `/v1/conversations/${SEEDED.open}/messages`
  const refused: [name: string, method: string, path: string, body: unknown, location: object][] = [
    ['an empty text', 'POST', messages, { text: '' }, { pointer: '/text', code: 'minLength' }],
    ['a text too long', 'POST', messages, { text: 'x'.repeat(10_001) }, { code: 'maxLength' }],
    ['no text', 'POST', messages, {}, { pointer: '/text', code: 'required' }],
    ['another type', 'POST', messages, { text: 1 }, { pointer: '/text', code: 'type' }],
    ['null for a body', 'POST', messages, 'null', { in: 'body', code: 'required' }],
    ['an array', 'POST', messages, [], { pointer: '', code: 'type' }],
    ['no body', 'POST', messages, undefined, { in: 'body', code: 'required' }],
    ['a source without a type', 'POST', '/v1/knowledge/sources', {}, { pointer: '/type' }],
    ['a limit of 0', 'GET', '/v1/conversations?limit=0', undefined, { code: 'minimum' }],
    ['a limit of 101', 'GET', '/v1/conversations?limit=101', undefined, { code: 'maximum' }],
    ['another status', 'GET', '/v1/conversations?status=lost', undefined, { code: 'enum' }],
    ['an empty cursor', 'GET', '/v1/conversations?cursor=', undefined, { code: 'empty' }],
    ['an unknown name', 'GET', '/v1/analytics?from=today', undefined, { parameter: 'from' }],
  ]
  it.each(refused)(
    'because of %s is a 422 with the location',
    async (_, method, path, body, location) => {
      const { status, body: problem } = await mock.call(method, path, { body })
      expect([status, problem.code]).toEqual([422, 'validation_failed'])
      expect(problem.errors[0]).toMatchObject(location)
    },
  )

  it('is a 400, 413 or 415 where its body cannot be read', async () => {
    const send = async (body: string, headers = {}) =>
      (await mock.post(messages, body, { headers })).status
    expect(await send('{"text":')).toBe(400)
    expect(await send('\ufeff{}')).toBe(400)
    expect(await send('{"text":"x"}', { 'content-type': 'text/plain' })).toBe(415)
    expect(await send('{"text":"x"}', { 'content-encoding': 'br' })).toBe(415)
    expect(await send('x'.repeat(10 * 1024 * 1024 + 1))).toBe(413)
  })
})

describe('analytics', () => {
  it('count conversations and handoffs', async () => {
    const one = fresh()
    await mock.get('/v1/conversations', one)
    await mock.create('Where is my parcel?', one)
    await mock.create('My card was refused.', one)
    const waiting = await mock.create('Where is my order?', one)
    await mock.create(undefined, one)
    await mock.post(`/_mock/conversations/${waiting}/handoff`, { reason: 'Requested.' }, one)
    const { body } = await mock.get('/v1/analytics', one)
    // Of the seeded three, two were handed off.
    expect(body.conversation_volume).toBe(7)
    expect(body.deflection_rate).toBe(0.5714)
    expect(body.top_intents).toEqual([
      { intent: 'where is my order', count: 3 },
      { intent: 'payment failed', count: 1 },
      { intent: 'why was I charged', count: 1 },
      { intent: 'will you ship to me', count: 1 },
    ])
  })

  it('count an intent once it is known', async () => {
    const one = fresh()
    await mock.post('/_mock/reset', {}, one)
    const id = await mock.create(undefined, one)
    const before = (await mock.get('/v1/analytics', one)).body.top_intents
    await mock.post(`/_mock/conversations/${id}/messages`, { text: 'A refund, please.' }, one)
    const { body } = await mock.get('/v1/analytics', one)
    expect(before.map(({ intent }: { intent: string }) => intent)).not.toContain('get a refund')
    expect(body.top_intents).toContainEqual({ intent: 'get a refund', count: 1 })
  })

  it.each([
    ['I was charged twice for my order.', 'why was I charged'],
    ['I want a refund for the parcel.', 'get a refund'],
    ['I want to return my order.', 'return an item'],
    ['How long does shipping take?', 'will you ship to me'],
    ['Where is my order?', 'where is my order'],
    ['Can I talk to someone?', 'talk to a person'],
    ['Hello', 'something else'],
  ])('%s: %s', (text, intent) => expect(intentOf(text)).toBe(intent))
})

describe('knowledge sources', () => {
  const SOURCES = {
    url: [{ type: 'url', url: 'https://shop.example.com/help' }, 'https://shop.example.com/help'],
    text: [{ type: 'text', title: 'Returns', text: 'Within 30 days.' }, 'Returns'],
    file: [
      { type: 'file', name: 'a.txt', media_type: 'text/plain', content_base64: 'YQ==' },
      'a.txt',
    ],
  } as const

  it.each(Object.entries(SOURCES))(
    'of type %s are pending at first',
    async (type, [body, title]) => {
      const { status, body: source } = await mock.post('/v1/knowledge/sources', body, fresh())
      expect(status).toBe(201)
      expect(source).toMatchObject({ type, title, status: 'pending' })
    },
  )

  it('change to indexing and then indexed', async () => {
    const store = new SqliteStore(':memory:', { now: () => NOW })
    const bindings = new Bindings(formsOf(await loadContract(CONTRACT, '')))
    const sandboxes = new Sandboxes({
      store,
      seed: EMPTY,
      bindings,
      events: new Events({ bindings, drift: undefined, urlOf: (id) => `http://127.0.0.1/${id}` }),
      ids: bindings.ids,
      revision: null,
      revisions: [],
      sender: { allowPrivate: true, encoding: 'hex', userAgent: 'test' },
      log: SILENT,
      now: () => NOW,
    })
    const sandbox = await sandboxes.of(KEY)
    const { id } = JSON.parse(
      await sandboxes.life.addSource(sandbox, SOURCES.url[0], () => undefined),
    )
    const states = []
    for (const ms of [0, 999, 1, 999, 1, 24 * 3_600_000]) {
      await sandboxes.advance(await sandboxes.of(KEY), ms)
      const source = await store.state.source(sandbox, id)
      states.push(JSON.parse(source?.json ?? '{}').status)
    }
    await sandboxes.close()
    expect(states).toEqual(['pending', 'pending', 'indexing', 'indexing', 'indexed', 'indexed'])
  })

  it('emit one event when they are indexed', async () => {
    const one = fresh()
    const { body } = await mock.post('/v1/knowledge/sources', SOURCES.url[0], one)
    await mock.post('/_mock/clock', { advance: 'PT24H' }, one)
    const events = await mock.events(one)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      event: 'knowledge.indexed',
      occurred_at: '2026-11-21T12:00:02Z',
      data: { source_id: body.id, source: { ...body, status: 'indexed' } },
    })
  })

  it('fail where the source cannot be read', async () => {
    const one = fresh()
    await mock.post('/v1/knowledge/sources', { type: 'url', url: 'https://shop.invalid/x' }, one)
    await mock.post('/_mock/clock', { advance: 'PT2S' }, one)
    const [event] = await mock.events(one)
    expect(event.data.source.status).toBe('failed')
  })

  it('of other types than URL are indexed, even with a title that looks like one', async () => {
    const one = fresh()
    const title = 'https://shop.invalid/x'
    await mock.post('/v1/knowledge/sources', { type: 'text', title, text: 'Hello.' }, one)
    await mock.post('/_mock/clock', { advance: 'PT2S' }, one)
    const [event] = await mock.events(one)
    expect(event.data.source).toMatchObject({ title, status: 'indexed' })
  })
})

describe('a preference', () => {
  it('gets its response from the contract, not from state', async () => {
    const headers = (prefer: string) => ({ headers: { prefer } })
    const empty = await mock.get('/v1/conversations', headers('code=200, example=empty'))
    expect(empty.body.data).toEqual([])
    expect((await mock.get('/v1/analytics', headers('code=429'))).status).toBe(429)
    const created = await mock.post(
      `/v1/conversations/${SEEDED.open}/messages`,
      { text: 'Hello.' },
      headers('example=created'),
    )
    expect(created.body.id).toBe('msg_01J2Z95D2F')
    expect((await mock.get('/v1/conversations', headers('code=418'))).status).toBe(418)
    expect((await mock.get('/v1/conversations', headers('example=no'))).status).toBe(404)
  })

  it('gets every response that the contract declares, for every operation', async () => {
    const { operations } = await loadContract(CONTRACT, '')
    const bodies: Record<string, unknown> = {
      '/v1/conversations/{id}/messages': { text: 'Hello.' },
      '/v1/knowledge/sources': { type: 'url', url: 'https://shop.example.com/help' },
    }
    let count = 0
    for (const { method, path, prism } of operations) {
      for (const { code } of prism.responses) {
        const status = code === 'default' ? 418 : Number(code)
        const response = await mock.call(method, path.replace('{id}', SEEDED.open), {
          body: bodies[path],
          headers: { prefer: `code=${status}` },
        })
        expect(response.status, `${method} ${path} ${code}`).toBe(status)
        count++
      }
    }
    expect(count).toBeGreaterThan(40)
  })

  it('changes nothing', async () => {
    const one = fresh()
    const path = `/v1/conversations/${SEEDED.open}`
    await mock.post(`${path}/messages`, { text: 'Hi' }, { ...one, headers: { prefer: 'code=201' } })
    expect((await mock.get(path, one)).body.transcript).toHaveLength(2)
  })
})

describe('credentials', () => {
  it('are required by every operation', async () => {
    for (const path of ['/v1/conversations', `/v1/conversations/${SEEDED.open}`, '/v1/analytics']) {
      const { status, headers } = await mock.get(path, { headers: { authorization: 'Basic x' } })
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }
  })

  it('that are live are refused by every operation and by the control API', async () => {
    const live = { key: 'sk_live_abc' }
    const responses = await Promise.all([
      mock.get('/v1/conversations', live),
      mock.post(`/v1/conversations/${SEEDED.open}/messages`, { text: 'Hello.' }, live),
      mock.post('/v1/knowledge/sources', SEEDED, live),
      mock.get('/_mock/events', live),
    ])
    for (const { status, body } of responses) {
      expect([status, body.code]).toEqual([401, 'live_key'])
      expect(JSON.stringify(body)).not.toContain('sk_live_abc')
    }
  })
})

it.each([
  ['application/json', 201],
  ['text/html, */*;q=0.1', 201],
  ['text/html', 406],
  ['nonsense', 400],
])(
  'a client that accepts %s gets a %i, and a refusal changes nothing',
  async (accept, expected) => {
    const one = fresh()
    const path = `/v1/conversations/${SEEDED.open}`
    const before = (await mock.get(path, one)).body.transcript.length
    const posted = await mock.post(
      `${path}/messages`,
      { text: 'Hi' },
      { ...one, headers: { accept } },
    )
    expect(posted.status).toBe(expected)
    const after = (await mock.get(path, one)).body.transcript.length
    expect(after).toBe(expected === 201 ? before + 1 : before)
  },
)

it('responds to HEAD like to GET, without the body', async () => {
  const url = `${mock.server.url}/v1/conversations`
  const init = { headers: { authorization: `Bearer ${KEY}` } }
  const [got, head] = [await fetch(url, init), await fetch(url, { ...init, method: 'HEAD' })]
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'))
  expect(await head.text()).toBe('')
  expect(await got.text()).not.toBe('')
})
