import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Located, loadCases } from '../runner/case.ts'
import type { Comparison } from '../runner/compare.ts'
import { type Driver, startDriver } from '../runner/driver.ts'
import { loadKnownFailures } from '../runner/known-failures.ts'
import { CLIENTS, type Command, prepare } from '../runner/languages.ts'
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
  let command: Command
  let driver: Driver
  beforeAll(async () => {
    command = await prepare(language, packages.folder)
    driver = startDriver(command)
    return () => driver.stop()
  })

  /** Plays a case. One that ends the driver must not fail the cases after it. */
  async function play(one: Located): Promise<Comparison> {
    try {
      return await runCase(forLanguage(one, language), driver)
    } catch (error) {
      driver.stop()
      driver = startDriver(command)
      throw error
    }
  }

  for (const one of cases) {
    const known = knownFailures.find(
      (entry) => entry.language === language && entry.case === one.id,
    )
    // An entry whose case passes fails here, so that the list cannot grow old.
    const test = known ? it.fails : it
    test(`${one.id}${known ? ` (${known.reason})` : ''}`, async () => {
      const { expected, actual } = await play(one)
      expect(actual, one.why).toEqual(expected)
    })
  }
})
