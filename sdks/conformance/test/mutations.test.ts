import { afterAll, describe, expect, it } from 'vitest'
import { type Located, loadCases } from '../runner/case.ts'
import { loadKnownFailures } from '../runner/known-failures.ts'
import { PACKAGES } from '../runner/languages.ts'
import { failuresWith, loadMutations, type Mutation } from '../runner/mutations.ts'
import { generatePackages } from '../runner/packages.ts'

interface Planned {
  language: string
  mutation: Mutation
}

const cases = loadCases()
const knownFailures = loadKnownFailures(cases)
const packages = await generatePackages()
afterAll(packages.remove)

const all = PACKAGES.flatMap((language) =>
  loadMutations(language).map((mutation): Planned => ({ language, mutation })),
)
const rules = [...new Set(all.map(({ mutation }) => mutation.rule))]

/** One fault per rule, each in another language than the one before where that can be. */
const sample = rules.map((rule, index) => {
  const having = all.filter(({ mutation }) => mutation.rule === rule)
  return having[index % having.length] as Planned
})

/** The cases that fail because of a fault only. */
function passing(language: string): Located[] {
  const known = knownFailures.filter((entry) => entry.language === language)
  return cases.filter(({ id }) => !known.some((entry) => entry.case === id))
}

describe('the list of faults', () => {
  it.each(PACKAGES)('has at least ten for %s', (language) => {
    expect(loadMutations(language).length).toBeGreaterThanOrEqual(10)
  })
})

describe('a fault turns the suite red', () => {
  const planned = process.env.ALL_MUTATIONS ? all : sample
  it.each(planned)('$language: $mutation.rule', { timeout: 120_000 }, async (one) => {
    const { language, mutation } = one
    const failures = await failuresWith(mutation, language, packages.folder, passing(language))
    expect(failures).not.toEqual([])
  })
})
