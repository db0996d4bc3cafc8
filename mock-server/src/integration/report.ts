/** What a change of the contract does to an integration: as data, and in words. */
import {
  AUDIENCES,
  type Audience,
  EFFECTS,
  type Effect,
  HEADINGS,
  type Language,
} from '@support-chat/scripts/changes'
import type { SourceHit, SourceReport } from './sources.ts'
import type { Refused, TrafficHit, TrafficReport } from './traffic.ts'
import type { Upgrade } from './upgrade.ts'

/** A change that hits the integration. */
export interface Hit {
  fingerprint: string
  kind: string
  /** The worst that it does to what was found. */
  effect: Effect
  text: string
  lines: SourceHit[]
  /** Calls and events. */
  traffic: TrafficHit[]
}

export interface Report {
  before: string
  after: string
  /** How many changes there are beside those of documentation. */
  changes: number
  source: { path: string; files: Partial<Record<Language, number>>; skipped: string[] } | null
  traffic: Pick<TrafficReport, 'file' | 'calls' | 'events' | 'unknown' | 'unreadable'> | null
  /** The worst first. */
  hits: Hit[]
  refused: Refused[]
}

export function reportOf(
  { before, after, changes }: Upgrade,
  source: SourceReport | null,
  traffic: TrafficReport | null,
): Report {
  const hits = changes.flatMap(({ change }): Hit[] => {
    const { fingerprint, kind, text } = change
    const lines = source?.hits.get(fingerprint) ?? []
    const calls = traffic?.hits.get(fingerprint) ?? []
    const effects = [...lines, ...calls].map(({ effect }) => effect)
    const effect = EFFECTS.find((one) => effects.includes(one))
    return effect ? [{ fingerprint, kind, effect, text, lines, traffic: calls }] : []
  })
  const order = ({ effect }: Hit) => EFFECTS.indexOf(effect)
  return {
    before: before.name,
    after: after.name,
    changes: changes.length,
    source: source && { path: source.path, files: source.files, skipped: source.skipped },
    traffic: traffic && {
      file: traffic.file,
      calls: traffic.calls,
      events: traffic.events,
      unknown: traffic.unknown,
      unreadable: traffic.unreadable,
    },
    hits: hits.sort((a, b) => order(a) - order(b)),
    refused: traffic?.refused ?? [],
  }
}

export function isClean({ hits, refused }: Report): boolean {
  return hits.length === 0 && refused.length === 0
}

const SHOWN = 5

/** The report for people. */
export function inWords(report: Report): string {
  const { hits, refused } = report
  const groups = EFFECTS.flatMap((effect) => {
    const group = hits.filter((hit) => hit.effect === effect)
    if (group.length === 0) return []
    return [
      '',
      `${HEADINGS[effect]} (${group.length})`,
      ...group.flatMap((hit) => linesOf(hit, report)),
    ]
  })
  const more =
    refused.length === 0
      ? []
      : [
          '',
          `Refused by the new contract, for a reason that no change explains (${refused.length})`,
          ...first(
            refused,
            ({ entry, what, reason }) => `  entry ${entry}: ${what}: ${reason}`,
            '  ',
          ),
        ]
  return [...introduction(report), ...groups, ...more, '', conclusion(report)].join('\n')
}

function introduction({ before, after, changes, source, traffic }: Report): string[] {
  const lines = [`Compared ${before} with ${after}: ${count(changes, 'change')}.`]
  if (source) {
    const files = Object.entries(source.files).map(([language, files]) => `${language} ${files}`)
    const all = Object.values(source.files).reduce((sum, files) => sum + files, 0)
    const skipped = source.skipped.map((text) => `Not read: ${text}.`)
    lines.push(
      `Read ${count(all, 'file')} in ${source.path} (${files.join(', ') || 'none'}).`,
      ...skipped,
    )
  }
  if (traffic) {
    const { file, calls, events, unknown, unreadable } = traffic
    lines.push(`Read ${count(calls, 'call')} and ${count(events, 'event')} in ${file}.`)
    const strange = counted(unknown)
    if (strange.length > 0) {
      lines.push(`${count(unknown.length, 'request')} to no operation of the contract:`)
      lines.push(...first(strange, (one) => `  ${one}`, '  '))
    }
    if (unreadable.length > 0)
      lines.push('Not read:', ...first(unreadable, (one) => `  ${one}`, '  '))
  }
  return lines
}

function linesOf({ fingerprint, kind, text, lines, traffic }: Hit, { traffic: from }: Report) {
  const plain = text.replaceAll('`', '')
  const [certain, likely] = [true, false].map((is) => lines.filter((line) => line.certain === is))
  return [
    `  ${plain} [${kind} ${fingerprint}]`,
    ...(certain ?? []).map(lineOf),
    ...first(likely ?? [], lineOf, '    '),
    ...first(
      traffic,
      ({ entry, what, language, effect }) =>
        `    ${from?.file} entry ${entry}: ${what} · ${language ? `${language} · ` : ''}${effect}`,
      '    ',
    ),
  ]
}

function lineOf(hit: SourceHit): string {
  const { file, line, column, code, language, effects } = hit
  const told = [language, effectsOf(effects), ...remarksOf(hit)].join(' · ')
  return `    ${file}:${line}:${column}  ${code}\n      ${told}`
}

function effectsOf(effects: SourceHit['effects']): string {
  const told = (audience: Audience) => {
    const effect = effects[audience]
    return effect === null || effect === 'none' ? [] : [`${audience}: ${effect}`]
  }
  return AUDIENCES.flatMap(told).join(', ')
}

function remarksOf({ certain, codemod }: SourceHit): string[] {
  return [
    ...(certain ? [] : ['by its name only']),
    ...(codemod ? ['can be rewritten by a rule'] : []),
  ]
}

function conclusion(report: Report): string {
  const { hits, refused, source, traffic } = report
  if (isClean(report)) return 'No change hits this integration.'
  const silent = hits.filter(({ effect }) => effect === 'silent').length
  const lines = hits.reduce((sum, hit) => sum + hit.lines.length, 0)
  const entries = [...hits.flatMap((hit) => hit.traffic), ...refused].map(({ entry }) => entry)
  const found = [
    ...(source ? [count(lines, 'line')] : []),
    ...(traffic ? [count(new Set(entries).size, 'recorded exchange')] : []),
  ]
  const changes = count(hits.length, 'change') + (silent > 0 ? ` (${silent} silently wrong)` : '')
  const verb = hits.length === 1 ? 'hits' : 'hit'
  return `${changes} ${verb} ${found.join(' and ')}.`
}

/** Each text once, with how often it is there. */
function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`))
}

/** The first lines of a list, and how many more there are. */
function first<T>(all: readonly T[], line: (one: T) => string, indent: string): string[] {
  const more =
    all.length > SHOWN ? [`${indent}and ${all.length - SHOWN} more; --json lists all`] : []
  return [...all.slice(0, SHOWN).map(line), ...more]
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
