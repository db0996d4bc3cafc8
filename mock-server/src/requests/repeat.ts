import { randomUUID } from 'node:crypto'
import type { HttpRequest } from '../door/message.ts'
import { Problem } from '../door/problem.ts'
import { type Call, sentOf } from '../record/exchanges.ts'

const KEY = 'idempotency-key'
/** Those that belong to one request, or to its connection. */
const OWN = new Set(['x-request-id', 'request-id', 'expect'])

/**
 * The request of a call, to be made again.
 *
 * @throws {Problem} 409 for a call that is not known completely.
 */
export function repeatOf(call: Call, keepsKey: boolean): HttpRequest {
  const { request } = call
  const bytes = wholeBodyOf(call)
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !OWN.has(name)),
  )
  if (headers[KEY] !== undefined && !keepsKey) headers[KEY] = randomUUID()
  return {
    ...request,
    headers,
    body: (async function* () {
      if (bytes.byteLength > 0) yield bytes
    })(),
  }
}

/**
 * The body of a request that can be made again.
 *
 * @throws {Problem} 409 for a call that is not known completely.
 */
export function wholeBodyOf(call: Call): Uint8Array {
  const { method, headers } = call.request
  const { size, bytes } = sentOf(call)
  const { 'content-length': length } = headers
  if (size > bytes.byteLength || (length !== undefined && Number(length) !== size)) {
    const detail =
      'The log does not have the whole body of this request. Send it from your program.'
    throw new Problem(409, 'request_incomplete', detail)
  }
  if (method === '') {
    const detail = 'This was not a valid HTTP request, so it cannot be repeated.'
    throw new Problem(409, 'request_incomplete', detail)
  }
  return bytes
}
