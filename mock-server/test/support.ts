import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Log } from '../src/door/log.ts'
import { type Server, startServer } from '../src/server.ts'

/** A contract with everything that Prism handles wrongly. Its paths begin with `/v1/things`. */
export const TRAPS = fileURLToPath(new URL('fixtures/traps.yaml', import.meta.url))

export const AUTH = { authorization: 'Bearer sk_test_demo' }
export const SILENT: Log = { error() {}, warn() {}, info() {} }

/** A server that responds from the contract alone. */
export function start(contract?: string, log = SILENT): Promise<Server> {
  return startServer({ port: 0, host: '127.0.0.1', contract, sandbox: null, log })
}

/**
 * Sends raw bytes and returns everything that arrives until the server closes the connection.
 *
 * @param quiet Milliseconds without a byte after which the response counts as complete, if the connection stays open.
 */
export function raw(url: string, bytes: string | Buffer, quiet = 60_000): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    const done = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(quiet, done)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('close', done)
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done() : reject(error),
    )
    socket.write(bytes)
  })
}

/** Parses a raw response. */
export function parseRaw(text: string) {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [name = '', ...value] = field.split(':')
      return [name.toLowerCase(), value.join(':').trim()]
    }),
  )
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}

/** Expects a response to be a complete problem, and returns it. */
export async function problem(response: Response, status: number) {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = await response.json()
  expect(body).toMatchObject({ type: 'about:blank', status })
  expect(body.request_id).toBe(response.headers.get('x-request-id'))
  for (const member of ['title', 'detail', 'code']) expect(body[member]).toMatch(/\w/)
  return body
}
