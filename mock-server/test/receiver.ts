import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The client's port, which identifies the connection. */
  port: number
}

export interface Receiver {
  url: string
  received: Received[]
  /** How many requests wait for their response. */
  running: () => number
  /** Returns when that many were received. */
  until: (count: number) => Promise<void>
  close: () => Promise<void>
}

/** Responds to a request. Without a call of `end`, no response is sent. */
export type Responder = (response: ServerResponse, request: Received, socket: Socket) => void

/** A receiver of webhooks on a free port. */
export async function receiver(
  respond: Responder = (response) => void response.writeHead(204).end(),
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
    respond(response, one, socket)
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

/** A responder that sends a status and a body. */
export const responding =
  (status: number, body = '', headers: Record<string, string> = {}): Responder =>
  (response) =>
    void response.writeHead(status, headers).end(body)
