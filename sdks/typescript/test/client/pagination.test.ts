import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { InvalidResponseError } from '../../src/index.js'
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

  it('iterates over every item of every page with the same filters', async () => {
    server.answer(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null))
    expect(await collect(client.conversations.list({ status: 'open' }))).toEqual(['a', 'b', 'c'])
    expect(server.requests.map(({ url }) => url.slice(BASE_URL.length))).toEqual([
      '/v1/conversations?status=open',
      '/v1/conversations?status=open&cursor=c1',
      '/v1/conversations?status=open&cursor=c2',
    ])
  })

  it('gives one page and then the next', async () => {
    server.answer(page(['a'], 'c1'), page(['b'], null))
    const first = await client.conversations.list({ limit: 1 })
    expect(first.data).toEqual([{ id: 'a' }])
    expect(first.nextCursor).toBe('c1')
    const second = await first.nextPage()
    expect(second?.data).toEqual([{ id: 'b' }])
    expect(second?.nextCursor).toBeNull()
    expect(await second?.nextPage()).toBeNull()
    expect(server.requests).toHaveLength(2)
  })

  it.each([undefined, null, ''])(
    'ends at the cursor %j, whatever else the page says',
    async (cursor) => {
      server.answer({ ...page(['a'], cursor), has_more: true })
      expect(await collect(client.conversations.list())).toEqual(['a'])
      expect(server.requests).toHaveLength(1)
    },
  )

  it('takes a page without items as empty', async () => {
    server.answer({ data: null, next_cursor: 'c1' }, { next_cursor: null })
    expect(await collect(client.conversations.list())).toEqual([])
  })

  it.each([
    ['the same cursor', [page(['a'], 'c1'), page(['b'], 'c1')], ['a', 'b'], 2],
    [
      'an earlier cursor',
      [page(['a'], 'c1'), page(['b'], 'c2'), page(['c'], 'c1')],
      ['a', 'b', 'c'],
      3,
    ],
  ])('raises when %s comes back, after the items before it', async (_, pages, seen, requests) => {
    server.answer(...pages)
    const ids: string[] = []
    const error = await rejection(
      (async () => {
        for await (const { id } of client.conversations.list()) ids.push(id)
      })(),
    )
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(ids).toEqual(seen)
    expect(server.requests).toHaveLength(requests)
  })

  it('raises when the first page leads to itself', async () => {
    server.answer(page(['a'], 'c1'))
    const first = await client.conversations.list({ cursor: 'c1' })
    expect(await rejection(first.nextPage())).toBeInstanceOf(InvalidResponseError)
    expect(server.requests).toHaveLength(1)
  })

  it('fetches the same page again when asked twice, also after a failure', async () => {
    server.answer(page(['a'], 'c1'), problem(500), page(['b'], 'c2'), page(['b'], 'c2'))
    const first = await client.conversations.list()
    await rejection(first.nextPage())
    expect((await first.nextPage())?.data).toEqual([{ id: 'b' }])
    expect((await first.nextPage())?.data).toEqual([{ id: 'b' }])
  })

  it.each([[null], [[1, 2]], ['text'], [{ data: 'text' }]])(
    'raises for the page %j',
    async (body) => {
      server.answer(HttpResponse.json(body))
      expect(await rejection(client.conversations.list())).toBeInstanceOf(InvalidResponseError)
    },
  )

  it('stops fetching when the loop is left', async () => {
    server.answer(page(['a', 'b'], 'c1'))
    for await (const { id } of client.conversations.list()) if (id === 'a') break
    expect(server.requests).toHaveLength(1)
  })

  it('sends nothing for the next page before it is asked for, and passes the options on', async () => {
    server.answer(page(['a'], 'c1'), page(['b']))
    await collect(client.conversations.list({}, { headers: { 'x-team': 'a' } }))
    expect(server.requests.map(({ headers }) => headers['x-team'])).toEqual(['a', 'a'])
  })

  it('raises a failure on a later page where it happens', async () => {
    server.answer(page(['a'], 'c1'), problem(404))
    expect(await rejection(collect(client.conversations.list()))).toMatchObject({ status: 404 })
  })

  it('gives the page together with its answer', async () => {
    server.answer(HttpResponse.json(page(['a']), { headers: { 'x-request-id': 'req_3' } }))
    const { data, requestId } = await client.conversations.list().withResponse()
    expect(data.data).toEqual([{ id: 'a' }])
    expect(requestId).toBe('req_3')
  })

  it('pages through a list that the contract does not have', async () => {
    server.answer({ things: [{ id: 'x' }], after: 2 }, { things: [{ id: 'y' }] })
    const operation = { page: { items: 'things', nextCursor: 'after', cursorParam: 'from' } }
    expect(await collect(client.list<{ id: string }>('/v1/things', {}, {}, operation))).toEqual([
      'x',
      'y',
    ])
    expect(server.requests[1]?.url).toBe(`${BASE_URL}/v1/things?from=2`)
  })
})
