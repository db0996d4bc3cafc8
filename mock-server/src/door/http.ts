/** node:http, without the fetch and WebSocket that an import of it would load: a tenth of the start. */
export const { createServer, STATUS_CODES, validateHeaderValue } =
  process.getBuiltinModule('node:http')
