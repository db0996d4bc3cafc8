import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadCases } from '../runner/case.ts'
import { type Driver, startDriver } from '../runner/driver.ts'
import { loadKnownFailures } from '../runner/known-failures.ts'
import { CLIENTS, prepare } from '../runner/languages.ts'
import { generatePackages } from '../runner/packages.ts'
import { forLanguage, runCase } from '../runner/run.ts'

const cases = loadCases()
const knownFailures = loadKnownFailures(cases)
const packages = await generatePackages()
afterAll(packages.remove)

it('there are enough cases, in every family', () => {
  const families = new Set(cases.map(({ family }) => family))
  expect(cases.length).toBeGreaterThanOrEqual(200)
  expect(families.size).toBeGreaterThanOrEqual(12)
})

describe.each(CLIENTS)('%s', (language) => {
  let driver: Driver
  beforeAll(async () => {
    driver = startDriver(await prepare(language, packages.folder))
    return () => driver.stop()
  })

  for (const one of cases) {
    const known = knownFailures.find(
      (entry) => entry.language === language && entry.case === one.id,
    )
    // An entry whose case passes fails here, so that the list cannot grow old.
    const test = known ? it.fails : it
    test(`${one.id}${known ? ` (${known.reason})` : ''}`, async () => {
      const { expected, actual } = await runCase(forLanguage(one, language), driver)
      expect(actual, one.why).toEqual(expected)
    })
  }
})
