import { type Change, EFFECTS, LANGUAGES } from '../types.ts'
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

/** The report for a pull request. */
export function toMarkdown(report: Report): string {
  const { base, target, changes, remarks } = report
  const lines = [`## Changes of the contract: ${code(base)} → ${code(target)}`, '', verdict(report)]
  for (const effect of EFFECTS) {
    const group = changes.filter((change) => worstOf(change) === effect && isShown(change))
    if (group.length === 0) continue
    lines.push('', `### ${HEADINGS[effect]}`, '')
    for (const change of group) lines.push(...itemOf(change, report))
  }
  const prose = changes.filter((change) => !isShown(change))
  if (prose.length > 0) {
    lines.push('', '<details>', `<summary>Documentation only (${prose.length})</summary>`, '')
    lines.push(...prose.map(({ text }) => `- ${text}`), '', '</details>')
  }
  if (remarks.length > 0) lines.push('', ...remarks.map((remark) => `> ${remark}`))
  return `${lines.join('\n')}\n`
}

function isShown(change: Change): boolean {
  return change.class !== 'documentation'
}

function itemOf(change: Change, report: Report): string[] {
  const { text, users, subject, fingerprint } = change
  const known = facts(change, report).map((fact) => ` _(${fact})_`)
  const item = `- ${text}${known.join('')}`
  if (change.class !== 'breaking') return [item]
  const effects = hits(change).map(({ audience, text }) => `**${audience}**: ${text}`)
  const spellings = [...new Set(LANGUAGES.map((language) => code(subject[language])))]
  const where = users.length > 0 ? `${someUsers(users)}. ` : ''
  return [
    item,
    `  - ${effects.join(' · ')}`,
    `  - ${spellings.join(' · ')}`,
    `  - ${where}${code(sites(change))} ${code(fingerprint)}`,
  ]
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}
