/** What is known of the differences, and what a run says about it. */
import { parse } from 'yaml'
import type { Difference } from './compare.ts'
import type { Scenario, Sort } from './scenario.ts'

/** The parts in which a scenario's response differs on purpose, by the scenario's name. */
export type Expected = ReadonlyMap<string, ReadonlySet<string>>

interface Entry {
  why: string
  parts: string[]
  scenarios: string[]
}

/** Reads the list of known differences. */
export function readExpected(text: string): Expected {
  const expected = new Map<string, Set<string>>()
  for (const { parts, scenarios } of (parse(text) ?? []) as Entry[]) {
    for (const name of scenarios) {
      expected.set(name, new Set([...(expected.get(name) ?? []), ...parts]))
    }
  }
  return expected
}

export interface Result {
  scenario: Scenario
  differences: Difference[]
}

export interface Verdict {
  /** A line for each sort of scenarios. */
  counts: string[]
  /** What differs and is not listed, and what is listed and does not differ. */
  surprises: string[]
}

/** The scenarios that are listed and do not exist. */
export function strangers(expected: Expected, scenarios: readonly Scenario[]): string[] {
  const names = new Set(scenarios.map(({ name }) => name))
  const missing = [...expected.keys()].filter((name) => !names.has(name))
  return missing.map((name) => `${name}: is listed, but is no scenario`)
}

/** Compares the results of a run with what is known. */
export function judge(results: readonly Result[], expected: Expected): Verdict {
  const surprises = results.flatMap(({ scenario: { name }, differences }) => {
    const known = expected.get(name) ?? new Set()
    const parts = new Set(differences.map(({ part }) => part))
    const unknown = differences
      .filter(({ part }) => !known.has(part))
      .map(({ part, expected, found }) => {
        return `${name}: ${part} differs\n  expected: ${brief(expected)}\n  found:    ${brief(found)}`
      })
    const gone = [...known].filter((part) => !parts.has(part))
    return [...unknown, ...gone.map((part) => `${name}: ${part} is listed, but does not differ`)]
  })
  const sorts = [...new Set(results.map(({ scenario }) => scenario.sort))]
  return { counts: sorts.map((sort) => count(sort, results, expected)), surprises }
}

function count(sort: Sort, results: readonly Result[], expected: Expected): string {
  const all = results.filter(({ scenario }) => scenario.sort === sort)
  const identical = all.filter(({ differences }) => differences.length === 0).length
  const listed = all.filter(({ scenario: { name }, differences }) => {
    return differences.length > 0 && differences.every(({ part }) => expected.get(name)?.has(part))
  }).length
  const rest = all.length - identical - listed
  return `${sort}: ${all.length} scenarios, ${identical} identical, ${listed} differ as listed, ${rest} differ otherwise`
}

function brief(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
