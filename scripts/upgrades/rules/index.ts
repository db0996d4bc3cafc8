import type { Revision } from '../../changes/revision.ts'
import type { Change, Language } from '../../changes/types.ts'
import { matchersOf } from './kinds.ts'
import { GRAMMARS } from './languages/index.ts'
import { pairOf } from './parts.ts'
import { share } from './share.ts'
import type { Match, Rule } from './types.ts'
import { Values } from './values.ts'

export { findings, type Hit, rewrite } from './findings.ts'
export type { Match, Rule } from './types.ts'

/**
 * The rules that find what changes hit in programs of a language. Where the new form of the program is
 * certain, they rewrite it too.
 */
export function rulesFor(
  changes: readonly Change[],
  before: Revision,
  after: Revision,
  language: Language,
): Rule[] {
  const pair = pairOf(before, after)
  return changes.flatMap((change) => {
    const part = pair.parts.get(change.fingerprint)
    const effects = change.effects[language]
    const isFelt = Object.values(effects).some((effect) => effect !== null && effect !== 'none')
    if (!part || !isFelt) return []
    const grammar = GRAMMARS[language]
    const values = new Values(grammar, pair.before)
    const scene = { change, part, pair, grammar, values }
    const drafts = matchersOf(change.kind).flatMap((matcher) => matcher(scene))
    return drafts.map(({ words, rule, fix, certain }, index): Rule => {
      const { fingerprint, kind, text } = change
      const shared = share({ rule, utils: usedBy(rule, values.utils) })
      return {
        id: `${kind}-${fingerprint}${index === 0 ? '' : `-${index + 1}`}`,
        fingerprint,
        kind,
        language,
        message: text,
        severity: certain ? 'error' : 'warning',
        words,
        rule: shared.rule,
        ...(Object.keys(shared.utils).length > 0 && { utils: shared.utils }),
        ...(fix !== undefined && { fix }),
        certain,
        effects,
      }
    })
  })
}

/** The utilities that a rule needs, in the order of their names. */
function usedBy(rule: Match, utils: Readonly<Record<string, Match>>): Record<string, Match> {
  const used = new Set<string>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [key, value] of Object.entries(part)) {
      if (key === 'matches' && !used.has(value)) {
        used.add(value)
        visit(utils[value])
      }
      visit(value)
    }
  }
  visit(rule)
  return Object.fromEntries([...used].sort().map((name) => [name, utils[name] as Match]))
}
