/** Two revisions at once: whatever the later one changes, each request and each endpoint gets its own. */
import { afterAll, describe, expect, it } from 'vitest'
import { journey } from '../edited/journey.ts'
import { documentOf, EDITS, NEW, OLD, Pairs } from './pairs.ts'

/** The edits whose two revisions differ most; all of them in a soak run. */
const FAR_APART = [
  'a renamed field',
  'a renamed id',
  'ids as integers',
  'times as numbers',
  'a renamed kind of event',
  'no events at all',
  'a bare list in place of pages',
  'other paths',
  'another format of errors',
  'a renamed header of requests and of signatures',
]
const SOAK = process.env.MODE === 'soak'
const CHOSEN = EDITS.filter(({ name }) => SOAK || FAR_APART.includes(name))

const pairs = new Pairs()
afterAll(() => pairs.clean())

const inRevision =
  (revision: string | undefined) =>
  async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...init.headers, ...(revision && { 'x-mock-revision': revision }) }
    const response = await pairs.mock.fetch(path, { ...init, headers })
    expect(response.headers.get('x-mock-revision')).toBe(revision ?? OLD)
    return response
  }

it('names edits that exist', () => {
  for (const name of FAR_APART) expect(EDITS.map((one) => one.name)).toContain(name)
})

describe('beside our contract, one with', () => {
  it.each(CHOSEN)('$name is served whole, and ours as well', async ({ name }) => {
    await pairs.serve(name)
    const received = await journey(documentOf(name, NEW), inRevision(NEW))
    if (name !== 'no events at all') expect(received).not.toEqual([])
    expect(await journey(documentOf('nothing', OLD), inRevision(undefined))).not.toEqual([])
  })
})
