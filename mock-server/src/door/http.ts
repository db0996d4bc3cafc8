import type { ServerOptions } from 'node:https'

/** node:http, without the fetch and WebSocket that an import of it would load: a tenth of the start. */
export const { createServer, STATUS_CODES, validateHeaderValue } =
  process.getBuiltinModule('node:http')

/** The same over TLS. Loaded on first use. */
export function createSecureServer(options: ServerOptions) {
  return process.getBuiltinModule('node:https').createServer(options)
}
