// The service of a contract: Prism validates each request and returns the contract's example.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { createLogger } from '@stoplight/prism-core'
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import type { Rule } from './witness.ts'

export interface Service {
  url: string
  /** The requests since it was last asked, in order. */
  takeRequests(): ReceivedRequest[]
  close(): void
}

/** What a program made the service receive. */
export interface ReceivedRequest {
  method: string
  /** Path and query. */
  target: string
  body: unknown
}

const CONFIG = {
  mock: { dynamic: false as const },
  checkSecurity: true,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  isProxy: false as const,
  upstreamProxy: undefined,
}

type Prism = ReturnType<typeof createInstance>
type PrismRequest = Parameters<Prism['request']>[0]
type Send = (request: PrismRequest) => ReturnType<ReturnType<Prism['request']>>

/** A rule for the requests whose path has a part. */
export interface PathRule extends Rule {
  part: string
}

function applies(rule: PathRule, { url, headers = {} }: PrismRequest): boolean {
  const { part, query = {}, header } = rule
  if (!url.path.split('/').includes(part)) return false
  if (header !== undefined) return headers[header] !== undefined
  return Object.entries(query).every(([name, value]) => isDeepStrictEqual(url.query?.[name], value))
}

/** Reads a document. Resolves to a function that serves it on a free port. */
export async function load(
  file: string,
  rules: readonly PathRule[],
): Promise<() => Promise<Service>> {
  const operations = await getHttpOperationsFromSpec(file)
  const prism = createInstance(CONFIG, { logger: createLogger('service', { level: 'silent' }) })
  const request = (input: PrismRequest) => {
    const exampleKey = rules.find((rule) => applies(rule, input))?.example
    const mock = { ...CONFIG.mock, ...(exampleKey && { exampleKey }) }
    return prism.request(input, operations, { ...CONFIG, mock })()
  }
  return () => serve(request)
}

async function serve(send: Send): Promise<Service> {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { method = '', url = '/' } = request
    received.push({ method, target: url, body: body === '' ? null : parsed(body) })
    const exchange = await respond(send, request, body)
    response.writeHead(exchange.status, exchange.headers).end(exchange.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const takeRequests = () => received.splice(0)
  return { url: urlOf(server), takeRequests, close: () => server.close() }
}

interface Exchange {
  status: number
  headers: Record<string, string>
  body?: string
}

async function respond(send: Send, request: IncomingMessage, body: string): Promise<Exchange> {
  const url = new URL(request.url ?? '/', 'http://service')
  const input = {
    method: request.method?.toLowerCase(),
    url: { path: url.pathname, query: queryOf(url.searchParams) },
    headers: request.headers,
    body: body === '' ? undefined : parsed(body),
  } as PrismRequest
  const result = await send(input)
  if (result._tag === 'Left') {
    const { status = 500, ...problem } = result.left as { status?: number }
    const headers = { 'content-type': 'application/problem+json' }
    return { status, headers, body: JSON.stringify({ ...problem, status }) }
  }
  const { statusCode, headers = {}, body: data } = result.right.output
  const content =
    data === undefined ? {} : { body: typeof data === 'string' ? data : JSON.stringify(data) }
  return { status: statusCode, headers: headers as Record<string, string>, ...content }
}

function queryOf(params: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name)
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
