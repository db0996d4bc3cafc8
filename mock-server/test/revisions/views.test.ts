/** One sandbox under two revisions of the contract: what each of them shows and takes. */
import { afterAll, describe, expect, it } from 'vitest'
import type { Node } from '../edited/tools.ts'
import { documentOf, NEW, OLD, Pairs } from './pairs.ts'

const pairs = new Pairs()
afterAll(() => pairs.clean())

const THREAD = '/v1/conversations/conv_01J2Z7Q4KX'
const textsOf = ({ transcript }: Node, field: string) =>
  transcript.map((message: Node) => message[field])

describe('a conversation', () => {
  it('has a renamed field in both, in responses and in requests', async () => {
    await pairs.serve('a renamed field')
    const sent = await pairs.old(`${THREAD}/messages`, { text: 'From the old one.' })
    const later = await pairs.now(`${THREAD}/messages`, { body: 'From the new one.' })
    expect([sent.text, later.body]).toEqual(['From the old one.', 'From the new one.'])
    expect(sent).not.toHaveProperty('body')
    expect(later).not.toHaveProperty('text')
    const texts = textsOf(await pairs.old(THREAD), 'text')
    expect(texts.slice(-2)).toEqual(['From the old one.', 'From the new one.'])
    expect(textsOf(await pairs.now(THREAD), 'body')).toEqual(texts)
    expect(await pairs.now(`${THREAD}/messages`, { text: 'Hello' })).toMatchObject({ status: 422 })
    expect(await pairs.old(`${THREAD}/messages`, { body: 'Hello' })).toMatchObject({ status: 422 })
  })

  it('has a field without a mark where one is gone, one has come, and both are alike', async () => {
    await pairs.serve('a renamed field without a mark')
    const { text } = await pairs.old(`${THREAD}/messages`, { text: 'Hello' })
    const texts = textsOf(await pairs.now(THREAD), 'body')
    expect([text, texts.at(-1)]).toEqual(['Hello', 'Hello'])
    const { revisions } = await pairs.old('/_mock/contract')
    expect(revisions.map(({ renames }: Node) => renames)).toEqual([
      [],
      [{ what: 'field', from: 'text', to: 'body', certain: false }],
    ])
    const page = await pairs.old('/dashboard/contract')
    expect(page).toContain('Nothing but the names differs.')
  })

  it('has an example where nobody knows what became of a field, which is said once', async () => {
    const document = documentOf('a renamed field without a mark', NEW)
    document.components.schemas.Message.properties.body.maxLength = 9_000
    const files = [pairs.file(documentOf('nothing', OLD)), pairs.file(document)]
    await pairs.start({ contracts: files, strict: true })
    await pairs.old(`${THREAD}/messages`, { text: 'Hello' })
    const texts = textsOf(await pairs.now(THREAD), 'body')
    expect(texts.at(-1)).not.toBe('Hello')
    expect(textsOf(await pairs.old(THREAD), 'text').at(-1)).toBe('Hello')
    const { revisions } = await pairs.old('/_mock/contract')
    const fields = revisions.map(({ deviations }: Node) =>
      deviations.map(({ where, field, action }: Node) => `${where} ${action} ${field}`),
    )
    expect(fields[0]).toEqual([])
    expect(fields[1]).toContain('GET /v1/conversations/{id} filled /transcript/*/body')
    expect(new Set(fields[1]).size).toBe(fields[1].length)
  })

  it('follows two renames in a row', async () => {
    const [old, now] = pairs.files('a renamed field')
    const document = documentOf('a renamed field', '3.0.0')
    for (const name of ['Message', 'MessageCreateParams']) {
      const { [name]: schema } = document.components.schemas
      const { body, ...others } = schema.properties
      schema.properties = { ...others, content: { ...body, 'x-renamed-from': 'body' } }
      schema.required = schema.required.map((one: string) => (one === 'body' ? 'content' : one))
    }
    const text = JSON.stringify(document).replaceAll('"body":"', '"content":"')
    await pairs.start({ contracts: [old, now, pairs.file(JSON.parse(text))], strict: true })
    expect(pairs.mock.revisions).toEqual([OLD, NEW, '3.0.0'])
    const revision = '3.0.0'
    const body = { content: 'Twice renamed.' }
    const sent = await pairs.call(`${THREAD}/messages`, { body, revision })
    expect(sent.body).toMatchObject(body)
    const seen = await pairs.call(THREAD, { revision })
    expect(textsOf(seen.body, 'content').at(-1)).toBe('Twice renamed.')
    expect(textsOf(await pairs.old(THREAD), 'text').at(-1)).toBe('Twice renamed.')
  })

  it('keeps a removed field in the revision that has it', async () => {
    await pairs.serve('a removed field')
    expect(await pairs.old(THREAD)).toHaveProperty('created_at')
    expect(await pairs.now(THREAD)).not.toHaveProperty('created_at')
  })

  it('is found at the path of each revision', async () => {
    await pairs.serve('other paths')
    const path = '/v2/threads/conv_01J2Z7Q4KX'
    await pairs.now(`${path}/messages`, { text: 'By the new path.' })
    const { transcript } = await pairs.old(THREAD)
    expect(transcript.at(-1).text).toBe('By the new path.')
    expect(await pairs.now(path)).toEqual(await pairs.old(THREAD))
    expect((await pairs.call(path)).status).toBe(404)
    expect((await pairs.call(THREAD, { revision: NEW })).status).toBe(404)
  })

  it('is listed in pages of each revision, and a cursor is good for both', async () => {
    await pairs.serve('renamed keys of a page')
    const old = await pairs.old('/v1/conversations?limit=1')
    const now = await pairs.now('/v1/conversations?page_size=1')
    expect([now.items, now.next]).toEqual([old.data, old.next_cursor])
    const second = await pairs.now(`/v1/conversations?page_size=1&after=${old.next_cursor}`)
    const same = await pairs.old(`/v1/conversations?limit=1&cursor=${now.next}`)
    expect(second.items).toEqual(same.data)
    expect((await pairs.call('/v1/conversations?page_size=1')).status).toBe(422)
  })

  it('has ids that both can show', async () => {
    await pairs.serve('ids as integers')
    const { id } = await pairs.old('/_mock/conversations', { text: 'Hello' })
    const found = await pairs.now(`/v1/conversations/${id}`)
    expect([typeof id, found.id]).toEqual(['string', Number(id)])
    expect(await pairs.old(`/v1/conversations/${found.id}`)).toMatchObject({ id })
  })

  it('is messaged once for a key that is sent under both', async () => {
    await pairs.serve('a renamed field')
    const headers = { 'idempotency-key': 'one' }
    const first = await pairs.call(`${THREAD}/messages`, { body: { text: 'Once.' }, headers })
    const again = { body: { body: 'Once.' }, headers, revision: NEW }
    const second = await pairs.call(`${THREAD}/messages`, again)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toMatchObject({ id: first.body.id, body: 'Once.' })
  })
})

