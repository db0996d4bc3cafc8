// What rules find in the programs of the witnesses, and what they make of them.
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../changes/types.ts'
import { findings } from '../upgrades/rules/index.ts'
import { readCases } from './upgrades/corpus.ts'

const cases = await readCases()

/** What a program does not show, though the change hits it. */
const UNSHOWN: ReadonlyArray<
  readonly [kinds: RegExp, languages: readonly string[], reason: string]
> = [
  [/^signature-/, LANGUAGES, 'The program of the test verifies deliveries.'],
  [/^security-/, LANGUAGES, 'The program of the test makes the client.'],
]

describe.each(LANGUAGES)('%s', (language) => {
  it('each change that is felt has a finding in the program of its witness', async () => {
    const silent: string[] = []
    for (const { kind, changes, rules, sources } of cases) {
      const isFelt = changes.some(({ effects }) =>
        Object.values(effects[language]).some((effect) => effect !== null && effect !== 'none'),
      )
      const isExcused = UNSHOWN.some(([kinds, languages]) => {
        return kinds.test(kind) && languages.includes(language)
      })
      const source = sources[language]
      if (!isFelt || isExcused || source === null) continue
      const hits = await findings(rules[language], language, source)
      if (hits.length === 0) silent.push(kind)
    }
    expect(silent).toEqual([])
  })
})
