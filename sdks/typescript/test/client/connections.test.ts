import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTLSServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { explain } from '../../src/core/failure.js'
import { APIConnectionError, APIError, APITimeoutError } from '../../src/index.js'
import { captureSleeps, createClient, listen, rejection } from './support.ts'

type Server = Awaited<ReturnType<typeof listen>>

const head = (length: number, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

describe('connections', () => {
  const servers: Server[] = []
  const start = async (...args: Parameters<typeof listen>) => {
    const server = await listen(...args)
    servers.push(server)
    return server
  }
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })
  const clientOf = ({ url }: { url: string }, options = {}) =>
    createClient({ baseURL: url, ...options })
  const post = (client: ReturnType<typeof createClient>) =>
    client.conversations.messages.create('conv_1', { text: 'Hi' })

  it('knows that nothing was sent where the connection is refused, and repeats a POST', async () => {
    const sleeps = captureSleeps()
    const server = await listen(() => {})
    await server.close()
    const error = await rejection(post(clientOf(server)))
    expect(error).toBeInstanceOf(APIConnectionError)
    expect(error).toMatchObject({ outcome: 'not_sent', cause: expect.any(Error) })
    expect(String(error)).toMatch(
      /^APIConnectionError: .*ECONNREFUSED.* \(POST \/v1\/conversations\/conv_1\/messages\)$/,
    )
    expect(sleeps).toEqual([500, 1000])
  })

  // The machine's resolver may take its time.
  it('knows that nothing was sent where the host has no address', { timeout: 60_000 }, async () => {
    captureSleeps()
    const client = createClient({ baseURL: 'http://no-such-host.invalid', timeout: 60_000 })
    expect(await rejection(client.analytics.get())).toMatchObject({ outcome: 'not_sent' })
  })

  it('knows that nothing was sent where the certificate is not trusted', async () => {
    captureSleeps()
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-subj',
        '/CN=localhost',
        '-days',
        '1',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    )
    let requests = 0
    const server = createTLSServer(
      { key: readFileSync(key), cert: readFileSync(cert) },
      (socket) => {
        socket.on('error', () => {})
        socket.on('data', () => requests++)
      },
    )
    server.on('tlsClientError', () => {})
    rmSync(folder, { recursive: true })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address() as { port: number }
    try {
      const client = createClient({ baseURL: `https://127.0.0.1:${address.port}` })
      expect(await rejection(post(client))).toMatchObject({ outcome: 'not_sent' })
      expect(requests).toBe(0)
    } finally {
      server.close()
    }
  })

  it('knows that nothing was sent where the server speaks no TLS', async () => {
    captureSleeps()
    const server = await start((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const client = createClient({ baseURL: server.url.replace('http:', 'https:'), maxRetries: 0 })
    expect(await rejection(post(client))).toMatchObject({ outcome: 'not_sent' })
  })

  it('does not repeat a POST whose connection breaks before the answer', async () => {
    captureSleeps()
    const server = await start((socket) => socket.destroy())
    const error = await rejection(post(clientOf(server)))
    expect(error).toBeInstanceOf(APIConnectionError)
    expect(error).toMatchObject({ outcome: 'unknown' })
    expect(server.count()).toBe(1)
  })

  it('repeats a GET whose connection breaks, before the answer or inside it', async () => {
    captureSleeps()
    const server = await start((socket, count) => {
      if (count === 1) socket.resetAndDestroy()
      else if (count === 2) socket.end(`${head(99)}{"conversation`)
      else socket.end(`${head(11)}{"ok":true}`)
    })
    expect(await clientOf(server).analytics.get()).toEqual({ ok: true })
    expect(server.count()).toBe(3)
  })

  it.each([
    ['its declared length', `${head(99)}{"id":"conv_1"}`],
    ['its last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"id"\r\n'],
  ])('raises APIConnectionError for a success that ends before %s', async (_, bytes) => {
    const server = await start((socket) => socket.end(bytes))
    const error = await rejection(clientOf(server, { maxRetries: 0 }).analytics.get())
    expect((error as Error).constructor).toBe(APIConnectionError)
    expect(error).toMatchObject({ outcome: 'unknown' })
  })

  it('keeps the status of a failure whose body ends early', async () => {
    const server = await start((socket) => socket.end(`${head(99, '404 Not Found')}{"detail`))
    const error = await rejection(clientOf(server).analytics.get())
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ status: 404, outcome: 'rejected' })
  })

  it.each([
    ['a server that never answers', ''],
    ['a body that never ends', `${head(99)}{"id"`],
    ['a failure whose body never ends', `${head(99, '404 Not Found')}{"id"`],
  ])('gives up on %s', async (_, bytes) => {
    const server = await start((socket) => socket.write(bytes))
    const error = await rejection(post(clientOf(server, { timeout: 400 })))
    expect(error).toBeInstanceOf(APITimeoutError)
    expect(error).toBeInstanceOf(APIConnectionError)
    expect(error).toMatchObject({
      outcome: 'unknown',
      message: 'no response within 400 ms (POST /v1/conversations/conv_1/messages)',
    })
    expect(server.count()).toBe(1)
  })

  it('repeats a GET that timed out, each attempt with the whole time', async () => {
    captureSleeps()
    const server = await start((socket, count) => {
      if (count === 3) socket.end(`${head(11)}{"ok":true}`)
    })
    expect(await clientOf(server).analytics.get({ timeout: 400 })).toEqual({ ok: true })
    expect(server.count()).toBe(3)
  })

  it('gives up on a fetch that heeds no signal', async () => {
    const client = createClient({ fetch: () => new Promise(() => {}), maxRetries: 0 })
    expect(await rejection(client.analytics.get({ timeout: 20 }))).toBeInstanceOf(APITimeoutError)
    const call = client.analytics.get({ signal: AbortSignal.timeout(20) })
    expect(await rejection(call)).toMatchObject({ name: 'TimeoutError' })
  })

  it('rejects with the platform’s own abort, before, while and after the answer begins', async () => {
    const controller = new AbortController()
    const reason = { any: 'value' }
    const server = await start((socket) => {
      socket.write(`${head(99)}{"id"`)
      setTimeout(() => controller.abort(reason), 20)
    })
    const client = clientOf(server)
    const before = await rejection(client.analytics.get({ signal: AbortSignal.abort() }))
    expect(before).toBeInstanceOf(DOMException)
    expect(before).toMatchObject({ name: 'AbortError' })
    expect(server.count()).toBe(0)

    const call = client.analytics.get({ signal: controller.signal })
    expect(await rejection(call)).toBe(reason)
    expect(server.count()).toBe(1)
  })

  it('leaves no listener on a signal that outlives the call', async () => {
    let listeners = 0
    const { signal } = new AbortController()
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...args)
    }
    const client = createClient({ fetch: async () => Response.json({}) })
    await client.analytics.get({ signal })
    expect(listeners).toBe(0)
  })

  it('raises a connection error for a fetch that answers with nothing usable', async () => {
    const client = createClient({ fetch: async () => JSON.parse('null'), maxRetries: 0 })
    expect(await rejection(client.analytics.get())).toMatchObject({ outcome: 'unknown' })
  })
})

