// A server that costs next to nothing: it reads only the start of a request and responds from
// memory, so that what is measured is the client. Keeps connections open, as real ones do.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

const id = 'conv_01J2Z8M3VN'
const summary = {
  id,
  status: 'handed_off',
  created_at: '2026-03-02T09:14:07Z',
  updated_at: '2026-03-02T09:21:48Z',
}
const message = {
  id: 'msg_01J2Z95D2F',
  conversation_id: id,
  author: { type: 'agent', name: 'Mina' },
  text: 'The carrier left it with your neighbour at number 12.',
  created_at: '2026-03-02T09:23:50Z',
}
const conversation = {
  ...summary,
  transcript: [message],
  handoff: { reason: 'The visitor asked for a human.', requested_at: summary.updated_at },
}
const page = { data: Array(100).fill(summary), next_cursor: null, has_more: false }

/** By how a request begins. */
const responses: Array<[begin: string, response: Buffer]> = [
  [`GET /v1/conversations/${id} `, responseOf(200, 'OK', conversation)],
  ['GET /v1/conversations ', responseOf(200, 'OK', page)],
  [`POST /v1/conversations/${id}/messages `, responseOf(201, 'Created', message)],
]

function responseOf(status: number, phrase: string, body: object): Buffer {
  const content = Buffer.from(JSON.stringify(body))
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'content-type: application/json',
    `content-length: ${content.length}`,
    'x-request-id: req_bench',
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content])
}

/** Responds to the requests of a connection in order. */
function serve(socket: Socket): void {
  let received = ''
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: string) => {
    received += chunk
    const head = received.indexOf('\r\n\r\n')
    if (head === -1) return
    const length = /\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0
    if (received.length < head + 4 + Number(length)) return
    const [, found] = responses.find(([begin]) => received.startsWith(begin)) ?? []
    received = ''
    if (found) socket.write(found)
    else socket.destroy(new Error('a request that was not expected'))
  })
}

/** @returns the server and its base URL */
export async function loopback(): Promise<{ server: Server; baseURL: string }> {
  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, baseURL: `http://127.0.0.1:${port}` }
}
