import { describe, expect, it, vi } from 'vitest'
import { type Finding, matches } from '../../src/core/shape.js'
import { shapes } from '../../src/generated/shapes.js'
import { type ClientOptions, InvalidResponseError, type Mismatch } from '../../src/index.js'
import { createClient, rejection, useServer } from './support.ts'

const conversation = {
  id: 'conv_1',
  status: 'a later status',
  created_at: '2026-03-02T09:14:07Z',
  updated_at: '2026-03-02T09:14:07Z',
  transcript: [],
  handoff: null,
  later: true,
}
/** What a service sends that has renamed a field, whose old name the contract has. */
const renamed = {
  id: 'msg_1',
  conversation_id: 'conv_1',
  author: { type: 'agent', name: null },
  body: 'Hi',
  created_at: '2026-03-02T09:14:07Z',
}
const QUESTION = 'Is the client older than the service?'

describe('a response that does not match the contract', () => {
  const server = useServer()

  function clientOf(options: ClientOptions = {}) {
    const warnings: string[] = []
    const logger = {
      debug() {},
      info() {},
      warn: (text: string) => void warnings.push(text),
      error() {},
    }
    return { client: createClient({ logger, ...options }), warnings }
  }

  it('is told to the hook each time, and once per field in the log', async () => {
    const transcript = [renamed]
    server.respond({ ...conversation, transcript })
    const told: Mismatch[] = []
    const { client, warnings } = clientOf({ onMismatch: (mismatch) => told.push(mismatch) })
    expect((await client.conversations.get('conv_1')).transcript).toEqual(transcript)
    await client.withOptions({ timeout: 9 }).conversations.get('conv_1')
    expect(warnings).toEqual([`Message: missing text; unknown body. ${QUESTION}`])
    expect(told).toHaveLength(2)
    expect(told[0]).toEqual({
      model: 'Message',
      field: 'text',
      problem: 'missing',
      unknown: ['body'],
      method: 'GET',
      template: '/v1/conversations/{id}',
      requestId: null,
    })
  })

  it('names what is missing, null and unreadable, and warns of new fields later', async () => {
    const broken = { ...conversation, id: null, status: 7, transcript: {} }
    server.respond(
      { ...broken, created_at: undefined },
      { ...broken, updated_at: undefined, later: undefined },
    )
    const { client, warnings } = clientOf()
    await client.conversations.get('conv_1')
    await client.conversations.get('conv_1')
    expect(warnings).toEqual([
      `Conversation: missing created_at; null id; unreadable status, transcript; unknown later. ${QUESTION}`,
      `Conversation: missing updated_at. ${QUESTION}`,
    ])
  })

  it('fails the call of a strict client', async () => {
    server.respond({ ...conversation, transcript: [renamed] })
    const onMismatch = vi.fn()
    const { client, warnings } = clientOf({ strict: true, onMismatch })
    const error = await rejection(client.conversations.get('conv_1'))
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(error).toMatchObject({
      message: 'Message: missing text; unknown body (GET /v1/conversations/conv_1)',
      outcome: 'unknown',
      status: 200,
    })
    expect(onMismatch).toHaveBeenCalledOnce()
    expect(warnings).toEqual([])
  })

  it.each(['"x"', 'null', '[]', '7'])(
    'fails the call for %s in place of an object, whether or not the client is strict',
    async (json) => {
      server.respond(new Response(json))
      const { client } = clientOf()
      expect(await rejection(client.conversations.get('c1'))).toBeInstanceOf(InvalidResponseError)
      const strict = client.withOptions({ strict: true })
      const error = await rejection(strict.conversations.get('conv_1'))
      expect(error).toBeInstanceOf(InvalidResponseError)
      expect(error).toMatchObject({
        message: '200: the body is not JSON of the expected type (GET /v1/conversations/conv_1)',
        body: json,
      })
    },
  )

  it('is none where only values, variants or fields are unknown', async () => {
    server.respond(conversation)
    const onMismatch = vi.fn()
    const { client, warnings } = clientOf({ strict: true, onMismatch })
    expect(await client.conversations.get('conv_1')).toEqual(conversation)
    expect(onMismatch).not.toHaveBeenCalled()
    expect(warnings).toEqual([])
  })

  it('is found in a page, through the raw client too', async () => {
    const { transcript: _, handoff: __, later: ___, ...summary } = conversation
    const page = { data: [summary, { ...summary, id: 7 }], next_cursor: null, has_more: false }
    server.respond(page)
    const { client, warnings } = clientOf()
    const { data } = await client.conversations.list()
    expect(data).toEqual(page.data)
    expect(warnings).toEqual([`ConversationSummary: unreadable id. ${QUESTION}`])
    const raw = clientOf({ strict: true }).client.raw.GET('/v1/conversations')
    expect(await rejection(raw)).toBeInstanceOf(InvalidResponseError)
  })

  it('is told to the hook of a strict client completely', async () => {
    server.respond({ ...conversation, handoff: {}, transcript: [{}] })
    const onMismatch = vi.fn()
    const { client } = clientOf({ strict: true, onMismatch })
    expect(await rejection(client.conversations.get('conv_1'))).toMatchObject({
      message: expect.stringMatching(/^Message: missing id, /),
    })
    const models = onMismatch.mock.calls.map(([{ model }]) => model)
    expect(new Set(models)).toEqual(new Set(['Message', 'Handoff']))
  })

  it('is strict, or told to another hook, for one call', async () => {
    server.respond({ ...conversation, id: 7 })
    const [hook, other] = [vi.fn(), vi.fn()]
    const { client } = clientOf({ onMismatch: hook })
    const call = client.conversations.get('conv_1', { strict: true, onMismatch: other })
    expect(await rejection(call)).toBeInstanceOf(InvalidResponseError)
    const lenient = client.withOptions({ strict: true })
    await lenient.conversations.get('conv_1', { strict: false })
    await lenient.raw.GET('/v1/conversations/{id}', {
      params: { path: { id: 'conv_1' } },
      strict: false,
    })
    expect(other).toHaveBeenCalledTimes(1)
    expect(hook).toHaveBeenCalledTimes(2)
  })

  it('does not change with a hook that fails', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    server.respond({})
    const fail = () => {
      throw new Error('mine')
    }
    for (const onMismatch of [fail, async () => fail()]) {
      expect(await clientOf({ onMismatch }).client.conversations.get('c1')).toEqual({})
    }
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it.each([{}, { data: null }, { data: {} }, { data: 'x' }, []])(
    'is an error for a page without a list (%j)',
    async (body) => {
      server.respond(Response.json(body))
      const { client } = clientOf()
      expect(await rejection(client.conversations.list().toArray())).toBeInstanceOf(
        InvalidResponseError,
      )
    },
  )
})

describe('shapes', () => {
  it('take no name in a response for a member of every object', () => {
    const either = ['type', { thing: 'Thing' }]
    Object.assign(shapes, { Either: either, Thing: { type: '', valueOf: '' } })
    for (const type of ['toString', 'constructor', '__proto__']) {
      expect(matches({ type }, 'Either', [])).toBe(true)
    }
    const found: Finding[] = []
    expect(matches({ type: 'thing', toString: 1 }, 'Either', found)).toBe(true)
    const problems = [['valueOf', 'missing']]
    expect(found).toEqual([{ model: 'Thing', problems, unknown: ['toString'] }])
  })

  it.each<[unknown, string, boolean]>([
    ['a', '', true],
    [1, '', false],
    [1, '#', true],
    [1n, '#', true],
    ['1', '#', false],
    [true, '!', true],
    [null, '!', false],
    [null, '~!', true],
    [[], '[', true],
    [['a', 1], '[', false],
    [[['a']], '[[', true],
    [{ a: 1 }, '{#', true],
    [{ a: null }, '{#', false],
    [[], '{', false],
    [{}, 'Author', true],
    ['x', 'Author', false],
    [[], 'Author', false],
    [Symbol(), '*', true],
  ])('%o is a %j: %o', (value, shape, expected) => {
    expect(matches(value, shape, [])).toBe(expected)
  })
})