describe('what a rejection of fetch means', () => {
  const failed = (cause: object) => Object.assign(new TypeError('fetch failed'), { cause })

  it.each([
    ['Node.js: refused', failed({ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' })],
    ['Node.js: no address', failed({ code: 'ENOTFOUND', message: 'getaddrinfo' })],
    ['Node.js: name server', failed({ code: 'EAI_AGAIN', message: 'getaddrinfo' })],
    ['Node.js: expired', failed({ code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' })],
    ['Node.js: self-signed', failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'x' })],
    ['Node.js: issuer', failed({ code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', message: 'x' })],
    ['Node.js: leaf', failed({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', message: 'x' })],
    ['Node.js: other name', failed({ code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: 'x' })],
    ['Node.js: no TLS', failed({ code: 'ERR_SSL_WRONG_VERSION_NUMBER', message: 'x' })],
    [
      'Node.js: cut in the handshake',
      failed({
        message: 'Client network socket disconnected before secure TLS connection was established',
      }),
    ],
    ['Bun: refused', Object.assign(new Error('Unable to connect.'), { code: 'ConnectionRefused' })],
    ['Bun: no socket', Object.assign(new Error('x'), { code: 'FailedToOpenSocket' })],
    [
      'Deno: refused',
      new TypeError(
        'error sending request for url (http://a/): client error (Connect): tcp connect error',
      ),
    ],
  ])('knows that nothing was sent (%s)', (_, error) => {
    expect(explain(error)).toMatchObject({ outcome: 'not_sent', timedOut: false })
  })

  it.each([
    ['Node.js: reset', failed({ code: 'ECONNRESET', message: 'read ECONNRESET' })],
    ['Node.js: closed', failed({ code: 'UND_ERR_SOCKET', message: 'other side closed' })],
    [
      'Node.js: a client certificate asked for late',
      failed({ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', message: 'x' }),
    ],
    ['Bun: reset', Object.assign(new Error('x'), { code: 'ECONNRESET' })],
    ['workerd', new Error('Network connection lost.')],
    ['a browser', new TypeError('Failed to fetch')],
    ['a string', 'broken'],
    ['nothing', undefined],
  ])('does not claim to know (%s)', (_, error) => {
    expect(explain(error)).toMatchObject({ outcome: 'unknown', timedOut: false })
  })

  it.each([
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
    'ETIMEDOUT',
  ])('takes %s for a time-out, whose outcome is unknown in connecting too', (code) => {
    expect(explain(failed({ code, message: 'x' }))).toMatchObject({
      outcome: 'unknown',
      timedOut: true,
    })
  })

  it('ends for an error that is its own cause', () => {
    const error = new Error('round')
    error.cause = error
    expect(explain(error)).toMatchObject({ reason: 'round' })
  })
})
