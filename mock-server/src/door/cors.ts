/**
 * Any page may call the API with its own key: `*` without credentials. The wildcard covers every
 * header except Authorization, which the Fetch standard requires by name.
 */

/** Headers that allow a page to read a response. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after, *',
}

/** The headers of the response to a preflight request. */
export function preflight(methods: string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, *',
    'access-control-max-age': '7200',
    vary: 'origin, access-control-request-method, access-control-request-headers',
  }
}

/** Whether a request is a CORS preflight. */
export function isPreflight(method: string, headers: Record<string, string | undefined>): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}
