/** Where the answers to valid requests differ from those of Prism's own server, and why. */
export interface Difference {
  why: string
  /** Whether it concerns the answer to a request with these headers. */
  of(answer: Answer, headers: Record<string, string>): boolean
  /** Puts both answers on a level. */
  level(answer: Answer): Answer
}

export interface Answer {
  status: number
  type: string
  body: Record<string, unknown>
}

const isProblem = ({ type }: Answer) => type === 'application/problem+json'
const wishesError = ({ prefer = '' }: Record<string, string>) => /code=[45]/.test(prefer)

export const DIFFERENCES: Difference[] = [
  {
    why: 'A problem names the request that it answers, as its X-Request-Id header does; Prism repeats the example’s.',
    of: isProblem,
    level: ({ body: { request_id: _, ...body }, ...answer }) => ({ ...answer, body }),
  },
  {
    why: 'A problem has the status and the title of its answer (RFC 9457 §3.1.2, §4.2.1); for a status that `default` covers, Prism repeats the example’s.',
    of: (answer, { prefer }) => isProblem(answer) && /code=418/.test(prefer ?? ''),
    level: ({ body: { status: _, title: __, ...body }, ...answer }) => ({ ...answer, body }),
  },
  {
    why: 'An error that was asked for is sent to every client; Prism sends a success to those that accept JSON but do not name application/problem+json.',
    of: (_, headers) => headers.accept === 'application/json' && wishesError(headers),
    level: () => ({ status: 0, type: '', body: {} }),
  },
]
