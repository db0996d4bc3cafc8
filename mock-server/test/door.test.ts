/** Hostile bytes: the response is always a problem, and the next request is served. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../src/door/listener.ts'
import type { Handler } from '../src/door/message.ts'
import type { Server } from '../src/server.ts'
import { AUTH, parseRaw, problem, raw, start, TRAPS } from './support.ts'
import { gate } from './virtual.ts'

describe('the door', () => {
  let server: Server
  beforeAll(async () => {
    server = await start(TRAPS)
  })
  afterAll(() => server.close())

  const send = async (head: string, body = '') =>
    parseRaw(
      await raw(server.url, `${head.replaceAll('\n', '\r\n')}\r\nConnection: close\r\n\r\n${body}`),
    )
  const expectProblem = (response: ReturnType<typeof parseRaw>, status: number) => {
    expect(response.status).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json')
    const body = JSON.parse(response.body)
    expect(body).toMatchObject({ type: 'about:blank', status })
    expect(body.request_id).toBe(response.headers['x-request-id'])
    return body
  }

  const hostile: [name: string, head: string, status: number][] = [
    ['a missing Host', 'GET / HTTP/1.1', 400],
    ['two Hosts', 'GET / HTTP/1.1\nHost: a\nHost: b', 400],
    ['a Host with a path', 'GET / HTTP/1.1\nHost: a/b', 400],
    ['a Host with a space', 'GET / HTTP/1.1\nHost: a b', 400],
    [
      'two Authorization fields',
      'GET / HTTP/1.1\nHost: a\nAuthorization: x\nAuthorization: y',
      400,
    ],
    ['a target without a slash', 'GET v1 HTTP/1.1\nHost: a', 400],
    ['an asterisk for GET', 'GET * HTTP/1.1\nHost: a', 400],
    ['an absolute target of another scheme', 'GET ftp://a/v1 HTTP/1.1\nHost: a', 400],
    ['dot segments', 'GET /v1/../v1/things HTTP/1.1\nHost: a', 400],
    ['encoded dot segments', 'GET /v1/%2E%2e/things HTTP/1.1\nHost: a', 400],
    ['a query whose escapes are not UTF-8', 'GET /v1/things?q=%ff HTTP/1.1\nHost: a', 400],
    ['a method that HTTP does not define', 'BREW / HTTP/1.1\nHost: a', 400],
    ['a method that HTTP defines', 'PROPFIND /v1/things HTTP/1.1\nHost: a', 405],
    ['TRACE', 'TRACE /v1/things HTTP/1.1\nHost: a', 405],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\nHost: example.com:443', 405],
    ['an expectation that it cannot meet', 'GET / HTTP/1.1\nHost: a\nExpect: wonders', 417],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6', 400],
    ['another version of HTTP', 'GET / HTTP/4.0\nHost: a', 400],
    ['a header without a colon', 'GET / HTTP/1.1\nHost: a\nnonsense', 400],
    ['headers over the limit', `GET / HTTP/1.1\nHost: a\nX: ${'x'.repeat(20_000)}`, 431],
    ['a target over the limit', `GET /${'x'.repeat(20_000)} HTTP/1.1\nHost: a`, 431],
    ['two lengths', 'POST / HTTP/1.1\nHost: a\nContent-Length: 1\nContent-Length: 2', 400],
    ['a negative length', 'POST / HTTP/1.1\nHost: a\nContent-Length: -1', 400],
    [
      'two framings',
      'POST / HTTP/1.1\nHost: a\nContent-Length: 1\nTransfer-Encoding: chunked',
      400,
    ],
  ]
  it.each(hostile)('returns a problem for %s', async (_, head, status) => {
    expectProblem(await send(head), status)
    expect((await fetch(`${server.url}/_mock/health`)).status).toBe(200)
  })

  it('returns 400 for a body with broken chunks', async () => {
    const head =
      'POST /v1/things HTTP/1.1\nHost: a\nAuthorization: Bearer t\nContent-Type: text/plain\nTransfer-Encoding: chunked'
    expectProblem(await send(head, 'zz\r\nxx\r\n'), 400)
  })

  it('accepts an absolute target', async () => {
    const { status } = await send('GET http://example.com/_mock/health HTTP/1.1\nHost: example.com')
    expect(status).toBe(200)
  })

  it('accepts a request of HTTP/1.0 without a Host', async () => {
    expect((await send('GET /_mock/health HTTP/1.0')).status).toBe(200)
  })

  it('returns all methods for OPTIONS of the whole server', async () => {
    const { status, headers } = await send('OPTIONS * HTTP/1.1\nHost: a')
    expect(status).toBe(204)
    expect(headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, POST')
  })

  it('ignores an upgrade that it does not offer', async () => {
    const head = 'GET /_mock/health HTTP/1.1\nHost: a\nUpgrade: websocket\nConnection: Upgrade'
    const text = await raw(server.url, `${head.replaceAll('\n', '\r\n')}\r\n\r\n`, 1_000)
    expect(parseRaw(text).status).toBe(200)
  })

  it('responds in order to pipelined requests, of which the last is broken', async () => {
    const good = 'GET /_mock/health HTTP/1.1\r\nHost: a\r\n\r\n'
    const text = await raw(server.url, `${good}${good}nonsense\r\n\r\n`)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('requests the body only after it has checked the credentials', async () => {
    const sends = (authorization: string) =>
      new Promise<{ status: number | undefined; continued: boolean }>((resolve, reject) => {
        let continued = false
        const request = httpRequest(`${server.url}/v1/things`, {
          method: 'POST',
          headers: { authorization, expect: '100-continue', 'content-type': 'application/json' },
        })
        request.on('continue', () => {
          continued = true
          request.end('{"name":"x"}')
        })
        request.on('response', (response) => {
          response.resume()
          resolve({ status: response.statusCode, continued })
          request.destroy()
        })
        request.on('error', reject)
        request.flushHeaders()
      })
    expect(await sends('Bearer t')).toEqual({ status: 202, continued: true })
    expect(await sends('')).toEqual({ status: 401, continued: false })
  })

  it('survives clients that disconnect in the middle of a request', async () => {
    const { hostname, port } = new URL(server.url)
    const head =
      'POST /v1/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nabc'
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(head, () => socket.resetAndDestroy())
      })
      socket.on('close', () => resolve())
    })
    expect((await fetch(`${server.url}/_mock/health`)).status).toBe(200)
  })

  it('returns 408 for a request that does not arrive in time', async () => {
    const { handler } = server
    const times = {
      headersTimeout: 50,
      requestTimeout: 50,
      keepAliveTimeout: 1_000,
      connectionsCheckingInterval: 10,
    }
    const slow = await listen(handler, 0, '127.0.0.1', { times })
    const url = `http://127.0.0.1:${slow.port}`
    const head = 'POST /v1/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\n'
    const withoutEnd = await raw(url, head)
    expectProblem(parseRaw(withoutEnd), 408)
    const body = 'Content-Type: text/plain\r\nContent-Length: 9\r\n\r\nabc'
    expectProblem(parseRaw(await raw(url, head + body)), 408)
    await slow.close()
  })

  it('reports that a client is gone, even to a handler that registers afterwards', async () => {
    const { opened: reported, open: report } = gate()
    const { opened: arrived, open: arrive } = gate()
    const handler: Handler = async ({ onGone }) => {
      onGone?.(() => onGone(report))
      arrive()
      await reported
      return { status: 204, headers: {} }
    }
    const door = await listen(handler, 0, '127.0.0.1')
    const client = connect(door.port, '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await arrived
    client.destroy()
    await reported
    await door.close()
  })

  it('returns 503 for one connection too many, until another one is closed', async () => {
    const full = await listen(server.handler, 0, '127.0.0.1', { maxConnections: 1 })
    const first = connect(full.port, '127.0.0.1')
    await once(first, 'connect')
    const request = 'GET /_mock/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const url = `http://127.0.0.1:${full.port}`
    const { code } = expectProblem(parseRaw(await raw(url, request)), 503)
    expect(code).toBe('too_many_connections')
    first.destroy()
    await expect.poll(async () => parseRaw(await raw(url, request)).status).toBe(200)
    await full.close()
  })

  it('delivers the 413 to a client that keeps sending', async () => {
    const response = await fetch(`${server.url}/v1/things`, {
      method: 'POST',
      headers: { ...AUTH, 'content-type': 'text/plain' },
      body: Buffer.alloc(20 << 20, 'a'),
    })
    await problem(response, 413)
  })

  it('delivers the 413 for a body of unknown length', async () => {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent += 1
        if (sent > 14) controller.close()
        else controller.enqueue(Buffer.alloc(1 << 20, 'a'))
      },
    })
    const headers = { ...AUTH, 'content-type': 'text/plain' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    await problem(await fetch(`${server.url}/v1/things`, init), 413)
  })

  it('hangs up on a client that never stops sending after its response', async () => {
    const { hostname, port } = new URL(server.url)
    const sent = await new Promise<number>((resolve) => {
      const chunk = `100000\r\n${'a'.repeat(1 << 20)}\r\n`
      let count = 0
      const socket = connect(Number(port), hostname)
      const write = () => {
        count += 1
        if (count > 200) socket.destroy()
        else socket.write(chunk, (error) => error || write())
      }
      socket.on('error', () => {})
      socket.on('close', () => resolve(count))
      socket.resume()
      socket.write(
        'POST /v1/things HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
        write,
      )
    })
    expect(sent).toBeGreaterThan(30)
    expect(sent).toBeLessThan(100)
  })

  it('accepts a body of exactly the limit', async () => {
    const response = await fetch(`${server.url}/v1/things`, {
      method: 'POST',
      headers: { ...AUTH, 'content-type': 'text/plain' },
      body: Buffer.alloc(10 << 20, 'a'),
    })
    expect(response.status).toBe(202)
  })
})
