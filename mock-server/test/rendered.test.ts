import { expect, it } from 'vitest'
import { Rendered } from '../src/sandbox/rendered.ts'

const A = { id: 1, offset: 0, generation: 0 }
const B = { ...A, id: 2 }

/** Counts what is made. */
function counting(version: () => number | null) {
  const rendered = new Rendered({ version })
  let made = 0
  const read = (sandbox = A, name = 'list') =>
    rendered.of(sandbox, name, async () => {
      made += 1
      return `text ${made}`
    })
  return { rendered, read }
}

it('a response is made once until the state changes', async () => {
  let version = 1
  const { read } = counting(() => version)
  expect([await read(), await read()]).toEqual(['text 1', 'text 1'])
  version = 2
  expect(await read()).toBe('text 2')
})

it('each sandbox and each name has its own response', async () => {
  const { read } = counting(() => 1)
  expect([await read(A), await read(B), await read(A, 'get')]).toEqual([
    'text 1',
    'text 2',
    'text 3',
  ])
})

it('a response during which the state changed is not kept as the new state', async () => {
  let version = 1
  const { rendered, read } = counting(() => version)
  const old = await rendered.of(A, 'list', async () => {
    version = 2
    return 'old'
  })
  expect([old, await read()]).toEqual(['old', 'text 1'])
})

it('nothing is kept where other processes change the state too', async () => {
  const { read } = counting(() => null)
  expect([await read(), await read()]).toEqual(['text 1', 'text 2'])
})

it('a refusal is not kept', async () => {
  const { rendered, read } = counting(() => 1)
  const refusal = rendered.of(A, 'list', () => Promise.reject(new Error('not found')))
  await expect(refusal).rejects.toThrow('not found')
  expect(await read()).toBe('text 1')
})
