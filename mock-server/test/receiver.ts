import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** Of the connection that it came on; alike for those that came on the same one. */
  port: number
}

export interface Receiver {
  url: string
  received: Received[]
  /** How many requests wait for their answer. */
  running: () => number
  /** Returns when so many were received. */
  until: (count: number) => Promise<void>
  close: () => Promise<void>
}

/** What answers a request; without a call of `end` nothing does. */
export type Answering = (response: ServerResponse, request: Received, socket: Socket) => void

/** A receiver of webhooks on a free port. */
export async function receiver(
  answer: Answering = (response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Map<() => void, number>()
  let running = 0
  const server = createServer(async (request, response) => {
    const { url: path = '', headers, socket } = request
    let body = ''
    for await (const chunk of request) body += chunk
    running++
    response.on('close', () => running--)
    response.on('error', () => {})
    const one = { path, headers, body, port: socket.remotePort ?? 0 }
    received.push(one)
    answer(response, one, socket)
    for (const [resolve, count] of waiting) if (received.length >= count) resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    running: () => running,
    until: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve()
        else waiting.set(resolve, count)
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** An answer with a status and a body. */
export const answering =
  (status: number, body = '', headers: Record<string, string> = {}): Answering =>
  (response) =>
    void response.writeHead(status, headers).end(body)
