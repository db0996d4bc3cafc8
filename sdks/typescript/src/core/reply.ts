import * as policy from '../generated/policy.js'
import type { Answer } from './trace.js'

/** An answer with its whole body: what the rest of the runtime sees of a `Response`. */
export class Reply implements Answer {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly ok: boolean
  readonly headers: Headers
  readonly content: string | ArrayBuffer

  constructor(
    request: { method: string; url: string },
    response: Response,
    content: string | ArrayBuffer,
  ) {
    this.method = request.method
    this.url = request.url
    this.status = response.status
    this.ok = response.ok
    this.headers = response.headers
    this.content = content
  }

  get requestId(): string | null {
    return this.headers.get(policy.HEADERS_REQUEST_ID)
  }

  /** The content as text. */
  read(): string {
    return typeof this.content === 'string' ? this.content : new TextDecoder().decode(this.content)
  }

  /** For openapi-fetch, which reads failures by itself. */
  async text(): Promise<string> {
    return this.read()
  }

  /** A `Response` with this status, these headers and an unread body. */
  toResponse(): Response {
    // A browser hides everything about a redirect, its status too.
    if (this.status === 0) return Response.error()
    const withoutBody = [204, 205, 304].includes(this.status)
    const { status, headers } = this
    return new Response(withoutBody ? null : this.content, { status, headers })
  }
}
