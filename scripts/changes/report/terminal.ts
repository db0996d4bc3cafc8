import { type Change, EFFECTS, type Effect } from '../types.ts'
import {
  facts,
  HEADINGS,
  hits,
  type Report,
  sites,
  someUsers,
  verdict,
  worstOf,
} from './summary.ts'

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green'

/** Colours a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string

const STYLES: Readonly<Record<Effect, Style>> = {
  silent: 'red',
  rejected: 'red',
  runtime: 'red',
  load: 'red',
  compile: 'yellow',
  warning: 'yellow',
  none: 'green',
}

/** The report for a terminal: silent breaks first, harmless changes in a line each. */
export function toTerminal(report: Report, paint: Paint): string {
  const { base, target, changes, remarks } = report
  const lines = [paint('bold', `${base} → ${target}`)]
  for (const effect of EFFECTS) {
    const group = changes.filter((change) => worstOf(change) === effect)
    const shown = group.filter((change) => change.class !== 'documentation')
    if (shown.length === 0) continue
    lines.push('', paint(STYLES[effect], `${HEADINGS[effect]} (${shown.length})`))
    for (const change of shown) lines.push(...linesOf(change, report, paint))
  }
  const prose = changes.filter((change) => change.class === 'documentation')
  if (prose.length > 0) {
    const names = someUsers(
      prose.map(({ text }) => /`([^`]*)`/.exec(text)?.[1] ?? ''),
      5,
    )
    lines.push('', `Documentation only (${prose.length}): ${names}`)
  }
  if (remarks.length > 0) lines.push('', ...remarks)
  return `${[...lines, '', verdict(report)].join('\n')}\n`
}

function linesOf(change: Change, report: Report, paint: Paint): string[] {
  const { fingerprint, kind, users, text } = change
  const plain = text.replaceAll('`', '')
  const known = facts(change, report).map((fact) => ` [${fact}]`)
  const first = `  ${plain}${known.join('')}`
  if (change.class !== 'breaking') return [first]
  const effects = hits(change).map(({ audience, text }) => `${audience}: ${text}`)
  const where = [sites(change), ...(users.length > 0 ? [someUsers(users)] : [])].join(' · ')
  return [
    first,
    `    ${effects.join(' · ')}`,
    paint('dim', `    ${where}`),
    paint('dim', `    ${kind} ${fingerprint}`),
  ]
}
