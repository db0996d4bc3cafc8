/** Where something stands in a file; lines and columns count from 1. */
export interface Location {
  file: string
  line: number
  column: number
}

/**
 * What keeps a document from being generated, and the cure.
 *
 * - `error`: nothing can be written before it is corrected.
 * - `unsupported`: a part of the document that no SDK can express, or that is not as it should be.
 *   The operations that need it can be left out.
 * - `note`: left out because nothing depends on it, but not silently.
 */
export interface Problem {
  severity: 'error' | 'unsupported' | 'note'
  location: Location
  /** What is wrong, without a full stop. */
  message: string
  /** What to do about it, without a full stop. */
  fix: string
}

/** `FILE:LINE:COL: what is wrong. what to do.` on one line. The texts may contain line breaks. */
export function formatProblem({ severity, location, message, fix }: Problem): string {
  const mark = severity === 'note' ? 'note: ' : ''
  const text = `${mark}${sentence(message)} ${sentence(fix)}`
  return `${formatLocation(location)}: ${oneLine(text).trim()}`
}

/** `FILE:LINE:COL`. */
export function formatLocation({ file, line, column }: Location): string {
  return `${file}:${line}:${column}`
}

/** Problems in the order of the file, each one once. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const once = new Map(problems.map((problem) => [formatProblem(problem), problem]))
  return [...once.values()].sort(
    (a, b) =>
      compare(a.location.file, b.location.file) ||
      a.location.line - b.location.line ||
      a.location.column - b.location.column ||
      compare(a.message, b.message),
  )
}

function sentence(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

// Control characters of a document must not reach a terminal.
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
