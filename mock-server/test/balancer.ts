/** Sends each request to the next of several servers, as a balancer without sticky sessions does. */
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  url: string
  close: () => Promise<void>
}

export async function balancer(urls: readonly string[]): Promise<Balancer> {
  let turn = 0
  const server = createServer((request, response) => {
    const { hostname, port } = new URL(urls[turn++ % urls.length] ?? '')
    const { method = '', url = '' } = request
    const headers = [...request.rawHeaders]
    const forwarded = httpRequest({ hostname, port, method, path: url, headers, agent: false })
    forwarded.on('response', (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders)
      incoming.pipe(response)
      incoming.on('error', () => response.destroy())
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
