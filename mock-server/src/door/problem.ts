import { STATUS_CODES } from './http.ts'
import type { HttpResponse } from './message.ts'

/** One reason why a request is not acceptable. */
export interface Reason {
  in: 'body' | 'path' | 'query' | 'header' | 'cookie'
  /** The location in the body as a JSON pointer, empty for the whole body. */
  pointer?: string
  /** The parameter's name, where `in` is not `body`. */
  parameter?: string
  /** The rule that is broken, for example `maxLength`. */
  code: string
  message: string
}

/** An error that the door turns into an `application/problem+json` response (RFC 9457). */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>
  readonly errors: Reason[] | undefined
  /** Gives its response another form. */
  dress: ((response: HttpResponse, requestId: string) => HttpResponse) | undefined

  /** @param detail What is wrong with this request, and what to do about it. */
  constructor(
    status: number,
    code: string,
    detail: string,
    more: { headers?: Record<string, string>; errors?: Reason[] } = {},
  ) {
    super(detail)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.headers = more.headers ?? {}
    this.errors = more.errors
  }
}

/** A 422 for a value that is not acceptable. */
export function invalid(detail: string, errors?: Reason[]): Problem {
  return new Problem(422, 'validation_failed', detail, errors && { errors })
}

/** A 401 that names the scheme (RFC 9110 §11.6.1). */
export function unauthorized(detail: string): Problem {
  const headers = { 'www-authenticate': 'Bearer' }
  return new Problem(401, 'unauthorized', detail, { headers })
}

// Node still has the names from before RFC 9110.
const TITLES: Record<number, string> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
}

/** The title of a status, as `about:blank` problems have it. */
export function titleOf(status: number): string {
  return TITLES[status] ?? 'Unknown Error'
}

/** Turns an error into a response. Any error but a {@link Problem} is a 500 without details. */
export function problemResponse(error: unknown, requestId: string): HttpResponse {
  const problem =
    error instanceof Problem
      ? error
      : new Problem(
          500,
          'internal_error',
          'The mock server failed. See its log on stderr for the reason.',
        )
  const { status, code, errors } = problem
  const body = {
    type: 'about:blank',
    title: titleOf(status),
    status,
    detail: problem.message,
    code,
    request_id: requestId,
    ...(errors && { errors }),
  }
  const response = {
    status,
    headers: { ...problem.headers, 'content-type': 'application/problem+json' },
    body: JSON.stringify(body),
  }
  return problem.dress ? problem.dress(response, requestId) : response
}
