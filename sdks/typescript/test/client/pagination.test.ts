import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { requestIdOf } from '../../src/index.js'
import { BASE_URL, createClient, problem, rejection, useServer } from './support.ts'

const page = (ids: string[], next_cursor?: unknown) => ({
  data: ids.map((id) => ({ id })),
  next_cursor,
  has_more: false,
})

describe('pagination', () => {
  const server = useServer()
  const client = createClient({ maxRetries: 0 })

  async function collect(list: AsyncIterable<{ id: string }>): Promise<string[]> {
    const ids: string[] = []
    for await (const { id } of list) ids.push(id)
    return ids
  }

  it('fetches the same page again in a second call, after a failure too', async () => {
    server.respond(page(['a'], 'c1'), problem(500), page(['b'], 'c2'), page(['b'], 'c2'))
    const first = await client.conversations.list()
    await rejection(first.nextPage())
    expect((await first.nextPage())?.data).toEqual([{ id: 'b' }])
    expect((await first.nextPage())?.data).toEqual([{ id: 'b' }])
  })

  it('returns the page together with its response', async () => {
    server.respond(HttpResponse.json(page(['a']), { headers: { 'x-request-id': 'req_3' } }))
    const { data, requestId } = await client.conversations.list().withResponse()
    expect(data.data).toEqual([{ id: 'a' }])
    expect(requestId).toBe('req_3')
  })

  it('pages through a list that the contract does not have', async () => {
    server.respond({ things: [{ id: 'x' }], after: 2 }, { things: [{ id: 'y' }] })
    const operation = { page: { items: 'things', nextCursor: 'after', cursorParam: 'from' } }
    expect(await collect(client.list<{ id: string }>('/v1/things', {}, {}, operation))).toEqual([
      'x',
      'y',
    ])
    expect(server.requests[1]?.url).toBe(`${BASE_URL}/v1/things?from=2`)
  })

  it('iterates over pages, and collects items up to a limit', async () => {
    const pages = [page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)]
    const list = () => {
      server.respond(...pages)
      server.requests.length = 0
      return client.conversations.list()
    }
    const sizes: number[] = []
    for await (const { data } of list().iterPages()) sizes.push(data.length)
    expect(sizes).toEqual([2, 0, 1])
    expect((await list().toArray()).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect((await list().toArray({ limit: 2 })).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(server.requests).toHaveLength(1)
    expect(await list().toArray({ limit: 0 })).toEqual([])
    expect(await list().toArray({ limit: undefined })).toHaveLength(3)
  })

  it.each([0, -1, Number.NaN, 1.5])('requests nothing for a limit of %s', async (limit) => {
    server.respond(page(['a']))
    const list = client.conversations.list()
    const items = list.toArray({ limit })
    if (limit === 0) expect(await items).toEqual([])
    else
      expect(await rejection(items)).toMatchObject({
        outcome: 'not_sent',
        message: expect.stringMatching(/limit/),
      })
    expect(server.requests).toEqual([])
    expect((await list).data).toEqual([{ id: 'a' }])
  })

  it('sends the first request without being awaited', async () => {
    server.respond(page(['a']))
    client.conversations.list()
    await expect.poll(() => server.requests.length).toBe(1)
  })

  it.each([0.5, true, false, {}, [['a']], 2 ** 53])(
    'cannot follow the cursor %j',
    async (cursor) => {
      server.respond(page(['a'], cursor))
      expect(await rejection(client.conversations.list())).toMatchObject({
        name: 'InvalidResponseError',
        message: '200: the next cursor is neither a string nor an integer (GET /v1/conversations)',
      })
    },
  )

  it('tells the request id of every result, which its data does not hold', async () => {
    const respond = (id: string, body: object) =>
      HttpResponse.json(body, { headers: { 'x-request-id': id } })
    server.respond(respond('req_1', page(['a'], 'c1')), respond('req_2', page(['b'])))
    const first = await client.conversations.list()
    const second = await first.nextPage()
    expect([first.requestId, second?.requestId]).toEqual(['req_1', 'req_2'])
    expect([requestIdOf(first), requestIdOf(second)]).toEqual(['req_1', 'req_2'])
    const body = { id: 'conv_1' }
    server.respond(respond('req_3', body))
    const conversation = await client.conversations.get('conv_1')
    expect(requestIdOf(conversation)).toBe('req_3')
    expect(conversation).toStrictEqual(body)
    for (const other of [{ ...conversation }, 'req_3', null, undefined]) {
      expect(requestIdOf(other)).toBeNull()
    }
  })
})