describe('a revision', () => {
  it('has its own operations, errors and pages', async () => {
    await pairs.serve('a new endpoint')
    expect(await pairs.now('/v1/teams/1')).toEqual({ name: 'Support' })
    expect((await pairs.call('/v1/teams/1')).status).toBe(404)
    expect(await pairs.old('/openapi.yaml')).not.toContain('/v1/teams/{team}')
    expect(await pairs.old(`/openapi.yaml?revision=${NEW}`)).toContain('/v1/teams/{team}')
    expect(await pairs.old(`/reference?revision=${NEW}`)).toContain(
      `/reference/openapi.yaml?revision=${NEW}`,
    )
    await pairs.serve('another format of errors')
    expect(await pairs.old('/v1/conversations/none')).toHaveProperty('detail')
    expect(Object.keys(await pairs.now('/v1/conversations/none'))).toEqual(['error'])
  })

  it('is chosen by header, else by key, else it is the first', async () => {
    await pairs.serve('a renamed field')
    const shape = async (options: object = {}) => {
      const { headers, body } = await pairs.call(THREAD, options)
      return [headers.get('x-mock-revision'), Object.keys(body.transcript[0]).includes('body')]
    }
    const choose = (name: string | null, headers = {}) =>
      pairs.call('/_mock/revision', { method: 'PUT', body: { name }, headers })
    expect(await shape()).toEqual([OLD, false])
    expect(await choose(NEW)).toMatchObject({ status: 200, body: { name: NEW } })
    expect(await shape()).toEqual([NEW, true])
    expect(await shape({ revision: OLD })).toEqual([OLD, false])
    const other = { authorization: 'Bearer another' }
    expect(await shape({ headers: other })).toEqual([OLD, false])
    await pairs.old('/_mock/reset', {})
    expect(await shape()).toEqual([NEW, true])
    expect((await pairs.call('/_mock/contract')).body).toMatchObject({ revision: NEW })
    expect(await choose('9')).toMatchObject({
      status: 422,
      body: { detail: 'There is no revision "9". Use one of: 1.0.0, 2.0.0.' },
    })
    await choose(null)
    expect(await shape()).toEqual([OLD, false])
  })

  it.each(['', '9', '1.0.0, 2.0.0', 'é'.repeat(500), '__proto__'])(
    'is refused by the name %j, with the known ones',
    async (revision) => {
      await pairs.serve('nothing')
      const options = { headers: { 'x-mock-revision': encodeURI(revision) }, method: 'GET' }
      const { status, headers, body } = await pairs.call('/v1/conversations', options)
      expect(status).toBe(400)
      expect(headers.get('content-type')).toBe('application/problem+json')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(body).toMatchObject({ code: 'unknown_revision', status: 400 })
      expect(body.detail).toContain('Use one of: 1.0.0, 2.0.0.')
      expect(body.detail.length).toBeLessThan(120)
      expect(body.request_id).toBe(headers.get('x-request-id'))
    },
  )

  it('is shown and chosen in the dashboard', async () => {
    await pairs.serve('a new kind of event')
    const page = await pairs.old('/dashboard/contract')
    expect(page).toContain('Revision for this API key')
    expect(page).not.toContain('conversation.assigned')
    const chosen = await pairs.mock.fetch('/dashboard/revision', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      body: `name=${NEW}`,
      redirect: 'manual',
    })
    expect(chosen.status).toBe(303)
    expect(await pairs.old('/dashboard/contract')).toContain('conversation.assigned')
  })

  it('allows in a preflight what any of them allows', async () => {
    await pairs.serve('a removed endpoint')
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
    const asked = await pairs.call('/v1/knowledge/sources', { method: 'OPTIONS', headers })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
  })
})

