import type { Outcome } from '../generated/policy.js'

// A request is known not to have left only where the failure can occur nowhere but before it: no
// address, no connection in time, no trust. Codes are those of Node.js and Bun; a Deno error has none.
const NOT_SENT =
  /^E(NOTFOUND|AI_AGAIN|CONNREFUSED|(HOST|NET)UNREACH)$|^UND_ERR_CONNECT_TIMEOUT$|^(ConnectionRefused|FailedToOpenSocket)$|^(?!ERR_SSL).*(CERT|_ISSUER|_LEAF_SIGNATURE)|^ERR_SSL_.*(HANDSHAKE_FAILURE|_VERSION|VERSION_NUMBER)$|\(Connect\)|before secure TLS|^bad port$/
// HTTP/2 guarantees that such a stream was not processed. Those above the last one of a GOAWAY are
// refused, too.
const REFUSED = /refused[_ ]stream/i
const TIMED_OUT = /TIMEDOUT$|_TIMEOUT$/
const CORRUPT = /^Z_DATA_ERROR$|^ZlibError$/

/** The facts that a rejection of `fetch` gives about its request. */
export interface Failure {
  outcome: Outcome
  timedOut: boolean
  /** The response is whole, but not in its content encoding. */
  corrupt: boolean
  /** The innermost reason, in the runtime's own words. */
  reason: string
}

/** Reads a rejection of `fetch`. */
export function explain(error: unknown): Failure {
  let outcome: Outcome = 'unknown'
  let timedOut = false
  let corrupt = false
  let reason = 'the request failed'
  for (let depth = 0; depth < 5 && typeof error === 'object' && error !== null; depth++) {
    const { code = '', message, cause, syscall, errors } = error as Record<string, unknown>
    reason = String(message || code || reason)
    timedOut ||= TIMED_OUT.test(String(code))
    corrupt ||= CORRUPT.test(String(code))
    // Node.js collects the errors of several addresses while it connects. A host can also become
    // unreachable to a connection that exists.
    const isConnecting = syscall === 'connect' || errors !== undefined
    const isEarly = NOT_SENT.test(String(code || message)) && !/^(read|write)/.test(`${syscall}`)
    if (isConnecting || isEarly || REFUSED.test(reason)) outcome = 'not_sent'
    error = cause
  }
  return { outcome, timedOut, corrupt, reason }
}
