/** Lists that are read page by page while items are added. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandboxed, sandboxed } from './sandboxed.ts'

let mock: Sandboxed
beforeAll(async () => {
  mock = await sandboxed({ seed: 'empty' })
})
afterAll(() => mock.close())

let keys = 0
const fresh = () => ({ key: `sk_test_${keys++}` })

type Options = ReturnType<typeof fresh>
interface Page {
  data: Array<{ id: string; status: string }>
  next_cursor: string | null
  has_more: boolean
}

async function page(query: Record<string, string>, one: Options): Promise<Page> {
  const { status, body } = await mock.get(`/v1/conversations?${new URLSearchParams(query)}`, one)
  expect(status).toBe(200)
  expect(body.has_more).toBe(body.next_cursor !== null)
  return body
}

/** Reads all pages. Calls `between` after each. */
async function readAll(
  query: Record<string, string>,
  one: Options,
  between: (round: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = '', round = 0; cursor !== null; round++) {
    const { data, next_cursor }: Page = await page({ ...query, ...(cursor && { cursor }) }, one)
    ids.push(...data.map(({ id }) => id))
    await between(round)
    cursor = next_cursor
  }
  return ids
}

async function openMany(count: number, one: Options): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push(await mock.create('Hello.', one))
  return ids
}

describe('a list of conversations', () => {
  it('has the latest first, 20 on a page by default', async () => {
    const one = fresh()
    const ids = await openMany(45, one)
    const first = await page({}, one)
    expect(first.data).toHaveLength(20)
    expect(await readAll({}, one)).toEqual(ids.toReversed())
    expect(await readAll({ limit: '7' }, one)).toEqual(ids.toReversed())
  })

  it.each([
    ['1', 1],
    ['44', 44],
    ['45', 45],
    ['46', 45],
    ['100', 45],
  ])('accepts a limit of %s', async (limit, length) => {
    const one = { key: 'sk_test_limits' }
    const missing = 45 - (await page({ limit: '100' }, one)).data.length
    await openMany(missing, one)
    const { data, has_more } = await page({ limit }, one)
    expect([data.length, has_more]).toEqual([length, length < 45])
  })

  it.each(['0', '101', '-1', '1.5', 'ten', '1e1', ''])('refuses a limit of %j', async (limit) => {
    const { status, body } = await mock.get(`/v1/conversations?limit=${limit}`, fresh())
    expect(status).toBe(422)
    expect(body.errors[0]).toMatchObject({ in: 'query', parameter: 'limit' })
  })

  it('is empty without conversations', async () => {
    expect(await page({}, fresh())).toEqual({ data: [], next_cursor: null, has_more: false })
  })

  it('shows each conversation once while others are added and change', async () => {
    const step = fc.constantFrom('create', 'message', 'handoff', 'resolve')
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.tuple(step, fc.nat()), { maxLength: 8 }),
      async (count, limit, steps) => {
        const one = fresh()
        const before = await openMany(count, one)
        const changed = new Set<string>()
        const seen = await readAll({ limit: `${limit}` }, one, async (round) => {
          const [what, which] = steps[round] ?? []
          if (what === undefined || which === undefined) return
          if (what === 'create') return mock.create('Another one.', one)
          const id = before[which % count] ?? ''
          changed.add(id)
          const body = { message: { text: 'And?' }, handoff: { reason: 'Refund.' }, resolve: {} }[
            what
          ]
          const path = what === 'message' ? 'messages' : what
          return mock.post(`/_mock/conversations/${id}/${path}`, body, one)
        })
        expect(new Set(seen).size).toBe(seen.length)
        // Conversations that changed meanwhile are at the front, on pages that were read before.
        for (const id of before) if (!changed.has(id)) expect(seen).toContain(id)
      },
    )
    await fc.assert(property, { numRuns: 40, seed: 20_261_121 })
  })

  it('can be filtered by status, page by page', async () => {
    const one = fresh()
    const ids = await openMany(10, one)
    for (const [index, id] of ids.entries()) {
      if (index % 2 === 0) continue
      await mock.post(`/_mock/conversations/${id}/resolve`, {}, one)
    }
    const even = ids.filter((_, index) => index % 2 === 0)
    const odd = ids.filter((_, index) => index % 2 === 1)
    expect(await readAll({ status: 'open', limit: '2' }, one)).toEqual(even.toReversed())
    expect(await readAll({ status: 'resolved', limit: '2' }, one)).toEqual(odd.toReversed())
    expect(await readAll({ status: 'handed_off' }, one)).toEqual([])
  })
})

describe('a cursor', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64url')

  it.each([
    ['of the contract’s examples', 'eyJhZnRlciI6ImNvbnZfMDFKMlo3UTRLWCJ9'],
    ['that is no base64', '%%%'],
    ['that is no text', Buffer.from([0xff, 0xfe]).toString('base64url')],
    ['without a position', encode('12')],
    ['with no number', encode('NaN 1.0.')],
    ['with a fraction', encode('1.5 1.0.')],
    ['with a number beyond all', encode('1e300 1.0.')],
    ['that is very long', 'x'.repeat(5000)],
  ])('%s is refused', async (_, cursor) => {
    const target = `/v1/conversations?cursor=${encodeURIComponent(cursor)}`
    const { status, body } = await mock.get(target, fresh())
    expect([status, body.code]).toEqual([400, 'invalid_cursor'])
    expect(body.errors).toMatchObject([{ in: 'query', parameter: 'cursor' }])
  })

  it('can be used more than once', async () => {
    const one = fresh()
    const [, ...older] = (await openMany(3, one)).toReversed()
    const { next_cursor } = await page({ limit: '1' }, one)
    for (let round = 0; round < 2; round++) {
      const { data } = await page({ cursor: next_cursor ?? '' }, one)
      expect(data.map(({ id }) => id)).toEqual(older)
    }
  })

  it.each<[string, (cursor: string, one: Options) => Promise<[string, Options]>]>([
    ['in another sandbox', async (cursor) => [cursor, fresh()]],
    ['with another status', async (cursor, one) => [`${cursor}&status=open`, one]],
    ['cut off', async (cursor, one) => [cursor.slice(0, -2), one]],
    ['with something behind', async (cursor, one) => [`${cursor}x`, one]],
    [
      'after a reset',
      async (cursor, one) => {
        await mock.post('/_mock/reset', {}, one)
        return [cursor, one]
      },
    ],
  ])('is refused %s', async (_, change) => {
    const one = fresh()
    await openMany(2, one)
    const { next_cursor } = await page({ limit: '1' }, one)
    const [query, other] = await change(next_cursor ?? '', one)
    const { status, body } = await mock.get(`/v1/conversations?cursor=${query}`, other)
    expect([status, body.code]).toEqual([400, 'invalid_cursor'])
  })
})
