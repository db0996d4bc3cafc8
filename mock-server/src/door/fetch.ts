import type { Handler } from './message.ts'

/** A `fetch` that hands requests to a handler instead of a network. */
export function fetchHandler(handler: Handler, baseUrl: string): typeof globalThis.fetch {
  return async (input, init) => {
    const request =
      input instanceof Request
        ? new Request(input, init)
        : new Request(new URL(input, baseUrl), init)
    request.signal.throwIfAborted()
    const { pathname, search, host } = new URL(request.url)
    const bytes = request.body ? new Uint8Array(await request.arrayBuffer()) : null
    const headers: Record<string, string> = { ...Object.fromEntries(request.headers), host }
    if (bytes) headers['content-length'] = String(bytes.length)

    const response = await handler({
      method: request.method,
      target: pathname + search,
      headers,
      body: (async function* () {
        if (bytes) yield bytes
      })(),
    })
    request.signal.throwIfAborted()
    const { status, body, cut } = response
    if (cut === 'reset') throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') })
    if (cut === 'truncate') return new Response(truncated(body), response)
    const isEmpty = request.method === 'HEAD' || status === 204 || status === 304
    return new Response(isEmpty ? null : ((body ?? null) as BodyInit | null), response)
  }
}

/** The first half of a body, and then an error. */
function truncated(body: string | Uint8Array = ''): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body)
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length / 2))
      controller.error(new TypeError('terminated'))
    },
  })
}
