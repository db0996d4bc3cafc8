import { partsOf } from '../../changes/compare/index.ts'
import type { Revision } from '../../changes/revision.ts'
import type { Change } from '../../changes/types.ts'
import { loadAdvice } from './advice.ts'
import { entryOf } from './entry.ts'
import { Snippets } from './snippets.ts'

const advice = await loadAdvice()

/**
 * What users read about a version: an entry for each break, the worst for users first, and a list of what
 * breaks no program.
 *
 * @param changes In the order of the report. Where only documentation changed, nothing is written.
 */
export function guideFor(changes: readonly Change[], before: Revision, after: Revision): string {
  const breaks = changes.filter((change) => change.class === 'breaking')
  const additions = changes.filter((change) => change.class === 'additive')
  const findings = partsOf(before, after)
  const context = { before, after, findings, advice, snippets: new Snippets(before, after) }
  const entries = breaks.map((change) => entryOf(change, context))
  const list = additions.map(({ text }) => `- ${text}`).join('\n')
  const others = list === '' ? [] : ['### Other changes', list]
  return [...entries, ...others].map((part) => `${part}\n`).join('\n')
}
