/** Whatever a maintainer does to the contract, nothing that the mock server sends contradicts it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../src/index.ts'
import { Commands } from './command.ts'
import { FIELD_EDITS } from './edited/fields.ts'
import { journey } from './edited/journey.ts'
import { edited, type Node } from './edited/tools.ts'
import { WIRE_EDITS } from './edited/wire.ts'

const EDITS = [...FIELD_EDITS, ...WIRE_EDITS]
const folder = mkdtempSync(join(tmpdir(), 'edited-'))
const commands = new Commands()
let mock: MockServer | undefined
afterEach(async () => {
  await mock?.close()
  mock = undefined
})
afterAll(() => {
  commands.close()
  rmSync(folder, { recursive: true })
})

function documentOf(name: string): Node {
  const edit = EDITS.find((one) => one.name === name)
  if (!edit) throw new Error(`there is no edit ${name}`)
  return edited(edit)
}

function fileOf(name: string): string {
  const file = join(folder, `${name.replaceAll(' ', '-')}.json`)
  writeFileSync(file, JSON.stringify(documentOf(name)))
  return file
}

/** Calls a server that follows an edited contract. */
async function serving(name: string, options: object = {}) {
  const started = await createMockServer({ contract: fileOf(name), strict: true, ...options })
  mock = started
  return async (method: string, path: string, body?: object): Promise<Node> => {
    const response = await started.fetch(path, {
      method,
      headers: { authorization: 'Bearer sk_test_demo', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }
}

describe('a contract with', () => {
  it.each(EDITS)('$name is followed', async ({ name }) => {
    await serving(name)
    await journey(documentOf(name), (path, init) => {
      if (!mock) throw new Error('there is no server')
      return mock.fetch(path, init)
    })
  })

  it('no edit has no deviation', async () => {
    const call = await serving('nothing')
    expect(await call('GET', '/_mock/contract')).toMatchObject({ unserved: [], deviations: [] })
  })
})

describe('what the sandbox knows', () => {
  const path = '/v1/conversations/conv_01J2Z7Q4KX'

  it('is carried over to the new name of a field, in both directions', async () => {
    const call = await serving('a renamed field')
    const sent = await call('POST', `${path}/messages`, { body: 'Yes, we do.' })
    expect(sent).toMatchObject({ body: 'Yes, we do.', author: { type: 'agent' } })
    const { transcript } = await call('GET', path)
    const texts = transcript.map(({ body }: Node) => body)
    expect(texts).toEqual([
      'Do you ship to Norway?',
      'Yes, in three to five working days.',
      'Yes, we do.',
    ])
    const { deviations } = await call('GET', '/_mock/contract')
    expect(deviations).toContainEqual({
      where: 'GET /v1/conversations/{id}',
      field: '/transcript/*/body',
      action: 'carried',
      detail: 'carried over from text',
    })
  })

  it('is dropped where the name is gone, and the new field is filled from the example', async () => {
    const call = await serving('a renamed field without a mark')
    const sent = await call('POST', `${path}/messages`, { text: 'Yes, we do.' })
    expect(sent).not.toHaveProperty('text')
    expect(sent.body).toBe('The carrier left it with your neighbour at number 12.')
    const { deviations } = await call('GET', '/_mock/contract')
    const actions = deviations
      .filter(({ where }: Node) => where === 'POST /v1/conversations/{id}/messages')
      .map(({ field, action }: Node) => `${action} ${field}`)
    expect(actions.sort()).toEqual(['dropped /text', 'filled /body'])
  })

  it('fills required fields from examples, else with the least that is valid', async () => {
    const call = await serving('added required fields')
    const { tags, priority, transcript } = await call('GET', path)
    expect([tags, priority]).toEqual([['vip'], 4])
    expect(transcript[0].language).toBe('de')
  })

  it('filters by the value that is shown for a state', async () => {
    const call = await serving('a removed enum value')
    const { data } = await call('GET', '/v1/conversations?status=open')
    expect(data.map(({ status }: Node) => status)).toEqual(['open', 'open'])
    await mock?.close()
    const other = await serving('enum values in another spelling')
    const page = await other('GET', '/v1/conversations?status=HANDED-OFF')
    expect(page.data.map(({ status }: Node) => status)).toEqual(['HANDED-OFF'])
  })

  it('is paged under other names', async () => {
    const call = await serving('renamed keys of a page')
    const first = await call('GET', '/v1/conversations?page_size=2')
    expect([first.items.length, first.has_more]).toEqual([2, true])
    const second = await call('GET', `/v1/conversations?page_size=2&after=${first.next}`)
    expect([second.items.length, second.next]).toEqual([1, null])
  })

  it('is found by ids that are integers', async () => {
    const call = await serving('ids as integers')
    const { id } = await call('POST', '/_mock/conversations', { text: 'Hello?' })
    expect(Number.isSafeInteger(id)).toBe(true)
    const found = await call('GET', `/v1/conversations/${id}`)
    expect(found.transcript[0]).toMatchObject({ conversation_id: id, text: 'Hello?' })
  })

  it("keeps the conversations in a seed in the contract's own words", async () => {
    const seed = join(folder, 'seed.json')
    const [{ value }] = Object.values<Node>(
      documentOf('a renamed field').paths['/v1/conversations/{id}'].get.responses['200'].content[
        'application/json'
      ].examples,
    )
    writeFileSync(seed, JSON.stringify({ conversations: [value] }))
    const call = await serving('a renamed field', { seed })
    expect(await call('GET', `/v1/conversations/${value.id}`)).toEqual(value)
    const wrong = createMockServer({ contract: fileOf('nothing'), seed })
    await expect(wrong).rejects.toThrow('body is unknown')
  })
})

describe('what the sandbox cannot serve', () => {
  it('comes from the examples, and the server says why', async () => {
    const call = await serving('a removed endpoint')
    expect((await call('GET', '/_mock/contract')).unserved).toEqual([
      { what: 'GET /v1/conversations/{id}', why: 'is not in the contract' },
      { what: 'POST /v1/knowledge/sources', why: 'is not in the contract' },
    ])
    await mock?.close()
    const other = await serving('a new endpoint')
    expect(await other('GET', '/v1/teams/1')).toEqual({ name: 'Support' })
    const { operations } = await other('GET', '/_mock/contract')
    const origins = operations.map(({ path, from }: Node) => [path, from])
    expect(origins).toContainEqual(['/v1/teams/{team}', 'examples'])
    expect(origins).toContainEqual(['/v1/conversations', 'state'])
  })

  it('is sent under the new name of a kind, and not at all where the kind is gone', async () => {
    const life = async (call: Awaited<ReturnType<typeof serving>>) => {
      const { id } = await call('POST', '/_mock/conversations', {})
      for (const [step, body] of [
        ['handoff', { reason: 'A refund.' }],
        ['resolve', {}],
        ['csat', { rating: 5 }],
      ] as const) {
        await call('POST', `/_mock/conversations/${id}/${step}`, body)
      }
      const { data } = await call('GET', '/_mock/events')
      return data.map(({ event }: Node) => event).reverse()
    }
    const renamed = await life(await serving('a renamed kind of event'))
    expect(renamed).toEqual([
      'conversation.created',
      'handoff.requested',
      'conversation.resolved',
      'conversation.csat',
    ])
    await mock?.close()
    const removed = await life(await serving('a removed kind of event'))
    expect(removed).toEqual([
      'conversation.created',
      'conversation.handoff',
      'conversation.resolved',
    ])
  })
})

describe('a strict server', () => {
  it('refuses an event that contradicts the contract, and names the field', async () => {
    mock = await createMockServer({ strict: true })
    await expect(mock.trigger('conversation.csat', { rating: 99 })).rejects.toThrow(
      'The event conversation.csat does not match the contract: /data/rating must be <= 5.',
    )
  })

  it('returns a 422 that names the field of the data', async () => {
    const call = await serving('nothing')
    const data = { rating: 99 }
    expect(await call('POST', '/_mock/trigger', { kind: 'conversation.csat', data })).toMatchObject(
      {
        status: 422,
        code: 'validation_failed',
        errors: [{ in: 'body', pointer: '/data/rating', message: 'must be <= 5' }],
      },
    )
  })

  it('sends what another server would send', async () => {
    mock = await createMockServer()
    expect(await mock.trigger('conversation.csat', { rating: 99 })).toMatchObject({
      data: { rating: 99 },
    })
  })
})

describe('support-chat-mock serve --contract', () => {
  const KIND = 'conversation.assigned'

  it('follows an edited contract, with its kinds in every command', async () => {
    const name = 'a new kind of event'
    const { url, stop, stderr } = await commands.serve([
      ...['--contract', fileOf(name), '--memory', '--strict'],
    ])
    await journey(documentOf(name), (path, init) => fetch(url + path, init))
    const at = { SUPPORT_CHAT_BASE_URL: url }
    const event = await commands.json(['trigger', KIND, '--data', '{"agent":"Ada"}'], at)
    expect(event).toMatchObject({ event: KIND, data: { agent: 'Ada' } })
    const scenario = join(folder, 'scenario.yaml')
    writeFileSync(scenario, `steps:\n  - create:\n  - trigger: { kind: ${KIND} }\n`)
    const played = await commands.run(['trigger', '--scenario', scenario], at)
    expect(played).toMatchObject({ code: 0, stderr: '' })
    const listed = await commands.json(['deliveries', '--kind', KIND], at)
    expect(listed.length).toBeGreaterThan(0)
    const lost = await commands.run(['trigger', 'conversation.lost'], at)
    expect(lost.code).toBe(2)
    expect(lost.stderr).toContain(KIND)
    expect(await stop()).toBe(0)
    expect(stderr()).toBe('')
  })

  it.each(['ids as integers', 'ids with another prefix'])(
    'acts in a scenario on a conversation by its id, with %s',
    async (name) => {
      const { url, stop } = await commands.serve(['--contract', fileOf(name), '--memory'])
      const headers = { authorization: 'Bearer sk_test_demo' }
      const listed = await (await fetch(`${url}/v1/conversations?status=open`, { headers })).json()
      const scenario = join(folder, 'by-id.yaml')
      const run = (id: unknown) => {
        writeFileSync(scenario, `steps:\n  - { resolve: , in: ${id} }\n`)
        return commands.run(['trigger', '--scenario', scenario], { SUPPORT_CHAT_BASE_URL: url })
      }
      expect(await run(listed.data[0].id)).toMatchObject({ code: 0, stderr: '' })
      expect((await run('first')).stderr).toContain('No earlier step names a conversation first')
      expect(await stop()).toBe(0)
    },
  )

  it('logs each deviation once', async () => {
    const { url, stop, stderr } = await commands.serve([
      ...['--contract', fileOf('a renamed field without a mark'), '--memory'],
    ])
    for (let round = 0; round < 3; round++) {
      await fetch(`${url}/v1/conversations/conv_01J2Z7Q4KX`, {
        headers: { authorization: 'Bearer sk_test_demo' },
      })
    }
    await stop()
    const lines = stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const told = lines.map(({ where, field, detail }) => `${where} ${field} ${detail}`)
    expect(new Set(told).size).toBe(told.length)
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'the sandbox deviates from the contract',
        where: 'GET /v1/conversations/{id}',
        field: '/transcript/*/text',
        detail: 'not in the contract',
      }),
    )
  })
})
