/** Tells the metrics to Prometheus. */
import type { RouteHandler } from '../api.ts'
import type { Route } from '../door/router.ts'
import type { Store } from '../store/store.ts'
import { METRICS_PATH } from './catalogue.ts'
import type { Metrics } from './metrics.ts'

/** The version of the text format. */
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** @param check Throws a problem for a request that may not see them. */
export function metricsRoute(
  metrics: Metrics,
  store: Store | null,
  check: (...request: Parameters<RouteHandler>) => void,
): Route<RouteHandler> {
  return {
    method: 'GET',
    path: METRICS_PATH,
    target: async (request, target) => {
      check(request, target)
      const headers = { 'content-type': TYPE, 'cache-control': 'no-store' }
      return { status: 200, headers, body: await metrics.text(store) }
    },
  }
}
