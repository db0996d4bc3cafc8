// The cases hold on the road from the preview to the launch, whatever the contract changes on it.
import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadCases } from '../runner/case.ts'
import { loadKnownFailures } from '../runner/known-failures.ts'
import { ROOT } from '../runner/languages.ts'
import { playSuite } from './suite.ts'

/** What a contract can change most easily: base URL, error body, pages and idempotency keys. */
const FAMILIES = ['errors', 'idempotency', 'options', 'pagination', 'retries']

const every = globSync('contracts/evolution/*.yaml', { cwd: ROOT }).sort()
const cases = loadCases()
const knownFailures = loadKnownFailures(cases)

/** The launch with the families that it concerns, and in a soak every revision with all cases. */
const { ALL_REVISIONS } = process.env
const revisions = ALL_REVISIONS ? every : every.slice(-1)
const chosen = ALL_REVISIONS ? cases : cases.filter(({ family }) => FAMILIES.includes(family))

it('there are revisions, and cases of every chosen family', () => {
  expect(revisions).not.toEqual([])
  expect(chosen.map(({ family }) => family)).toEqual(expect.arrayContaining(FAMILIES))
})

describe.each(revisions)('%s', (contract) => {
  playSuite({ cases: chosen, knownFailures, contract })
})
