/** Chooses calls. */
import { covers } from '../faults/paths.ts'
import type { Call } from '../record/exchanges.ts'

export interface RequestFilter {
  method?: string | undefined
  /** A path, a template such as `/v1/conversations/{id}`, or a start of paths that ends in `*`. */
  path?: string | undefined
  /** A status such as `404`, or a class such as `4xx`. */
  status?: string | undefined
  /** Only those before this one. */
  before?: string | undefined
}

/** Those of calls that pass a filter, in the same order. */
export function chosenOf(calls: readonly Call[], filter: RequestFilter, limit: number): Call[] {
  const { before } = filter
  const at = before === undefined ? -1 : calls.findIndex(({ findings }) => findings.id === before)
  const older = before !== undefined && at < 0 ? [] : calls.slice(at + 1)
  return older.filter((call) => passes(call, filter)).slice(0, limit)
}

function passes({ request, response }: Call, { method, path, status }: RequestFilter): boolean {
  if (method !== undefined && request.method !== method.toUpperCase()) return false
  if (path !== undefined && !isPath(path, request.target)) return false
  const shown = response.cut === 'reset' ? '' : String(response.status)
  return (
    status === undefined || [...status].every((digit, at) => digit === 'x' || digit === shown[at])
  )
}

/** Whether a request target has a path. */
function isPath(wanted: string, target: string): boolean {
  return covers(wanted, target.replace(/^https?:\/\/[^/?#]+/i, '').replace(/[?#].*/s, ''))
}
