/**
 * Requests and responses behind the door. Plain data instead of the classes of the Fetch API, which
 * refuse requests that a mock must handle (TRACE, odd targets, bad hosts).
 */

/** What the parts find out about a request while they handle it, for those who note it. */
export interface Findings {
  /** The id that its response has. */
  id?: string
  /** Whether an operation of the contract handled it. */
  isCall?: boolean
  /** The path template of that operation. */
  route?: string
  /** What was read of its body. */
  read?: readonly Uint8Array[]
  /** The key that it was accepted with; empty if it needed none. */
  key?: string
  /** The fault that it met. */
  fault?: string
  /** The problem that it was refused with. */
  refusal?: Error
  /** Who sent it. @default a client */
  source?: 'repeat'
}

/** A request whose first line and headers have arrived. */
export interface HttpRequest {
  method: string
  /** The raw request target: `/path?query`, an absolute URL or `*`. */
  target: string
  /** Values by lower-case name; repeated fields are joined by a comma and a space. */
  headers: Record<string, string | undefined>
  /** The raw body, still encoded. The first read may make the client send it, after a 100 Continue. */
  body: AsyncIterable<Uint8Array>
  /** The address of whoever sent it here: a client or a proxy. @default unknown */
  remote?: string
  /** Whether a header was sent more than once. @default none was, as far as anybody can tell */
  isRepeated?: (name: string) => boolean
  /** Calls the listener when the client has disconnected or has the whole response. */
  onGone?: (listener: () => void) => void
  /** Filled in while it is handled. */
  findings?: Findings
}

/** A response without what the connection adds (date, length, framing). */
export interface HttpResponse {
  status: number
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Breaks the connection: instead of the response, or in the middle of it. */
  cut?: 'reset' | 'truncate'
}

/** Handles any request; never throws and never rejects. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>

/** A response with a value as JSON. */
export function json(status: number, value: unknown, headers = {}): HttpResponse {
  return jsonText(status, JSON.stringify(value), headers)
}

export function text(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
}

/** A response with text that is already JSON. */
export function jsonText(status: number, body: string, headers = {}): HttpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}
