import { severityOf } from '../compare/index.ts'
import {
  AUDIENCES,
  type Audience,
  type Change,
  CLASSES,
  type Class,
  EFFECTS,
  type Effect,
  LANGUAGES,
  TITLES,
} from '../types.ts'

/** A comparison that a report shows. */
export interface Report {
  base: string
  target: string
  changes: readonly Change[]
  /** Approvals that have no effect, in sentences. */
  remarks: readonly string[]
  summary: Summary
}

export interface Summary {
  total: number
  /** By class. */
  breaking: number
  additive: number
  documentation: number
  /** Breaking changes that are silently wrong for some users. */
  silent: number
  approved: number
  /** Breaking changes of what was a preview. */
  preview: number
  /** Changes that decide the exit code. */
  failing: number
}

export function summarize(changes: readonly Change[], failOn: Class): Summary {
  const count = (test: (change: Change) => boolean) => changes.filter(test).length
  const limit = CLASSES.indexOf(failOn)
  return {
    total: changes.length,
    breaking: count((one) => one.class === 'breaking'),
    additive: count((one) => one.class === 'additive'),
    documentation: count((one) => one.class === 'documentation'),
    silent: count((one) => worstOf(one) === 'silent'),
    approved: count((one) => one.approved !== null),
    preview: count((one) => one.class === 'breaking' && one.preview),
    failing: count((one) => one.approved === null && CLASSES.indexOf(one.class) <= limit),
  }
}

/** The worst that a change does to anybody. */
export function worstOf({ effects }: Change): Effect {
  return EFFECTS[severityOf(effects)] ?? 'none'
}

/** Headings of groups of changes by their worst effect. */
export const HEADINGS: Readonly<Record<Effect, string>> = {
  silent: 'Silently wrong',
  rejected: 'Rejected by the service',
  runtime: 'Fails when it runs',
  load: 'Fails to load',
  compile: 'Does not compile',
  warning: 'Logs a warning',
  none: 'Breaks nobody',
}

/** What happens to each audience: `compile, Ruby runtime`. Audiences without any effect are left out. */
export function hits({ effects }: Change): Array<{ audience: Audience; text: string }> {
  return AUDIENCES.flatMap((audience) => {
    const languages = LANGUAGES.map((language) => ({
      language,
      effect: effects[language][audience],
    }))
    const known = languages.flatMap(({ effect }) => (effect === null ? [] : [effect]))
    if (known.length === 0 || known.every((effect) => effect === 'none')) return []
    const named = languages.filter(({ effect }) => effect !== null)
    // What concerns every language is said once, apart from the exceptions.
    const usual = known.length === LANGUAGES.length ? [mostFrequent(known)] : []
    const others = named.filter(({ effect }) => effect !== usual[0])
    const exceptions = others.map(({ language, effect }) => `${TITLES[language]} ${effect}`)
    return [{ audience, text: [...usual, ...exceptions].join(', ') }]
  })
}

function mostFrequent(effects: readonly Effect[]): Effect {
  const count = (effect: Effect) => effects.filter((one) => one === effect).length
  return [...effects].sort((a, b) => count(b) - count(a))[0] ?? 'none'
}

/** Facts about a change beside its text. Where all breaks are those of a preview, none says so. */
export function facts(change: Change, { summary }: Report): string[] {
  const { preview, approved, assumed, provenance, renamed } = change
  const isWhole = summary.preview === summary.breaking
  const isPreview = preview && change.class === 'breaking' && !isWhole
  const wasGuess = assumed.before && change.class === 'breaking'
  return [
    ...(renamed && !renamed.certain ? ['looks renamed'] : []),
    ...(provenance === 'contract' ? [] : [provenance]),
    ...(isPreview ? ['preview'] : []),
    ...(wasGuess ? [assumed.after ? 'assumption' : 'was an assumption'] : []),
    ...(approved ? [`approved until ${approved.expires}: ${approved.reason}`] : []),
  ]
}

/** `openapi.yaml:12 → openapi.yaml:14`. */
export function sites({ before, after }: Change): string {
  const one = (site: Change['before']) => site && `${site.file}:${site.line}`
  return [one(before), one(after)].map((site) => site ?? '(none)').join(' → ')
}

/** The first users, and how many more there are. */
export function someUsers(users: readonly string[], most = 3): string {
  const shown = users.slice(0, most).join(', ')
  return users.length > most ? `${shown} and ${users.length - most} more` : shown
}

/** The whole comparison in a sentence. */
export function verdict({ changes, summary }: Report): string {
  const { breaking, additive, documentation, silent, approved, preview } = summary
  if (changes.length === 0) return 'Nothing changed.'
  const parts = [
    `${breaking} breaking${silent > 0 ? ` (${silent} silently wrong)` : ''}`,
    `${additive} additive`,
    `${documentation} documentation`,
  ]
  const more = [
    ...(preview > 0 ? [`${preview} breaking in a preview`] : []),
    ...(approved > 0 ? [`${approved} approved`] : []),
  ]
  return `${plural(changes.length, 'change')}: ${parts.join(', ')}${more.length > 0 ? `; ${more.join(', ')}` : ''}.`
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
