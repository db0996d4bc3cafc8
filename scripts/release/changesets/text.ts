import type { Effect, Language } from '../../changes/types.ts'
import { anchorOf, GUIDE } from '../../upgrades/guide/index.ts'
import type { Package } from '../packages.ts'
import type { Item, Row } from './items.ts'

const CHECKERS: Readonly<Partial<Record<Language, string>>> = {
  typescript: 'the TypeScript compiler reports',
  go: 'the Go compiler reports',
}

/** What an effect is to users. */
const OUTCOMES: Readonly<Record<Exclude<Effect, 'none'>, string>> = {
  silent: 'results are wrong, and nothing reports it',
  rejected: 'the affected requests are rejected',
  runtime: 'the affected code fails when it runs',
  load: 'the affected program does not load',
  compile: '{checker} the affected code',
  warning: 'you get a warning',
}

/**
 * The paragraphs of a changelog: breaks first, a line for each change.
 *
 * @param repository Its address; null while nobody owns it.
 */
export function summaryOf(
  { language }: Pick<Package, 'language'>,
  items: readonly Item[],
  repository: string | null,
): string {
  const breaks = items.filter(({ isBreak }) => isBreak)
  const others = items.filter(({ isBreak }) => !isBreak)
  const isPreview = breaks.every(({ change }) => change.preview)
  const sections = [
    ...(language === null ? ['The mock server follows the contract.'] : []),
    ...(breaks.length > 0
      ? [
          `Changes ${isPreview ? 'of the preview ' : ''}that break programs:`,
          linesOf(breaks, (item) => [
            ...marks(item, isPreview),
            ...happenings(item.effects, language),
            ...(repository ? [linkTo(item, repository)] : []),
          ]),
          ...(repository
            ? []
            : [
                `The upgrade guide, \`${GUIDE}\` in the repository, shows the code before and after.`,
              ]),
        ]
      : []),
    ...(others.length > 0 ? ['Changes that break no program:', listOf(others, isPreview)] : []),
  ]
  return sections.join('\n\n')
}

/** Lines about what breaks nothing. Assumptions are settled in large numbers, so then they are counted. */
function listOf(items: readonly Item[], isPreview: boolean): string {
  const settled = items.filter(({ change }) => change.kind === 'assumption-confirmed')
  const areMany = settled.length > MAX_SETTLED
  const others = areMany ? items.filter((item) => !settled.includes(item)) : items
  const count = `- ${settled.length} assumptions are now published, as assumed.`
  return [
    ...(others.length > 0 ? [linesOf(others, (item) => marks(item, isPreview))] : []),
    ...(areMany ? [count] : []),
  ].join('\n')
}

const MAX_SETTLED = 3

/** A line for each text. Changes of one part in responses and in events have the same. */
function linesOf(items: readonly Item[], more: (item: Item) => string[]): string {
  const lines = new Map<string, Set<string>>()
  for (const item of items) {
    const known = lines.get(item.text) ?? []
    lines.set(item.text, new Set([...known, ...more(item)]))
  }
  return [...lines].map(([text, facts]) => [`- ${text}`, ...facts].join(' ')).join('\n')
}

/** What happens to whom, a sentence for each. */
function happenings({ upgrade, stay, receive }: Row, language: Language | null): string[] {
  const checker = (language && CHECKERS[language]) ?? 'type checkers report'
  const without = language === null ? 'with older versions of the SDKs' : 'without the upgrade'
  const sentence = (start: string, effect: Effect | null) =>
    effect === null || effect === 'none'
      ? []
      : [`${start}, ${OUTCOMES[effect].replace('{checker}', checker)}.`]
  const others = stay ?? receive
  if (upgrade === others) return sentence('With or without the upgrade', upgrade)
  return [
    ...(upgrade === 'none' ? ['Upgrade, and your code works as before.'] : []),
    ...sentence('After the upgrade', upgrade),
    ...sentence(without.replace(/^w/, 'W'), stay),
    ...sentence(`In webhook handlers ${without}`, receive),
  ]
}

/** The entry of a change in the upgrade guide. */
function linkTo({ change }: Item, repository: string): string {
  return `[How to upgrade](${repository}/blob/main/${GUIDE}#${anchorOf(change)})`
}

/** What else users should know. */
function marks({ change, isBreak }: Item, isPreviewKnown: boolean): string[] {
  const { preview, renamed, assumed } = change
  const facts = [
    ...(renamed && !renamed.certain ? ['looks renamed'] : []),
    ...(isBreak && preview && !isPreviewKnown ? ['preview'] : []),
    ...(isBreak && assumed.before && !assumed.after ? ['was an assumption'] : []),
  ]
  return facts.map((fact) => `_(${fact})_`)
}
