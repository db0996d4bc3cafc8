import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** An address in front of a database, so that it can go away and come back. */
export interface Door {
  /** The URL of the database, with this address. */
  url: string
  /** Refuses connections, and ends those that there are. */
  shut(): Promise<void>
  open(): Promise<void>
}

export async function openDoor(database: string): Promise<Door> {
  const { hostname, port } = new URL(database)
  const sockets = new Set<Socket>()
  let server: Server
  let own = 0
  const open = async () => {
    server = createServer((socket) => {
      const behind = connect(Number(port), hostname)
      for (const [one, other] of [
        [socket, behind],
        [behind, socket],
      ] as const) {
        sockets.add(one)
        one.on('error', () => {})
        one.on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    }).listen(own, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address === 'object' && address) own = address.port
  }
  const shut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await open()
  const url = new URL(database)
  url.port = `${own}`
  return { url: url.href, shut, open }
}
