// What rules find in the programs of the witnesses, and what they make of them.
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../changes/types.ts'
import { findings, rewrite } from '../upgrades/rules/index.ts'
import { readCases } from './upgrades/corpus.ts'

const cases = await readCases()

describe.each(LANGUAGES)('%s', (language) => {
  it('a second run changes nothing', async () => {
    for (const { kind, rules, sources } of cases) {
      const source = sources[language] ?? ''
      const once = rewrite(source, await findings(rules[language], language, source))
      const twice = rewrite(once, await findings(rules[language], language, once))
      expect(twice, kind).toBe(once)
    }
  })

  it('no rule rewrites the programs of other changes', async () => {
    const found: string[] = []
    for (const { kind, sources } of cases) {
      const others = cases.filter((other) => !shareTypes(other.kind, kind))
      const rules = others.flatMap((other) => other.rules[language]).filter(({ fix }) => fix)
      const hits = await findings(rules, language, sources[language] ?? '')
      found.push(...hits.map(({ rule, text }) => `${rule.kind} in ${kind}: ${text}`))
    }
    expect(found).toEqual([])
  })
})

/** The witnesses of errors have one type of problem in common. */
function shareTypes(left: string, right: string): boolean {
  return left === right || [left, right].every((kind) => /^error-f/.test(kind))
}
