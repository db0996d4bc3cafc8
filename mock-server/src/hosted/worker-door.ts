/** The door of a process that only delivers: monitoring, and nothing else. */
import { HEALTH } from '../control/health.ts'
import type { Handler } from '../door/message.ts'
import { Problem, problemResponse } from '../door/problem.ts'
import { newRequestId } from '../door/request-id.ts'

const MONITORED = new Set<string>([...Object.values(HEALTH), '/_mock/metrics'])

export function monitoringOnly(handler: Handler): Handler {
  return async (request) => {
    const [path = ''] = request.target.split('?')
    if (MONITORED.has(path)) return handler(request)
    const detail = 'This process only delivers events. Send requests to one with the role api.'
    return problemResponse(new Problem(404, 'not_found', detail), newRequestId())
  }
}
