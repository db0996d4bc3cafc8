import { expect, it } from 'vitest'
import { loadCases } from '../runner/case.ts'
import { loadKnownFailures } from '../runner/known-failures.ts'
import { playSuite } from './suite.ts'

const cases = loadCases()

it('there are enough cases, in every family', () => {
  const families = new Set(cases.map(({ family }) => family))
  expect(cases.length).toBeGreaterThanOrEqual(200)
  expect(families.size).toBeGreaterThanOrEqual(12)
})

it('every case calls an operation of the overlay, so that no revision of the contract changes one', () => {
  const others = cases.filter(({ call }) => !call.operation.startsWith('probes.'))
  expect(others.map(({ id }) => id)).toEqual([])
})

playSuite({ cases, knownFailures: loadKnownFailures(cases) })
