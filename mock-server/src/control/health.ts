/** Reports whether the server runs and its store can be read and written. Needs no token, for monitoring. */
import type { RouteHandler } from '../api.ts'
import { type HttpResponse, json } from '../door/message.ts'
import type { Route } from '../door/router.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'

/** What a server knows of itself. */
export interface State {
  /** Whether it stops as soon as no requests come any more. */
  isDraining: boolean
}

/** The paths of the reports. */
export const HEALTH = {
  whole: '/_mock/health',
  live: '/_mock/health/live',
  ready: '/_mock/health/ready',
} as const

/**
 * @param sandboxes Null if nothing is stored.
 * @param isShared Whether several processes may share the store.
 */
export function healthRoutes(
  sandboxes: Sandboxes | null,
  state: State,
  isShared: boolean,
): Route<RouteHandler>[] {
  const storeState = async () => {
    if (!sandboxes) return 'none'
    return (await sandboxes.isHealthy()) ? 'ok' : 'failing'
  }
  const whole = async () => {
    const store = await storeState()
    const isFailing = store === 'failing'
    const shared = isShared && sandboxes && !isFailing ? await sharedOf(sandboxes) : {}
    return reported(!isFailing, { status: isFailing ? 'failing' : 'ok', store, ...shared })
  }
  const ready = async () => {
    if (state.isDraining) return reported(false, { status: 'draining' })
    const isReady = (await storeState()) !== 'failing'
    return reported(isReady, { status: isReady ? 'ok' : 'failing' })
  }
  // A store that fails gets no better by a new start of this process.
  const live = async () => reported(true, { status: 'ok' })
  return Object.entries({ whole, ready, live }).map(([name, target]) => {
    return { method: 'GET', path: HEALTH[name as keyof typeof HEALTH], target }
  })
}

async function sharedOf({ store }: Sandboxes) {
  const { due, lag } = await store.outbox.backlog()
  return { processes: store.processes, due_deliveries: due, lag_seconds: lag / 1000 }
}

function reported(isWell: boolean, body: object): HttpResponse {
  return json(isWell ? 200 : 503, body, { 'cache-control': 'no-store' })
}
