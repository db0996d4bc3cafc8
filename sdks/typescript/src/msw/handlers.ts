import { type HttpHandler, http } from 'msw'
import { parseExact } from '../core/json.js'
import { mocks } from '../generated/mocks.js'
import { BaseError } from '../generated/names.js'
import { answer } from './answer.js'
import { Memory } from './memory.js'
import type { Mock } from './mock.js'

/** A request that a handler got. */
export interface MockedCall<Params extends string = string, Body = unknown> {
  request: Request
  /** The parameters of the path, decoded. */
  params: Record<Params, string>
  /** Reads the JSON of the request. Undefined where there is none. */
  json(): Promise<Body>
}

/** The data of a success, or a whole response. */
export type MockedResult<Data> = Data | Response

/** The result of a handler, or a function that makes it for each request. */
export type MockedAnswer<Data, Params extends string = string, Body = unknown> =
  | MockedResult<Data>
  | ((call: MockedCall<Params, Body>) => MockedResult<Data> | Promise<MockedResult<Data>>)

/** The options of a handler. */
export interface HandlerOptions {
  /**
   * The base URL of the client.
   *
   * @default any origin
   */
  baseURL?: string | undefined
  /**
   * Whether it handles the first request alone.
   *
   * @default false
   */
  once?: boolean | undefined
}

/** Makes a handler of one operation, for `server.use()`. */
export type MockedOperation<Data, Params extends string = string, Body = unknown> = (
  answer: MockedAnswer<Data, Params, Body>,
  options?: HandlerOptions,
) => HttpHandler

/** The options of `createHandlers`. */
export interface CreateHandlersOptions {
  /**
   * The base URL of the client. With it, paths that the contract does not have are 404.
   *
   * @default any origin
   */
  baseURL?: string | undefined
}

/** Handlers of every operation. */
export interface Handlers extends Array<HttpHandler> {
  /** Forgets what was created. */
  reset(): void
}

/**
 * Makes a handler of each operation. It returns the example of the contract. What a POST creates comes
 * back from later calls, until `reset()`.
 *
 * @example
 * const handlers = createHandlers()
 * const server = setupServer(...handlers)
 */
export function createHandlers({ baseURL }: CreateHandlersOptions = {}): Handlers {
  const memory = new Memory()
  const handlers = mocks.map((mock) =>
    handlerOf(mock, { baseURL }, async ({ params, json }, path) => {
      const body = mock.creates ? await json() : undefined
      const content = memory.respond(mock, { path, params, body })
      return answer(mock.status, mock.contentType, content)
    }),
  )
  if (baseURL !== undefined) handlers.push(unknownPath(baseURL))
  return Object.assign(handlers, { reset: () => memory.clear() })
}

/** @param id `GET /v1/things/{id}`. */
export function operation<Data, Params extends string = never, Body = undefined>(
  id: string,
): MockedOperation<Data, Params, Body> {
  const mock = mocks.find((mock) => mock.id === id)
  if (!mock) throw new BaseError(`There is no operation ${id}.`)
  return (given, options = {}) =>
    handlerOf(mock, options, async (call) => {
      const isMade = typeof given === 'function'
      const result = isMade ? await (given as (call: MockedCall) => unknown)(call) : given
      if (result instanceof Response) return result.clone() // for the next request
      return answer(mock.status, mock.contentType, result)
    })
}

function handlerOf(
  { id }: Mock,
  { baseURL, once }: HandlerOptions,
  respond: (call: MockedCall, path: string) => Promise<Response>,
): HttpHandler {
  const [verb = '', template = ''] = id.split(' ')
  const names = [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(`^${originOf(baseURL)}(${pathOf(template)})/?(?:[?#].*)?$`)
  const method = verb.toLowerCase() as 'get'
  const resolve = async ({ request }: { request: Request }) => {
    const [, path = '', ...values] = pattern.exec(request.url) ?? []
    const params = names.map((name, position) => [name, decoded(values[position] ?? '')] as const)
    const json = () => jsonOf(request)
    return respond({ request, params: Object.fromEntries(params), json }, path)
  }
  return http[method](pattern, resolve, { once: once ?? false })
}

/** The last handler. It has the 404 of the contract where there is one. */
function unknownPath(baseURL: string): HttpHandler {
  const pattern = new RegExp(`^${originOf(baseURL)}/`)
  return http.all(pattern, ({ request }) => {
    const detail = `The contract has no ${request.method} ${new URL(request.url).pathname}.`
    const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail }
    return answer(404, 'application/problem+json', problem)
  })
}

/** The part of a pattern before the path. */
function originOf(baseURL: string | undefined): string {
  return baseURL === undefined ? '\\w+://[^/?#]+' : escaped(baseURL.replace(/\/+$/, ''))
}

function pathOf(template: string): string {
  return template
    .split(/(\{[^}]*\})/)
    .map((part) => (part.startsWith('{') ? '([^/?#]+?)' : escaped(part)))
    .join('')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function jsonOf(request: Request): Promise<unknown> {
  try {
    return parseExact(await request.clone().text())
  } catch {
    return undefined
  }
}
