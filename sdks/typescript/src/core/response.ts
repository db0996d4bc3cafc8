import * as policy from '../generated/policy.js'
import type { AttemptResponse } from './trace.js'

const decoder = new TextDecoder()

/** A response whose whole body has arrived. */
export class BufferedResponse implements AttemptResponse {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly ok: boolean
  readonly headers: Headers
  readonly requestId: string | null
  readonly content: ArrayBuffer

  constructor(
    request: { method: string; url: string },
    response: Response,
    content = new ArrayBuffer(0),
  ) {
    this.method = request.method
    this.url = request.url
    this.status = response.status
    this.ok = response.ok
    this.headers = response.headers
    this.requestId = this.headers.get(policy.HEADERS_REQUEST_ID) || null
    this.content = content
  }

  /** The body as text. */
  text(): string {
    return decoder.decode(this.content)
  }

  /** A `Response` with this status, these headers and an unread body. */
  toResponse(): Response {
    // A browser hides everything about a redirect, its status too.
    if (this.status === 0) return Response.error()
    const withoutBody = [204, 205, 304].includes(this.status)
    const { status, headers, url } = this
    const response = new Response(withoutBody ? null : this.content, { status, headers })
    return Object.defineProperty(response, 'url', { value: url })
  }
}
