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
