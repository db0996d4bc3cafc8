/**
 * A request and its answer as the rooms behind the door see them. Plain data instead of the Fetch
 * API's classes: those refuse what a mock must be able to answer (TRACE, odd targets, bad hosts).
 */

/** A request whose first line and headers have arrived. */
export interface HttpRequest {
  method: string
  /** The request target as it was sent: `/path?query`, an absolute URL or `*`. */
  target: string
  /** Values by lower-case name; repeated fields are joined by a comma and a space. */
  headers: Record<string, string | undefined>
  /** The body as it was sent, still encoded. Reading it may be what asks the client to send it. */
  body: AsyncIterable<Uint8Array>
  /** Has somebody told that the client is gone, or has its whole answer. */
  onGone?: (listener: () => void) => void
}

/** An answer, complete but for what the connection adds (date, length, framing). */
export interface HttpResponse {
  status: number
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Breaks the connection: instead of the answer, or in the middle of it. */
  cut?: 'reset' | 'truncate'
}

/** Answers any request; never throws and never rejects. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>

/** An answer with a value as JSON. */
export function json(status: number, value: unknown, headers = {}): HttpResponse {
  return jsonText(status, JSON.stringify(value), headers)
}

/** An answer with what is JSON already. */
export function jsonText(status: number, body: string, headers = {}): HttpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}
