/** A server that sends the responses of a case and records the requests. */
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Exchange, isEcho, type ScriptedResponse } from './case.ts'
import { type Value, writeJson } from './json.ts'

export interface Arrived {
  line: string
  /** By lower-case name; values of one name joined by a comma. */
  headers: Readonly<Record<string, string>>
  body: string
}

export interface ScriptedServer {
  url: string
  /**
   * Returns an address whose GET ends once `count` requests have arrived and the server has sent
   * its responses to all requests so far. Such a GET does not count as a request.
   */
  settled(count: number): string
  /** An address whose GET ends after a moment. It does not count as a request either. */
  soon: string
  arrived: readonly Arrived[]
  close(): Promise<void>
}

const SETTLED = '/-/settled/'
const SOON = '/-/soon'

/** Long enough to begin a connection. Nothing depends on it: a connection that hangs never ends. */
const MOMENT = 400

const NOT_SCRIPTED: ScriptedResponse = {
  status: 599,
  text: 'The case has no response to this request.',
}

export async function serve(exchanges: readonly Exchange[]): Promise<ScriptedServer> {
  const arrived: Arrived[] = []
  const echoes = exchanges.length > 0 && exchanges.every(isEcho)
  const sockets = new Set<Socket>()
  const responses: Promise<void>[] = []
  const progress = new EventEmitter()

  async function settled(count: number): Promise<void> {
    while (responses.length < count) await once(progress, 'response')
    await Promise.all(responses)
  }

  const server = createServer({ keepAlive: true }, async (request, response) => {
    const { method, url = '' } = request
    if (url.startsWith(SETTLED)) {
      await settled(Number(url.slice(SETTLED.length)))
      response.end()
      return
    }
    if (url === SOON) {
      await pause(MOMENT)
      response.end()
      return
    }
    const body = await buffer(request).catch(() => null)
    if (body === null) return
    const index = arrived.push({
      line: `${method} ${url}`,
      headers: headersOf(request),
      body: body.toString('utf8'),
    })
    const number = echoes ? (index - 1) % exchanges.length : index - 1
    const scripted = exchanges[number]?.response ?? NOT_SCRIPTED
    responses.push(respond(request, scripted === 'echo' ? { echo: true } : scripted))
    progress.emit('response')
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('clientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    settled: (count) => `${url}${SETTLED}${count}`,
    soon: `${url}${SOON}`,
    arrived,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/**
 * Writes the response by hand: no HTTP library would send most of these. Resolves when the response
 * is sent, as far as it goes, and the connection is in its final state.
 */
async function respond(request: IncomingMessage, scripted: ScriptedResponse | 'reset' | 'hang') {
  const { socket } = request
  if (scripted === 'hang') return
  if (scripted === 'reset') {
    socket.resetAndDestroy()
    return closed(socket)
  }
  if (scripted.delay) await pause(scripted.delay * 1000)
  const { head, body } = render(scripted.echo ? { ...scripted, json: echo(request) } : scripted)
  await written(socket, head.replaceAll('{url}', `http://${request.headers.host}`))
  const sent = scripted.cut === undefined ? body : body.subarray(0, scripted.cut)
  if (scripted.drip === undefined) await written(socket, sent)
  else {
    for (const byte of sent) {
      if (socket.destroyed) return
      await written(socket, Buffer.of(byte))
      await pause(scripted.drip * 1000)
    }
  }
  const { then = 'keep' } = scripted
  if (then === 'keep') return
  if (then === 'close') socket.destroySoon()
  else socket.resetAndDestroy()
  await closed(socket)
}

/** Resolves when the system has taken over the bytes, or when the connection has ended. */
function written(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => resolve()))
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.once('close', () => resolve())
  })
}

function render(scripted: ScriptedResponse): { head: string; body: Buffer } {
  if (scripted.raw !== undefined) return { head: scripted.raw, body: Buffer.alloc(0) }
  const { status = 200, json, text, base64, repeat = 1, headers = {} } = scripted
  const isJson = json !== undefined
  const one = isJson ? writeJson(json) : (text ?? base64 ?? '')
  const body = Buffer.concat(Array(repeat).fill(Buffer.from(one, base64 ? 'base64' : 'utf8')))
  const type = isJson
    ? status < 400
      ? 'application/json'
      : 'application/problem+json'
    : 'text/plain'
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => [name.toLowerCase(), one] as const),
  )
  const named = new Set(given.map(([name]) => name))
  const length =
    status === 204 || status === 304
      ? []
      : [['content-length', `${scripted.length ?? body.length}`]]
  const standard = [['content-type', type], ...length].filter(([name = '']) => !named.has(name))
  const lines = [...standard, ...given].map(([name, value]) => `${name}: ${value}\r\n`)
  return { head: `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`, body }
}

/** Names the request in its response. */
function echo({ url = '' }: IncomingMessage): Value {
  const id = decodeURIComponent(url.split('/').at(-1) ?? '')
  return { id, kind: 'plain' }
}

function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  )
}
