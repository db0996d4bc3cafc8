/** Reports whether the server runs and its store can be read and written. Needs no token, for monitoring. */
import type { RouteHandler } from '../api.ts'
import { json } from '../door/message.ts'
import type { Route } from '../door/router.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'

/** @param sandboxes Null if nothing is stored. */
export function healthRoute(sandboxes: Sandboxes | null): Route<RouteHandler> {
  const state = async () => {
    if (!sandboxes) return 'none'
    return (await sandboxes.isHealthy()) ? 'ok' : 'failing'
  }
  const target = async () => {
    const store = await state()
    const isFailing = store === 'failing'
    const body = { status: isFailing ? 'failing' : 'ok', store }
    return json(isFailing ? 503 : 200, body, { 'cache-control': 'no-store' })
  }
  return { method: 'GET', path: '/_mock/health', target }
}
