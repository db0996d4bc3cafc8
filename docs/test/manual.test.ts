import { expect, it } from 'vitest'
import { stale } from '../manual/index.ts'

it('the pages about the mock server are those that its code and its contracts make', async () => {
  expect(await stale()).toEqual([])
}, 60_000) // starts a process for each command
