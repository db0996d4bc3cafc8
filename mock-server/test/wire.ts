/** A wire to a server that can be cut: nothing arrives any more, and nobody is told. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export class Wire {
  #target: URL
  readonly #sockets = new Set<Socket>()
  #isCut = false
  readonly #server = createServer((client) => {
    const { hostname, port } = this.#target
    const server = connect(Number(port), hostname)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      if (this.#isCut) from.pause()
      from.on('data', (bytes) => void to.write(bytes))
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      from.on('error', () => {})
    }
  })

  constructor(target: string) {
    this.#target = new URL(target)
  }

  /** @returns the URL of the target as it is reached through the wire. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.pause()
  }

  mend(): void {
    this.#isCut = false
    for (const socket of this.#sockets) socket.resume()
  }

  /** Leads to another server from now on. Ends what leads to this one. */
  redirect(target: string): void {
    this.#target = new URL(target)
    for (const socket of this.#sockets) socket.destroy()
  }

  stop(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
