/**
 * Any page may call the API with a key of its own: `*` without credentials. The wildcard covers
 * every header but Authorization, which the Fetch standard wants named.
 */

/** Headers that let a page read an answer. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after, *',
}

/** Headers that answer a preflight. */
export function preflight(methods: string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, prefer, *',
    'access-control-max-age': '7200',
    vary: 'origin, access-control-request-method, access-control-request-headers',
  }
}

/** Whether a request is a browser's question if it may send another. */
export function isPreflight(method: string, headers: Record<string, string | undefined>): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}
