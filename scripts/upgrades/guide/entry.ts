import type { Finding } from '../../changes/compare/findings.ts'
import type { Revision } from '../../changes/revision.ts'
import { type Change, LANGUAGES, type Language } from '../../changes/types.ts'
import { audiencesOf } from './audiences.ts'
import { WRITTEN } from './languages.ts'
import type { Shows, Snippets } from './snippets.ts'

/** What entries need besides a change. */
export interface Context {
  before: Revision
  after: Revision
  findings: ReadonlyMap<string, Finding>
  advice: ReadonlyMap<string, string>
  snippets: Snippets
}

/** The anchor of a change in the guide. It stays the same whatever else changes. */
export function anchorOf({ kind, fingerprint }: Pick<Change, 'kind' | 'fingerprint'>): string {
  return `${kind}-${fingerprint}`
}

/** A breaking change: who is hit, what to do, and the code before and after. */
export function entryOf(change: Change, context: Context): string {
  const { advice, findings, snippets } = context
  const finding = findings.get(change.fingerprint)
  const shows = finding ? snippets.of(finding) : null
  const [heading, rest] = split(change.text)
  const parts = [
    `<a id="${anchorOf(change)}"></a>`,
    `### ${heading}`,
    rest,
    audiencesOf(change).join('\n'),
    `**What to do:** ${advice.get(change.kind) ?? ''}`.trim(),
    ...(shows ? codeOf(shows, change, context) : []),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** The first sentence of a text without its end, and the others. A full stop in code ends none. */
function split(text: string): [string, string] {
  const [sentence = ''] = /^(?:`[^`]*`|[^`])*?\.(?= |$)/.exec(text) ?? [text]
  return [sentence.replace(/\.$/, ''), text.slice(sentence.length).trim()]
}

/** The code in each language. Languages whose programs work as before have none. */
function codeOf(shows: Shows, change: Change, context: Context): string[] {
  return LANGUAGES.flatMap((language) => {
    const [before, after] = (['before', 'after'] as const).map((when) => {
      const snippet = shows[when]
      return snippet && WRITTEN[language].write(snippet, context[when].api)
    })
    const effects = Object.values(change.effects[language])
    const isHit = effects.some((effect) => effect !== null && effect !== 'none')
    if (!isHit) return []
    return [`#### ${WRITTEN[language].title}`, ...blocksOf(before ?? null, after ?? null, language)]
  })
}

function blocksOf(before: string | null, after: string | null, language: Language): string[] {
  const block = (code: string) => `\`\`\`${WRITTEN[language].fence}\n${code.trimEnd()}\n\`\`\``
  if (before !== null && before === after) return ['Before and after:', block(before)]
  return [
    ...(before === null ? [] : ['Before:', block(before)]),
    ...(after === null ? ['After: remove this code.'] : ['After:', block(after)]),
  ]
}
