import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
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
})
