import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTLSServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { explain } from '../../src/core/failure.js'
import { APITimeoutError } from '../../src/index.js'
import { captureSleeps, createClient, listen, rejection } from './support.ts'

type Server = Awaited<ReturnType<typeof listen>>

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
  const post = (client: ReturnType<typeof createClient>) =>
    client.conversations.messages.create('conv_1', { text: 'Hi' })

  it('reports not_sent where the certificate is not trusted', async () => {
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

  it('reports not_sent where the server speaks no TLS', async () => {
    captureSleeps()
    const server = await start((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const client = createClient({ baseURL: server.url.replace('http:', 'https:'), maxRetries: 0 })
    expect(await rejection(post(client))).toMatchObject({ outcome: 'not_sent' })
  })

  it('retries a POST that found no connection in time, and ends with a timeout', async () => {
    const sleeps = captureSleeps()
    const cause = { code: 'UND_ERR_CONNECT_TIMEOUT', message: 'Connect Timeout Error' }
    const fetch = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause }))
    const error = await rejection(post(createClient({ fetch })))
    expect(error).toBeInstanceOf(APITimeoutError)
    expect(error).toMatchObject({ outcome: 'not_sent' })
    expect(sleeps).toHaveLength(2)
  })

  it('ends a fetch that ignores its signal', async () => {
    const client = createClient({ fetch: () => new Promise(() => {}), maxRetries: 0 })
    expect(await rejection(client.conversations.get('c1', { timeout: 20 }))).toBeInstanceOf(
      APITimeoutError,
    )
    const call = client.conversations.get('c1', { signal: AbortSignal.timeout(20) })
    expect(await rejection(call)).toMatchObject({ name: 'TimeoutError', attempts: 1 })
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
    await client.conversations.get('c1', { signal })
    expect(listeners).toBe(0)
  })

  it('raises a connection error for a fetch that returns no response', async () => {
    const client = createClient({ fetch: async () => JSON.parse('null'), maxRetries: 0 })
    expect(await rejection(client.conversations.get('c1'))).toMatchObject({ outcome: 'unknown' })
  })
})

describe('what a rejection of fetch means', () => {
  const failed = (cause: object) => Object.assign(new TypeError('fetch failed'), { cause })
  const REFUSED = 'Stream closed with error code NGHTTP2_REFUSED_STREAM'
  const GOAWAY = 'HTTP/2: "GOAWAY" frame received with code 0'

  it.each([
    ['Node.js: refused', failed({ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' })],
    ['Node.js: no address', failed({ code: 'ENOTFOUND', message: 'getaddrinfo' })],
    ['Node.js: name server', failed({ code: 'EAI_AGAIN', message: 'getaddrinfo' })],
    ['Node.js: expired', failed({ code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' })],
    ['Node.js: self-signed', failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'x' })],
    ['Node.js: issuer', failed({ code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', message: 'x' })],
    ['Node.js: leaf', failed({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', message: 'x' })],
    ['Node.js: other name', failed({ code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: 'x' })],
    ['Node.js: a port that fetch blocks', failed({ message: 'bad port' })],
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
  ])('reports not_sent (%s)', (_, error) => {
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
  ])('reports unknown (%s)', (_, error) => {
    expect(explain(error)).toMatchObject({ outcome: 'unknown', timedOut: false })
  })

  it.each([
    ['undici: no connection in time', { code: 'UND_ERR_CONNECT_TIMEOUT' }, 'not_sent', true],
    ['Node.js: no connection in time', { code: 'ETIMEDOUT', syscall: 'connect' }, 'not_sent', true],
    ['Node.js: to no address in time', { code: 'ETIMEDOUT', errors: [] }, 'not_sent', true],
    [
      'Node.js: reset while connecting',
      { code: 'ECONNRESET', syscall: 'connect' },
      'not_sent',
      false,
    ],
    ['HTTP/2: refused', { code: 'ERR_HTTP2_STREAM_ERROR', message: REFUSED }, 'not_sent', false],
    [
      'Deno: refused',
      { message: 'http2 error: stream error: refused stream before' },
      'not_sent',
      false,
    ],
    ['Node.js: no response in time', { code: 'ETIMEDOUT', syscall: 'read' }, 'unknown', true],
    ['undici: no headers in time', { code: 'UND_ERR_HEADERS_TIMEOUT' }, 'unknown', true],
    ['undici: no body in time', { code: 'UND_ERR_BODY_TIMEOUT' }, 'unknown', true],
    ['Node.js: lost', { code: 'EHOSTUNREACH', syscall: 'read' }, 'unknown', false],
    // It does not tell which streams were processed.
    ['undici: GOAWAY', { code: 'UND_ERR_SOCKET', message: GOAWAY }, 'unknown', false],
  ])('distinguishes phases (%s)', (_, cause, outcome, timedOut) => {
    expect(explain(failed({ message: 'x', ...cause }))).toMatchObject({ outcome, timedOut })
  })

  it('ends for an error that is its own cause', () => {
    const error = new Error('round')
    error.cause = error
    expect(explain(error)).toMatchObject({ reason: 'round' })
  })
})
