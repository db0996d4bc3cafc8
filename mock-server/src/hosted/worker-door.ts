/** The door of a process that only delivers: monitoring, and nothing else. */
import { HEALTH } from '../control/health.ts'
import type { Handler } from '../door/message.ts'
import { Problem, problemResponse } from '../door/problem.ts'
import { newRequestId } from '../door/request-id.ts'
import { METRICS_PATH } from '../metrics/catalogue.ts'

const MONITORED = new Set<string>([...Object.values(HEALTH), METRICS_PATH])

/** Whether a request target is one of monitoring. */
export function isMonitoring(target: string): boolean {
  const [path = ''] = target.split('?')
  return MONITORED.has(path)
}

export function monitoringOnly(handler: Handler): Handler {
  return async (request) => {
    if (isMonitoring(request.target)) return handler(request)
    const detail = 'This process only delivers events. Send requests to one with the role api.'
    return problemResponse(new Problem(404, 'not_found', detail), newRequestId())
  }
}
