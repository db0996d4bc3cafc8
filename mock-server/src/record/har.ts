/** The parts of HAR 1.2 that a recording has. http://www.softwareishard.com/blog/har-12-spec/ */

export interface Field {
  name: string
  value: string
}

/** A body as text; in base64 where it is not text. */
export interface Text {
  text?: string
  encoding?: 'base64'
  /** The reason why there is no text, or not all of it. */
  comment?: string
}

export interface Entry {
  startedDateTime: string
  /** In milliseconds. */
  time: number
  request: {
    method: string
    url: string
    httpVersion: string
    cookies: Field[]
    headers: Field[]
    queryString: Field[]
    /** HAR has no encoding here, but other programs have the same need. */
    postData?: { mimeType: string; text: string; comment?: string; _encoding?: 'base64' }
    headersSize: -1
    bodySize: number
  }
  response: {
    /** 0 where there was no response. */
    status: number
    statusText: string
    httpVersion: string
    cookies: Field[]
    headers: Field[]
    content: { size: number; mimeType: string } & Text
    redirectURL: string
    headersSize: -1
    bodySize: number
    /** Why there is no complete response. Chrome has the same field. */
    _error?: string
  }
  cache: Record<string, never>
  timings: { send: number; wait: number; receive: number }
  /** On deliveries of events. */
  _webhook?: Delivered
}

/** The event of a delivery. */
export interface Delivered {
  kind: string
  event: string
  delivery: string
  /** From 1 in each cycle of attempts. */
  attempt: number
}

/** One half of an exchange. */
export interface Message {
  headers: Record<string, string | undefined>
  body: Captured
}

/** A body, or its start. */
export interface Captured {
  /** Of the whole body, in bytes. */
  size: number
  bytes: Uint8Array
}

export interface Exchange {
  /** In milliseconds since 1970. */
  started: number
  /** In milliseconds. */
  time: number
  method: string
  url: string
  request: Message
  response: Message & { status: number; error?: string | undefined }
  webhook?: Delivered
}

/** How much of a body is kept, in bytes. */
export const KEPT = 256 * 1024

export const REDACTED = '[redacted]'

const SECRET = /authorization|cookie|secret|token|signature|password|api[-_]?key/i

/** A HAR document. @param version Of this package. */
export function harOf(entries: readonly Entry[], version: string): object {
  const creator = { name: 'support-chat-mock', version }
  return { log: { version: '1.2', creator, entries } }
}

/** @param secrets The names of headers and query parameters that hold secrets, in lower case. */
export function entryOf(exchange: Exchange, secrets: ReadonlySet<string>): Entry {
  const { started, time, method, request, response, webhook } = exchange
  const isSecret = (name: string) => SECRET.test(name) || secrets.has(name.toLowerCase())
  const url = withoutSecrets(exchange.url, isSecret)
  const sent = textOf(request.body)
  return {
    startedDateTime: new Date(started).toISOString(),
    time,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsOf(request.headers, isSecret),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(request.body.size > 0 && {
        postData: {
          mimeType: request.headers['content-type'] ?? '',
          text: sent.text ?? '',
          ...(sent.comment !== undefined && { comment: sent.comment }),
          ...(sent.encoding && { _encoding: sent.encoding }),
        },
      }),
      headersSize: -1,
      bodySize: request.body.size,
    },
    response: {
      status: response.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsOf(response.headers, isSecret),
      content: {
        size: response.body.size,
        mimeType: response.headers['content-type'] ?? '',
        ...textOf(response.body),
      },
      redirectURL: response.headers.location ?? '',
      headersSize: -1,
      bodySize: response.body.size,
      ...(response.error !== undefined && { _error: response.error }),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(webhook && { _webhook: webhook }),
  }
}

/** The start of a body that is in memory already. Does not keep the rest of it there. */
export function captured(body: string | Uint8Array = ''): Captured {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const size = bytes.byteLength
  return { size, bytes: size > KEPT ? Buffer.from(bytes.subarray(0, KEPT)) : bytes }
}

function textOf({ size, bytes }: Captured): Text {
  if (size === 0) return {}
  const comment = size > bytes.length ? { comment: `the first ${bytes.length} bytes` } : {}
  const text = decoded(bytes)
  return text === null
    ? { text: Buffer.from(bytes).toString('base64'), encoding: 'base64', ...comment }
    : { text, ...comment }
}

/** Null for bytes that are no text. A character that the end cuts in two is left out. */
function decoded(bytes: Uint8Array): string | null {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return decoder.decode(bytes, { stream: bytes.length === KEPT })
  } catch {
    return null
  }
}

function fieldsOf(
  headers: Record<string, string | undefined>,
  isSecret: (name: string) => boolean,
): Field[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: isSecret(name) ? REDACTED : value }],
  )
}

function withoutSecrets(text: string, isSecret: (name: string) => boolean): string {
  const url = new URL(text)
  if (url.username || url.password) [url.username, url.password] = ['', '']
  const names = new Set([...url.searchParams.keys()].filter(isSecret))
  for (const name of names) url.searchParams.set(name, REDACTED)
  return url.href
}
