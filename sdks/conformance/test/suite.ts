import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Located } from '../runner/case.ts'
import type { Comparison } from '../runner/compare.ts'
import { type Driver, startDriver } from '../runner/driver.ts'
import type { KnownFailure } from '../runner/known-failures.ts'
import { CLIENTS, type Command, prepare } from '../runner/languages.ts'
import { generatePackages } from '../runner/packages.ts'
import { forLanguage, runCase } from '../runner/run.ts'

interface Suite {
  cases: readonly Located[]
  knownFailures: readonly KnownFailure[]
  /** A path from the repository's root; see README.md for the default. */
  contract?: string
}

/** Plays the cases in all languages, on the packages of a contract. */
export function playSuite({ cases, knownFailures, contract }: Suite): void {
  let packages: Awaited<ReturnType<typeof generatePackages>>
  beforeAll(async () => {
    packages = await generatePackages(contract)
  })
  afterAll(() => packages.remove())

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
      const check = known ? test.fails : test
      check(`${one.id}${known ? ` (${known.reason})` : ''}`, async () => {
        const { expected, actual } = await play(one)
        expect(actual, one.why).toEqual(expected)
      })
    }
  })
}