describe('names', () => {
  const named = async (...contracts: Array<[version: string, file: string]>) => {
    const files = contracts.map(([version, file]) =>
      pairs.file(documentOf('nothing', version), file),
    )
    return (await pairs.start({ contracts: files })).revisions
  }

  it('are versions, else the names of files, and are never equal', async () => {
    expect(await named(['1', 'a.json'], ['2', 'b.json'])).toEqual(['1', '2'])
    expect(await named(['1', 'a.json'], ['1', 'b.json'])).toEqual(['a', 'b'])
    expect(await named(['1', 'a.json'], ['1', 'a.json'])).toEqual(['a', 'a-2'])
    expect(await named(['b', 'a.json'], ['1', 'b.json'], ['1', 'c.json'])).toEqual([
      'b',
      'b-2',
      'c',
    ])
    expect(await named(['1 (béta)\n', 'a.json'], ['', 'b.json'])).toEqual(['1-b-ta-', 'b'])
  })

  it('are not asked for where there is one contract', async () => {
    await pairs.start({ contracts: [pairs.file(documentOf('nothing', OLD))] })
    const { status, headers } = await pairs.call('/v1/conversations', { revision: '9' })
    expect([status, headers.get('x-mock-revision')]).toEqual([200, null])
    const { body } = await pairs.call('/_mock/contract')
    expect(body).not.toHaveProperty('revisions')
  })

  it('cannot be given with one contract and several', async () => {
    const contract = pairs.file(documentOf('nothing', OLD))
    const both = pairs.start({ contract, contracts: [contract] })
    await expect(both).rejects.toThrow('Set `contract` or `contracts`, not both.')
    await expect(pairs.start({ contracts: [] })).rejects.toThrow('Leave it out.')
  })
})
