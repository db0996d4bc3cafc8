/** MCP over HTTP, for programs on this machine. Each request stands alone, so there are no sessions to bound. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { guard } from '../control/guard.ts'
import { collect } from '../door/body.ts'
import { type Listener, listen } from '../door/listener.ts'
import type { HttpRequest, HttpResponse } from '../door/message.ts'
import { Problem, problemResponse } from '../door/problem.ts'
import { newRequestId } from '../door/request-id.ts'

const HOST = '127.0.0.1'
const PATH = '/mcp'
const MOST_BYTES = 4 * 1024 * 1024

/** Serves at `/mcp`. @throws What node:net reports, for example EADDRINUSE. */
export async function serveHttp(
  make: () => Server,
  port: number,
): Promise<Listener & { url: string }> {
  const listener = await listen((request) => respond(request, make), port, HOST)
  return { ...listener, url: `http://${HOST}:${listener.port}${PATH}` }
}

async function respond(request: HttpRequest, make: () => Server): Promise<HttpResponse> {
  try {
    guard(request, { host: HOST, token: null })
    if (request.target.split('?')[0] !== PATH)
      throw new Problem(404, 'not_found', `The path is ${PATH}.`)
    if (request.method !== 'POST') {
      const detail = 'There are no sessions and no streams. Send each message as a POST.'
      throw new Problem(405, 'method_not_allowed', detail, { headers: { allow: 'POST' } })
    }
    return await handled(request, make())
  } catch (error) {
    if (error instanceof Problem) return problemResponse(error, newRequestId())
    throw error
  }
}

async function handled(request: HttpRequest, server: Server): Promise<HttpResponse> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const response = await transport.handleRequest(
      new Request(new URL(PATH, `http://${HOST}`), {
        method: 'POST',
        headers: Object.entries(request.headers).flatMap(
          ([name, value]): Array<[string, string]> => (value === undefined ? [] : [[name, value]]),
        ),
        body: new Uint8Array(await collect(request, MOST_BYTES)),
      }),
    )
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  } finally {
    await server.close()
  }
}
