/** The report for people, in a terminal. */
import { type Finding, type Report, SEVERITIES, type Verdict } from './types.ts'

/** Colours a text, or leaves it. */
export type Paint = (style: 'green' | 'red' | 'yellow' | 'dim' | 'bold', text: string) => string

export const LABELS: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  not_observable: 'not observable',
  not_seen: 'not seen',
}

const STYLES = { pass: 'green', fail: 'red', not_observable: 'yellow', not_seen: 'yellow' } as const
const WIDTH = Math.max(...Object.values(LABELS).map((label) => label.length))

export function inWords(report: Report, paint: Paint): string {
  const { side, target, contract, checks } = report
  const failed = worstFirst(checks)
  return [
    paint('bold', `${capital(side)} ${target}`),
    `${contract.title} ${contract.version}`,
    '',
    ...checks.map((check) => lineOf(check, paint)),
    ...failed.flatMap((check) => ['', ...findingOf(check, paint)]),
    '',
    ...conclusion(report),
  ].join('\n')
}

/** What failed, in the order in which it is to be mended. */
export function worstFirst(checks: readonly Finding[]): Finding[] {
  return SEVERITIES.flatMap((severity) =>
    checks.filter((check) => check.verdict === 'fail' && check.severity === severity),
  )
}

function lineOf({ verdict, id, title }: Finding, paint: Paint): string {
  return `${paint(STYLES[verdict], LABELS[verdict].padEnd(WIDTH))}  ${title} ${paint('dim', `[${id}]`)}`
}

function findingOf({ severity, title, sent, seen, meaning, cure, page }: Finding, paint: Paint) {
  return [
    paint('bold', `${capital(severity)}: ${title}`),
    `  Sent:  ${sent}`,
    `  Seen:  ${seen}`,
    `  Means: ${meaning}`,
    `  Do:    ${cure}`,
    `  Page:  ${page}`,
  ]
}

function conclusion({ score, counts, complete }: Report): string[] {
  const unjudged = counts.not_observable + counts.not_seen
  return [
    ...(complete ? [] : ['The run ended early, so that some checks were not made.']),
    `Score: ${score.percent} % (${score.points} of ${score.of} points). ${counts.pass} passed, ${counts.fail} failed, ${unjudged} could not be judged.`,
  ]
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
