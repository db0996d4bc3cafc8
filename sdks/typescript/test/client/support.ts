import { createServer, type Server, type Socket } from 'node:net'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { clock } from '../../src/core/clock.js'
import { type ClientOptions, SupportChat } from '../../src/index.js'

export const BASE_URL = 'http://api.test'
export const API_KEY = 'sk_test_1234567890'

export function createClient(options: ClientOptions = {}): SupportChat {
  return new SupportChat({ apiKey: API_KEY, baseURL: BASE_URL, ...options })
}

/** Headers that fetch adds by itself. */
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

/** What the server answers with: a JSON body, a whole `Response`, or a network error. */
export type Answer = Response | 'network error' | Record<string, unknown>

/** A server in memory that notes every request and gives its answers in turn, the last for ever. */
export function useServer(): { requests: Wire[]; answer: (...answers: Answer[]) => void } {
  const requests: Wire[] = []
  let answers: Answer[] = []
  const server = setupServer(
    http.all(`${BASE_URL}/*`, async ({ request }) => {
      requests.push({
        method: request.method,
        url: request.url,
        headers: Object.fromEntries([...request.headers].filter(([name]) => !FETCH_OWN.has(name))),
        body: await request.text(),
      })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer === undefined) throw new Error('the test gives no answer')
      if (answer === 'network error') return HttpResponse.error()
      return answer instanceof Response ? answer.clone() : HttpResponse.json(answer)
    }),
  )
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  afterAll(() => server.close())
  afterEach(() => {
    requests.length = 0
    answers = []
  })
  return {
    requests,
    answer: (...given) => {
      answers = given
    },
  }
}

/** Lets sleeps end at once and notes how long they would have been. */
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

/** A real server that does to a connection whatever the test wants, once a request arrived. */
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
