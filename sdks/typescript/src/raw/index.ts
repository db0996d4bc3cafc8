// The seam to openapi-fetch: it writes the request, runs middleware and reads the response. The
// client sends the request, and merges headers, key and options as for all of its calls.
import createClient, { type Middleware } from 'openapi-fetch'
import type { BaseClient } from '../core/client.js'
import { fillPath } from '../core/path.js'
import { writeQuery } from '../core/query.js'
import { byMethod, type Method, type RawClient } from '../core/raw.js'
import { bodyWith } from '../core/request.js'
import type { paths } from '../generated/paths.js'

export type { Middleware } from 'openapi-fetch'
export type { RawClient, RawInit, RawResult } from '../core/raw.js'

/** A raw client that runs middleware. */
export interface RawClientWithMiddleware extends RawClient<paths> {
  /** Adds middleware. The last one added is the last to see a request and the first to see its response. */
  use(...middleware: Middleware[]): void
  /** Removes middleware. */
  eject(...middleware: Middleware[]): void
}

/** The part of a contract that openapi-fetch needs. `RawClient` has the rest. */
type AnyPaths = Record<string, Record<Method, AnyOperation>>

interface AnyOperation {
  requestBody?: { content: Record<string, unknown> }
  responses: Record<number, object>
}

/**
 * Makes an openapi-fetch client of a client. Its calls are those of `client.raw`, with middleware.
 *
 * @example
 * const raw = createRawClient(client)
 * raw.use({ onResponse: ({ response }) => console.log(response.status) })
 * const { data, error } = await raw.GET('/v1/things')
 */
export function createRawClient(client: BaseClient<paths>): RawClientWithMiddleware {
  const engine = createClient<AnyPaths>({ baseUrl: client.baseURL, pathSerializer: fillPath })
  const calls = byMethod<paths>((method, { path, operation }, init) => {
    const { headers } = init
    const given = headers && Symbol.iterator in headers ? Object.fromEntries(headers) : headers
    // Middleware may replace our request, so the options come from here.
    const fetch = (request: Request) => {
      const removed = Object.entries(given ?? {}).filter(([name, value]) => {
        return value === null && !request.headers.has(name)
      })
      return client.fetch(request, { ...init, headers: Object.fromEntries(removed) }, path)
    }
    const { middleware: _, ...rest } = init // openapi-fetch's own option of this name is another
    return engine.request(method, path, {
      ...rest,
      body: bodyWith(init.extraBody, method.toUpperCase(), init.body),
      headers: { ...(operation.body && { 'content-type': operation.body.contentType }), ...given },
      bodySerializer: operation.body?.encode,
      querySerializer: operation.writeQuery ?? writeQuery,
      fetch,
    })
  })
  return { ...calls, use: engine.use, eject: engine.eject }
}
