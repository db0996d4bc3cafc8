import { isDeepStrictEqual } from 'node:util'
import type { Effect } from '../../changes/types.ts'
import type { Complaints, Run } from './harness/language.ts'

/** What happened to the program of a witness, and what shows it. */
export interface Seen {
  effect: Effect
  because: string
}

/** What a program did, given what it does where nothing has changed. */
export function effectOf(right: Run, run: Run | undefined, complaints?: Complaints): Seen {
  const [complaint] = complaints?.errors ?? []
  if (complaint) return { effect: 'compile', because: complaint }
  if (!run) return { effect: 'load', because: 'The program did not run.' }
  const { error, warnings } = run
  if (error?.atLoad) return { effect: 'load', because: error.message }
  if (error)
    return { effect: isRefusal(error.status) ? 'rejected' : 'runtime', because: error.message }
  const known = new Set(right.warnings)
  const [warning] = [
    ...warnings.filter((text) => !known.has(text)),
    ...(complaints?.warnings ?? []),
  ]
  if (warning) return { effect: 'warning', because: warning }
  const [was, is] = [right, run].map(({ value, requests }) => ({ value, requests }))
  if (isDeepStrictEqual(was, is)) return { effect: 'none', because: '' }
  return { effect: 'silent', because: `${JSON.stringify(was)} became ${JSON.stringify(is)}.` }
}

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500
}
