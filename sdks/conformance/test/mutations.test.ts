import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadCases } from '../runner/case.ts'
import { LANGUAGES, type LanguageName } from '../runner/languages.ts'
import { failuresWith, loadMutations, type Mutation } from '../runner/mutations.ts'
import { generatePackages } from '../runner/packages.ts'

const RUNTIMES = LANGUAGES.filter((name) => name !== 'python-async')

interface Planned {
  language: LanguageName
  mutation: Mutation
}

const cases = loadCases()
const packages = await generatePackages()
afterAll(packages.remove)

const all = RUNTIMES.flatMap((language) =>
  loadMutations(language).map((mutation): Planned => ({ language, mutation })),
)
const rules = [...new Set(all.map(({ mutation }) => mutation.rule))]

/** One fault per rule, each in another language than the one before where that can be. */
const sample = rules.map((rule, index) => {
  const having = all.filter(({ mutation }) => mutation.rule === rule)
  return having[index % having.length] as Planned
})

describe('the list of faults', () => {
  it.each(RUNTIMES)('has at least ten for %s', (language) => {
    expect(loadMutations(language).length).toBeGreaterThanOrEqual(10)
  })
})

describe('a fault turns the suite red', () => {
  const planned = process.env.ALL_MUTATIONS ? all : sample
  it.each(planned)('$language: $mutation.rule', { timeout: 120_000 }, async (one) => {
    const { language, mutation } = one
    const failures = await failuresWith(mutation, language, join(packages.folder, language), cases)
    expect(failures).not.toEqual([])
  })
})
