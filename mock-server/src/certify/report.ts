/** Makes the report of what was found. */
import {
  type CheckFacts,
  type Finding,
  type Judgement,
  type Report,
  type Side,
  type Timings,
  VERDICTS,
  type Verdict,
  WEIGHTS,
} from './types.ts'

export interface Found {
  side: Side
  target: string
  contract: Report['contract']
  version: string
  checks: readonly CheckFacts[]
  /** Of the checks, in their order. */
  judgements: readonly Judgement[]
  isComplete: boolean
  timings: Timings | null
}

export interface Begun {
  /** In milliseconds since 1970. */
  at: number
  /** By a clock that only goes forward. */
  from: number
}

/** The page that has a section for each check. */
export const PAGE = 'docs/certify.md'

export function reportOf(found: Found, begun: Begun): Report {
  const { side, target, contract, timings, isComplete: complete } = found
  const checks = found.checks.flatMap((check, index): Finding[] => {
    const judgement = found.judgements[index]
    return judgement ? [findingOf(check, judgement)] : []
  })
  return {
    format: 1,
    tool: { name: 'support-chat-mock', version: found.version },
    side,
    target,
    contract,
    at: new Date(begun.at).toISOString(),
    duration_ms: Math.round(performance.now() - begun.from),
    complete,
    score: scoreOf(checks),
    counts: Object.fromEntries(
      VERDICTS.map((verdict) => [verdict, checks.filter((one) => one.verdict === verdict).length]),
    ) as Record<Verdict, number>,
    timings,
    checks,
  }
}

function findingOf(check: CheckFacts, { verdict, sent, seen }: Judgement): Finding {
  const { id, title, severity, meaning, cure } = check
  const page = `${PAGE}#${id}`
  return {
    id,
    title,
    severity,
    weight: WEIGHTS[severity],
    verdict,
    sent,
    seen,
    meaning,
    cure,
    page,
  }
}

/** 100 % is for those who passed all checks that could be judged. */
export function scoreOf(checks: readonly Finding[]): Report['score'] {
  const sum = (verdicts: readonly Verdict[]) =>
    checks
      .filter(({ verdict }) => verdicts.includes(verdict))
      .reduce((total, { weight }) => total + weight, 0)
  const [points, of] = [sum(['pass']), sum(['pass', 'fail'])]
  return { points, of, percent: of === 0 ? 0 : Math.floor((100 * points) / of) }
}
