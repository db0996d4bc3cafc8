/** A conversation's life, step by step: each changes the state and emits its event. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, type Sandboxed, sandboxed } from './sandboxed.ts'

let mock: Sandboxed
beforeAll(async () => {
  mock = await sandboxed({ seed: 'empty' })
})
afterAll(() => mock.close())

let keys = 0
/** A key that no test has used. */
const fresh = (): CallOptions => ({ key: `sk_test_${keys++}` })

const BODIES = {
  messages: { text: 'And now?' },
  handoff: { reason: 'A refund.' },
  resolve: {},
  csat: { rating: 5, comment: 'Quick and friendly.' },
}
type Step = keyof typeof BODIES

const step = (id: string, name: Step, one: CallOptions, body: unknown = BODIES[name]) =>
  mock.post(`/_mock/conversations/${id}/${name}`, body, one)
const read = async (id: string, one: CallOptions) =>
  (await mock.get(`/v1/conversations/${id}`, one)).body
const later = (one: CallOptions) => mock.post('/_mock/clock', { advance: 'PT1M' }, one)
const kinds = async (one: CallOptions) =>
  (await mock.events(one)).map(({ event }: { event: string }) => event)

describe('a conversation', () => {
  it('goes through its whole life and emits an event at each step', async () => {
    const one = fresh()
    const opened = await mock.post(
      '/_mock/conversations',
      { text: 'Where is my parcel?', name: 'Ada Moreau' },
      one,
    )
    expect(opened.status).toBe(201)
    expect(opened.body).toMatchObject({ status: 'open', created_at: '2026-11-21T12:00:00Z' })
    const { id } = opened.body
    await later(one)
    const said = await step(id, 'messages', one)
    expect([said.status, said.body.author]).toEqual([201, { type: 'visitor', name: 'Ada Moreau' }])
    await later(one)
    const waiting = await step(id, 'handoff', one)
    expect([waiting.status, waiting.body.status]).toEqual([200, 'handed_off'])
    await later(one)
    const response = await mock.post(`/v1/conversations/${id}/messages`, { text: 'Found it.' }, one)
    expect(response.body.author.type).toBe('agent')
    await later(one)
    const resolved = await step(id, 'resolve', one)
    expect(resolved.body).toEqual({
      id,
      status: 'resolved',
      created_at: '2026-11-21T12:00:00Z',
      updated_at: '2026-11-21T12:04:00Z',
    })
    await later(one)
    expect((await step(id, 'csat', one)).status).toBe(200)

    const conversation = await read(id, one)
    expect(conversation.transcript.map(({ text }: { text: string }) => text)).toEqual([
      'Where is my parcel?',
      'And now?',
      'Found it.',
    ])
    expect(conversation.handoff).toEqual({
      reason: 'A refund.',
      requested_at: '2026-11-21T12:02:00Z',
    })

    const events = await mock.events(one)
    const common = { conversation_id: id }
    expect(events.map(({ event, data }: { event: string; data: object }) => [event, data])).toEqual(
      [
        ['conversation.created', { ...common, conversation: opened.body }],
        ['conversation.message', { ...common, message: conversation.transcript[0] }],
        ['conversation.message', { ...common, message: said.body }],
        [
          'conversation.handoff',
          {
            ...common,
            reason: 'A refund.',
            transcript_url: `${mock.server.url}/v1/conversations/${id}`,
          },
        ],
        ['conversation.message', { ...common, message: response.body }],
        ['conversation.resolved', { ...common, conversation: resolved.body }],
        ['conversation.csat', { ...common, rating: 5, comment: 'Quick and friendly.' }],
      ],
    )
    const times = events.map(({ occurred_at }: { occurred_at: string }) =>
      occurred_at.slice(14, 16),
    )
    expect(times).toEqual(['00', '00', '01', '02', '03', '04', '05'])
    expect(new Set(events.map(({ id }: { id: string }) => id)).size).toBe(events.length)
  })

  it('can be read at the transcript’s URL', async () => {
    const one = fresh()
    const id = await mock.create('Hello?', one)
    await step(id, 'handoff', one)
    const event = (await mock.events(one)).at(-1)
    const headers = { authorization: `Bearer ${one.key}` }
    const response = await fetch(event.data.transcript_url, { headers })
    expect(await response.json()).toEqual(await read(id, one))
  })

  it('may begin without a message and without a name', async () => {
    const one = fresh()
    const id = await mock.create(undefined, one)
    expect((await read(id, one)).transcript).toEqual([])
    const { body } = await step(id, 'messages', one)
    expect(body.author).toEqual({ type: 'visitor', name: null })
    expect(await kinds(one)).toEqual(['conversation.created', 'conversation.message'])
  })

  it('may have a visitor with another name for one message', async () => {
    const one = fresh()
    const { body } = await mock.post('/_mock/conversations', { name: 'Ada' }, one)
    const names = []
    for (const name of ['Bob', null, undefined]) {
      const message = await step(body.id, 'messages', one, { text: 'Hi.', name })
      names.push(message.body.author.name)
    }
    expect(names).toEqual(['Bob', null, 'Ada'])
  })

  it('may be resolved without a handoff, and rated without a comment', async () => {
    const one = fresh()
    const id = await mock.create('Hello?', one)
    await step(id, 'resolve', one)
    await step(id, 'csat', one, { rating: 1 })
    expect((await mock.events(one)).at(-1).data).toMatchObject({ rating: 1, comment: null })
    expect((await read(id, one)).handoff).toBeNull()
  })
})

describe('a step that is impossible', () => {
  const impossible: [name: string, before: Step[], step: Step, reason: string][] = [
    ['a second handoff', ['handoff'], 'handoff', 'is already handed off'],
    ['a handoff of a resolved one', ['resolve'], 'handoff', 'is resolved'],
    ['a message to a resolved one', ['resolve'], 'messages', 'is resolved'],
    ['resolving twice', ['resolve'], 'resolve', 'is already resolved'],
    ['rating an open one', [], 'csat', 'is not resolved'],
    ['rating one that waits', ['handoff'], 'csat', 'is not resolved'],
    ['rating twice', ['resolve', 'csat'], 'csat', 'already has a rating'],
  ]
  it.each(impossible)(
    'like %s is a 409 with the reason, and changes nothing',
    async (_, before, name, reason) => {
      const one = fresh()
      const id = await mock.create('Hello?', one)
      for (const earlier of before) expect((await step(id, earlier, one)).status).toBeLessThan(300)
      const [was, said] = [await read(id, one), await kinds(one)]
      const { status, body } = await step(id, name, one)
      expect([status, body.code]).toEqual([409, 'impossible_step'])
      expect(body.detail).toContain(`The conversation ${id} ${reason}`)
      expect(await read(id, one)).toEqual(was)
      expect(await kinds(one)).toEqual(said)
    },
  )

  it.each(Object.keys(BODIES) as Step[])(
    'like %s of an unknown conversation is a 404',
    async (name) => {
      const { status, body } = await step('conv_nothing', name, fresh())
      expect([status, body.code]).toEqual([404, 'conversation_not_found'])
    },
  )

  it('is refused for all but the first of many concurrent requests', async () => {
    const one = fresh()
    const id = await mock.create('Hello?', one)
    const all = await Promise.all(Array.from({ length: 20 }, () => step(id, 'resolve', one)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await kinds(one)).toEqual([
      'conversation.created',
      'conversation.message',
      'conversation.resolved',
    ])
  })
})
