import type { BufferedResponse } from './response.js'

// Beside the values, so that they hold nothing but the data.
const requestIds = new WeakMap<object, string | null>()

/** Remembers which response a value came in. */
export function remember(value: unknown, { requestId }: BufferedResponse): void {
  if (typeof value === 'object' && value !== null) requestIds.set(value, requestId)
}

/**
 * The request id of the response that a result came in: an object or a page that a call resolved to.
 * Identifies the request in the service's logs. Null for any other value, a copy of a result included.
 */
export function requestIdOf(value: unknown): string | null {
  return requestIds.get(value as object) ?? null
}
