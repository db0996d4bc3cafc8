import { createServer, type Server, type Socket } from 'node:net'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { clock } from '../../src/core/clock.js'
import { type ClientOptions, SupportChat } from '../../src/index.js'

export const BASE_URL = 'http://api.test'
export const API_KEY = 'sk_test_1234567890'

/** A client that logs to no one but a logger of the test. */
export function createClient(options: ClientOptions = {}): SupportChat {
  const quiet = options.logger ? {} : { logLevel: 'off' as const }
  return new SupportChat({ apiKey: API_KEY, baseURL: BASE_URL, ...quiet, ...options })
}

/** Headers that fetch adds. */
const FETCH_OWN = new Set([
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'host',
  'sec-fetch-mode',
])

/** A request as it arrived. */
export interface Wire {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

/** A result of the server: a JSON body, a whole `Response`, or a network error. */
export type Canned = Response | 'network error' | Record<string, unknown>

/** A server in memory that records every request and returns its responses in turn, the last for ever. */
export function useServer(): { requests: Wire[]; respond: (...responses: Canned[]) => void } {
  const requests: Wire[] = []
  let canned: Canned[] = []
  const server = setupServer(
    http.all(`${BASE_URL}/*`, async ({ request }) => {
      requests.push({
        method: request.method,
        url: request.url,
        headers: Object.fromEntries([...request.headers].filter(([name]) => !FETCH_OWN.has(name))),
        body: await request.text(),
      })
      const response = canned.length > 1 ? canned.shift() : canned[0]
      if (response === undefined) throw new Error('the test has no response')
      if (response === 'network error') return HttpResponse.error()
      return response instanceof Response ? response.clone() : HttpResponse.json(response)
    }),
  )
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  afterAll(() => server.close())
  afterEach(() => {
    requests.length = 0
    canned = []
  })
  return {
    requests,
    respond: (...given) => {
      canned = given
    },
  }
}

/** Ends sleeps at once and records their durations. */
export function captureSleeps(random = 1): number[] {
  const sleeps: number[] = []
  vi.spyOn(clock, 'random').mockReturnValue(random)
  vi.spyOn(clock, 'sleep').mockImplementation(async (ms) => {
    sleeps.push(ms)
  })
  return sleeps
}

/** A problem as the contract describes it. */
export function problem(status: number, headers: Record<string, string> = {}): Response {
  return HttpResponse.json(
    { type: 'about:blank', title: 'Title', status, detail: 'What is wrong.', code: 'some_code' },
    { status, headers: { 'x-request-id': 'req_1', ...headers } },
  )
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('the promise did not reject')
}

/** A real server that calls the test for every request, with its connection. */
export async function listen(
  onRequest: (socket: Socket, count: number) => void,
): Promise<{ url: string; count: () => number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  let count = 0
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', () => {
      count += 1
      onRequest(socket, count)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
