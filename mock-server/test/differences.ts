/** Where the responses to valid requests differ from those of Prism's own server, and why. */
export interface Difference {
  why: string
  /** Whether it concerns the response to a request with these headers. */
  of(response: PlainResponse, headers: Record<string, string>): boolean
  /** Removes the difference from a response. */
  level(response: PlainResponse): PlainResponse
}

export interface PlainResponse {
  status: number
  type: string
  body: Record<string, unknown>
}

const isProblem = ({ type }: PlainResponse) => type === 'application/problem+json'
const wishesError = ({ prefer = '' }: Record<string, string>) => /code=[45]/.test(prefer)

export const DIFFERENCES: Difference[] = [
  {
    why: 'A problem has the ID of its own request, as its X-Request-Id header does. Prism repeats the example’s.',
    of: isProblem,
    level: ({ body: { request_id: _, ...body }, ...response }) => ({ ...response, body }),
  },
  {
    why: 'A problem has the status and the title of its response (RFC 9457 §3.1.2, §4.2.1). For a status that `default` covers, Prism repeats the example’s.',
    of: (response, { prefer }) => isProblem(response) && /code=418/.test(prefer ?? ''),
    level: ({ body: { status: _, title: __, ...body }, ...response }) => ({ ...response, body }),
  },
  {
    why: 'A requested error reaches every client. Prism sends a success to those that accept JSON but do not name application/problem+json.',
    of: (_, headers) => headers.accept === 'application/json' && wishesError(headers),
    level: () => ({ status: 0, type: '', body: {} }),
  },
]
