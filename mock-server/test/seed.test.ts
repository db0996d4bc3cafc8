/** The initial data of a sandbox, one sandbox for each key. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { FileError } from '../src/files/checked.ts'
import { readSeed } from '../src/sandbox/seed-file.ts'
import { createMockServer } from './mock.ts'
import { type Sandboxed, SEEDED, sandboxed } from './sandboxed.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seed-'))
})
afterAll(() => rm(folder, { recursive: true }))

let mock: Sandboxed | undefined
afterEach(async () => {
  await mock?.close()
  mock = undefined
})

const MESSAGE = {
  id: 'msg_1',
  conversation_id: 'conv_1',
  author: { type: 'visitor', name: 'Ada' },
  text: 'Where is my parcel?',
  created_at: '2026-11-20T10:00:00Z',
}
const CONVERSATION = {
  id: 'conv_1',
  status: 'open',
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  transcript: [MESSAGE],
  handoff: null,
}

async function write(name: string, content: unknown): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return file
}

/** The errors of a seed, one line each. */
async function faults(file: string): Promise<string[]> {
  const error = await readSeed(file).then(
    () => null,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(FileError)
  const lines = (error as Error).message.split('\n')
  for (const line of lines) expect(line.startsWith(`${file}:`)).toBe(true)
  return lines.map((line) => line.slice(file.length + 1))
}

describe('a seed file', () => {
  it.each([
    ['seed.json', JSON.stringify({ conversations: [CONVERSATION] })],
    [
      'seed.yaml',
      `conversations:
  - id: conv_1
    status: open
    created_at: "2026-11-20T10:00:00Z"
    updated_at: 2026-11-20T10:00:00Z
    handoff: null
    transcript:
      - { id: msg_1, conversation_id: conv_1, author: { type: visitor, name: Ada }, text: Where is my parcel?, created_at: "2026-11-20T10:00:00Z" }
`,
    ],
  ])('%s fills a new sandbox', async (name, content) => {
    mock = await sandboxed({ seed: await readSeed(await write(name, content)) })
    for (const key of ['sk_a', 'sk_b']) {
      expect((await mock.get('/v1/conversations', { key })).body.data).toHaveLength(1)
      expect((await mock.get('/v1/conversations/conv_1', { key })).body).toEqual(CONVERSATION)
    }
    expect((await mock.get('/v1/analytics')).body.top_intents).toEqual([
      { intent: 'where is my order', count: 1 },
    ])
  })

  it('is listed by its times, in any order in the file', async () => {
    const times = ['2026-11-20T10:00:00Z', '2026-11-20T09:30:00-01:00', '2026-11-20T11:45:00+02:00']
    const conversations = times.map((updated_at, index) => ({
      ...CONVERSATION,
      id: `conv_${index}`,
      updated_at,
      transcript: [],
    }))
    mock = await sandboxed({ seed: await readSeed(await write('times.json', { conversations })) })
    const { body } = await mock.get('/v1/conversations')
    const ids = body.data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(['conv_1', 'conv_0', 'conv_2'])
    expect(body.data[0].updated_at).toBe('2026-11-20T10:30:00Z')
  })

  it('may hold what a sandbox returned. New conversations get other IDs', async () => {
    const live = async () => {
      const opened = await mock?.create('Where is my parcel?')
      await mock?.post(`/v1/conversations/${opened}/messages`, { text: 'Hello.' })
      return (await mock?.get(`/v1/conversations/${opened}`))?.body
    }
    mock = await sandboxed({ seed: 'empty' })
    const conversations = [await live(), await live()]
    await mock.close()

    mock = await sandboxed({ seed: await readSeed(await write('again.json', { conversations })) })
    for (let rounds = 0; rounds < 2; rounds++) {
      const threads = [...conversations, await live(), await live()]
      const [first] = conversations
      await mock.post(`/v1/conversations/${first.id}/messages`, { text: 'Once more.' })
      const { body } = await mock.get(`/v1/conversations/${first.id}`)
      const ids = threads.flatMap(({ id, transcript }) => [
        id,
        ...transcript.map(({ id }: { id: string }) => id),
      ])
      ids.push(body.transcript.at(-1).id)
      expect(new Set(ids).size).toBe(4 * 3 + 1)
      await mock.post('/_mock/reset', {})
    }
  })

  it('may hold no conversations', async () => {
    mock = await sandboxed({
      seed: await readSeed(await write('none.json', { conversations: [] })),
    })
    expect((await mock.get('/v1/conversations')).body.data).toEqual([])
  })

  const wrong: [name: string, conversation: object, reason: RegExp][] = [
    ['a field missing', { ...CONVERSATION, status: undefined }, /^3:5: .*'status'. Add `status`/],
    [
      'a field too much',
      { ...CONVERSATION, colour: 'red' },
      /^\d+:7: conversations\.0\.colour is unknown\. Remove it, or use one of: id, /,
    ],
    [
      'another status',
      { ...CONVERSATION, status: 'lost' },
      /^5:17: conversations\.0\.status .* Use one of: .*\bopen\b/,
    ],
    [
      'a time that is none',
      { ...CONVERSATION, created_at: 'now' },
      /^6:21: .*2026-03-02T09:14:07Z/,
    ],
    [
      'a type that is wrong',
      { ...CONVERSATION, transcript: {} },
      /conversations\.0\.transcript must be array/,
    ],
    [
      'an id without its prefix',
      { ...CONVERSATION, id: 'a' },
      /^4:13: conversations\.0\.id must match .*schema/,
    ],
    [
      'an author of another kind',
      { ...CONVERSATION, transcript: [{ ...MESSAGE, author: { type: 'cat', name: null } }] },
      /type must be equal .* visitor, agent, bot/,
    ],
    ['no handoff', { ...CONVERSATION, status: 'handed_off' }, /^20:18: .*needs a handoff. Add/],
    ['an id twice', { ...CONVERSATION, transcript: [MESSAGE, MESSAGE] }, /msg_1 appears twice/],
    [
      'a message of another conversation',
      { ...CONVERSATION, transcript: [{ ...MESSAGE, conversation_id: 'conv_2' }] },
      /^11:30: The message belongs to conv_2. Write conv_1/,
    ],
  ]
  it.each(wrong)(
    'with %s is refused at its location, with a cure',
    async (_, conversation, reason) => {
      const found = await faults(await write('wrong.json', { conversations: [conversation] }))
      expect(found).toHaveLength(1)
      expect(found[0]).toMatch(reason)
    },
  )

  it('is refused with all reasons at once', async () => {
    const broken = { ...CONVERSATION, id: 1, status: 2 }
    const conversations = [broken, { ...CONVERSATION, handoff: {} }]
    expect((await faults(await write('many.json', { conversations }))).length).toBe(4)
  })

  it('is refused where an id is taken by another conversation', async () => {
    const other = { ...CONVERSATION, transcript: [] }
    const [fault] = await faults(await write('two.json', { conversations: [CONVERSATION, other] }))
    expect(fault).toMatch(/^23:13: The id conv_1 appears twice/)
  })

  it.each([
    ['broken.yaml', 'conversations: [', /^\d+:\d+: .*Name a readable YAML or JSON file\./],
    ['empty.yaml', '', /^1:1: the file must be object/],
    ['list.yaml', '- a', /^1:1: the file must be object/],
    ['other.yaml', 'openapi: 3.1.0', /Add `conversations`|openapi is unknown/],
  ])('%s is refused', async (name, content, reason) => {
    for (const fault of await faults(await write(name, content))) expect(fault).toMatch(reason)
  })

  it('that does not exist is refused, in a test too', async () => {
    const missing = join(folder, 'missing.yaml')
    expect(await faults(missing)).toHaveLength(1)
    await expect(createMockServer({ seed: missing })).rejects.toThrow('missing.yaml')
  })
})

describe('a sandbox', () => {
  it('is empty on request', async () => {
    mock = await sandboxed({ seed: 'empty' })
    expect((await mock.get('/v1/conversations')).body.data).toEqual([])
    expect((await mock.get('/v1/analytics')).body).toEqual({
      conversation_volume: 0,
      deflection_rate: 0,
      top_intents: [],
    })
  })

  it('is separate for each key', async () => {
    mock = await sandboxed()
    const path = `/v1/conversations/${SEEDED.open}`
    await mock.post(`${path}/messages`, { text: 'Hello.' }, { key: 'sk_a' })
    const lengths = []
    for (const key of ['sk_a', 'sk_b', 'sk_A']) {
      lengths.push((await mock.get(path, { key })).body.transcript.length)
    }
    expect(lengths).toEqual([3, 2, 2])
  })

  it('makes the same IDs again after a reset, except those of events', async () => {
    mock = await sandboxed()
    const live = async () => {
      const id = await mock?.create('Where is my parcel?')
      const events = (await mock?.events()) ?? []
      await mock?.post('/_mock/reset', {})
      return { id, events: events.map(({ id }: { id: string }) => id) }
    }
    const [first, second] = [await live(), await live()]
    expect(second.id).toBe(first.id)
    expect(second.events).toHaveLength(2)
    for (const id of second.events) expect(first.events).not.toContain(id)
  })

  it('returns to its seed and the real time at a reset', async () => {
    mock = await sandboxed()
    const before = await mock.get('/v1/conversations')
    await mock.post(`/v1/conversations/${SEEDED.open}/messages`, { text: 'Hello.' })
    await mock.post('/_mock/endpoints', { url: 'http://127.0.0.1:9/' })
    await mock.post('/_mock/clock', { advance: 'P1D' })
    expect((await mock.post('/_mock/clock', { advance: 'PT0S' })).body.now).toMatch(/^2026-11-22/)
    expect((await mock.post('/_mock/reset', {})).status).toBe(204)
    expect((await mock.get('/v1/conversations')).body).toEqual(before.body)
    for (const list of ['endpoints', 'events', 'deliveries']) {
      expect((await mock.get(`/_mock/${list}`)).body).toMatchObject({ data: [] })
    }
    expect((await mock.post('/_mock/clock', { advance: 'PT0S' })).body.now).toMatch(/^2026-11-21/)
  })

  it('makes room for another key when it is the least recently used of 1,000', async () => {
    mock = await sandboxed({ seed: 'empty' })
    const use = (number: number) => mock?.create(undefined, { key: `sk_${number}` })
    for (let number = 0; number < 1000; number++) await use(number)
    const count = async (number: number) => {
      const { body } = (await mock?.get('/v1/analytics', { key: `sk_${number}` })) ?? {}
      return body.conversation_volume
    }
    expect(await count(0)).toBe(1)
    await use(1000)
    expect([await count(0), await count(999), await count(1000)]).toEqual([1, 1, 1])
    // The second one was removed, and is created again.
    expect(await count(1)).toBe(0)
  })

  it('is kept while it has dead deliveries. With 1,000 of those, a new key gets a 503', async () => {
    mock = await sandboxed({ seed: 'empty', allowPrivate: false })
    for (let number = 0; number < 1000; number++) {
      const options = { key: `sk_${number}` }
      await mock.post('/_mock/endpoints', { url: 'http://127.0.0.1:9/' }, options)
      await mock.create(undefined, options)
      await mock.sandboxes.settled(await mock.sandboxes.of(options.key))
    }
    const { status, body, headers } = await mock.get('/v1/conversations', { key: 'sk_new' })
    expect([status, body.code]).toEqual([503, 'too_many_sandboxes'])
    expect(body.detail).toContain('reset')
    expect(headers['content-type']).toBe('application/problem+json')
    expect((await mock.get('/v1/conversations', { key: 'sk_7' })).body.data).toHaveLength(1)
    await mock.post('/_mock/reset', {}, { key: 'sk_7' })
    expect((await mock.get('/v1/conversations', { key: 'sk_new' })).status).toBe(200)
  })
})
