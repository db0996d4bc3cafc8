/** What a certification checks, and what it found. */

/** The side of the integration that is checked: what receives events, or what calls the API. */
export type Side = 'receiver' | 'client'

/** The worst first. */
export const SEVERITIES = ['critical', 'major', 'minor'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What a passed check counts. */
export const WEIGHTS: Readonly<Record<Severity, number>> = { critical: 10, major: 5, minor: 2 }

/** How a check ended. Only `pass` and `fail` count. */
export const VERDICTS = ['pass', 'fail', 'not_observable', 'not_seen'] as const
export type Verdict = (typeof VERDICTS)[number]

/** One thing that an integration must do. */
export interface CheckFacts {
  /** Also the anchor of its section in the guide. */
  id: string
  /** What the integration does that passes: `Refuses a delivery without a signature`. */
  title: string
  severity: Severity
  /** What it means where the check fails. */
  meaning: string
  /** What to do about it. */
  cure: string
}

/** What a check found. The texts hold nothing that differs from run to run, and no secrets. */
export interface Judgement {
  verdict: Verdict
  /** What the integration got. */
  sent: string
  /** What it did, or why nothing can be said. */
  seen: string
}

export interface Finding extends CheckFacts, Judgement {
  weight: number
  /** The section that explains the check. */
  page: string
}

export interface Timings {
  /** How many responses were measured. */
  count: number
  /** In milliseconds. */
  median: number
  slowest: number
}

export interface Report {
  /** The version of this format. */
  format: 1
  tool: { name: string; version: string }
  side: Side
  /** What was checked: a URL without secrets, or how the program was run. */
  target: string
  contract: { title: string; version: string }
  /** When it began (ISO 8601). */
  at: string
  duration_ms: number
  /** False if it was stopped, or what was checked stopped responding. */
  complete: boolean
  score: { points: number; of: number; percent: number }
  counts: Record<Verdict, number>
  /** Of the responses of a receiver; null where none were measured. */
  timings: Timings | null
  checks: Finding[]
}

export const passed = (sent: string, seen: string): Judgement => ({ verdict: 'pass', sent, seen })
export const failed = (sent: string, seen: string): Judgement => ({ verdict: 'fail', sent, seen })
export const judged = (passes: boolean, sent: string, seen: string): Judgement =>
  passes ? passed(sent, seen) : failed(sent, seen)
/** Nothing that arrives here can show it. */
export const unobservable = (why: string): Judgement => {
  return { verdict: 'not_observable', sent: '', seen: why }
}
/** It could have been seen, but did not happen. */
export const unseen = (why: string): Judgement => ({ verdict: 'not_seen', sent: '', seen: why })
