/** A server that says to each request what a case tells it to, and keeps what arrived. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Exchange, isEcho } from './case.ts'
import { type Value, writeJson } from './json.ts'

export interface Arrived {
  line: string
  /** By lower-case name; values of one name joined by a comma. */
  headers: Readonly<Record<string, string>>
  body: string
}

export interface ScriptedServer {
  url: string
  arrived: readonly Arrived[]
  close(): Promise<void>
}

const NOT_SCRIPTED: Answer = { status: 599, text: 'The case has no answer to this request.' }

export async function serve(exchanges: readonly Exchange[]): Promise<ScriptedServer> {
  const arrived: Arrived[] = []
  const echoes = exchanges.length > 0 && exchanges.every(isEcho)
  const sockets = new Set<Socket>()

  const server = createServer({ keepAlive: true }, async (request) => {
    const { method, url } = request
    const body = await buffer(request).catch(() => null)
    if (body === null) return
    const index = arrived.push({
      line: `${method} ${url}`,
      headers: headersOf(request),
      body: body.toString('utf8'),
    })
    const number = echoes ? (index - 1) % exchanges.length : index - 1
    const answer = exchanges[number]?.answer ?? NOT_SCRIPTED
    await respond(request, answer === 'echo' ? { echo: true } : answer)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('clientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Writes the answer by hand: most of what is tried here no HTTP library would send. */
async function respond(request: IncomingMessage, answer: Answer | 'reset' | 'hang') {
  const { socket } = request
  if (answer === 'hang') return
  if (answer === 'reset') {
    socket.resetAndDestroy()
    return
  }
  if (answer.delay) await pause(answer.delay * 1000)
  const { head, body } = render(answer.echo ? { ...answer, json: echo(request) } : answer)
  socket.write(head.replaceAll('{url}', `http://${request.headers.host}`))
  const sent = answer.cut === undefined ? body : body.subarray(0, answer.cut)
  if (answer.drip === undefined) socket.write(sent)
  else {
    for (const byte of sent) {
      if (socket.destroyed) return
      socket.write(Buffer.of(byte))
      await pause(answer.drip * 1000)
    }
  }
  // What was written goes out first.
  const then = answer.then ?? 'keep'
  if (then === 'close') socket.destroySoon()
  if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 30)
}

function render(answer: Answer): { head: string; body: Buffer } {
  if (answer.raw !== undefined) return { head: answer.raw, body: Buffer.alloc(0) }
  const { status = 200, json, text, base64, repeat = 1, headers = {} } = answer
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
    status === 204 || status === 304 ? [] : [['content-length', `${answer.length ?? body.length}`]]
  const standard = [['content-type', type], ...length].filter(([name = '']) => !named.has(name))
  const lines = [...standard, ...given].map(([name, value]) => `${name}: ${value}\r\n`)
  return { head: `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`, body }
}

/** Tells whose answer it is. */
function echo({ url = '' }: IncomingMessage): Value {
  const id = decodeURIComponent(url.split('/').at(-1) ?? '')
  return { id, kind: 'plain' }
}

function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  )
}
