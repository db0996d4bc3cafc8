// Calls by method and path, in the form of openapi-fetch. The types of openapi-fetch itself fold every
// open enum (`'a' | (string & {})`) into an object while they look for read-only fields, so that its
// results would not fit the types of the contract.
import { decode, parsedBody } from './decode.js'
import type { RequestOptions, Settings } from './options.js'
import {
  type Call,
  callOf,
  type FetchInit,
  fetchInit,
  prepare,
  type RequestInput,
} from './request.js'
import { send } from './send.js'

/** Calls by method and path, typed by the contract. They throw for no status. */
export type RawClient<Paths> = {
  [M in Method as Uppercase<M>]: <
    Path extends PathsWith<Paths, M>,
    Init extends RawInit<OperationAt<Paths, Path, M>>,
  >(
    path: Path,
    ...init: OptionalKeysOnly<RawInit<OperationAt<Paths, Path, M>>> extends true ? [Init?] : [Init]
  ) => Promise<
    RawResult<ReadAs<OperationAt<Paths, Path, M>, Init>, Failure<OperationAt<Paths, Path, M>>>
  >
}

/** The input of a raw call: parameters and body of the operation, and the options of any call. */
export type RawInit<Op> = RawParams<Op> &
  RawBody<Op> &
  RequestOptions &
  FetchInit & {
    /**
     * How to read the body of a 2xx response.
     *
     * @default 'json'
     */
    parseAs?: 'json' | keyof ParsedAs | undefined
  }

/** The result of a raw call: `data` of a 2xx response, or else `error`. */
export type RawResult<Data, Failure> =
  | { data: Data; error?: never; response: Response }
  | { data?: never; error: Failure; response: Response }

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'
type Success = 200 | 201 | 202 | 203 | 204 | 206 | 207 | '2XX'

/** The body of a response by how it is read. */
export interface ParsedAs {
  text: string
  blob: Blob
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array> | null
}

export type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: OperationAt<Paths, Path, M> extends { responses: unknown } ? Path : never
}[keyof Paths]

type OperationAt<Paths, Path extends keyof Paths, M extends Method> = Paths[Path] extends {
  [K in M]: infer Op
}
  ? Op
  : never

type OptionalKeysOnly<T> = object extends T ? true : false

type RawParams<Op> = Op extends { parameters: infer P }
  ? OptionalKeysOnly<P> extends true
    ? { params?: P | undefined }
    : { params: P }
  : unknown

type RawBody<Op> = Op extends { requestBody: infer Body }
  ? { body: Content<Body> }
  : Op extends { requestBody?: infer Body }
    ? { body?: Content<NonNullable<Body>> | undefined }
    : unknown

/** The JSON of a 2xx response. */
export type DataAt<Paths, Path extends keyof Paths, M extends Method> = ReadAs<
  OperationAt<Paths, Path, M>,
  object
>

type ReadAs<Op, Init> = Init extends { parseAs: infer As extends keyof ParsedAs }
  ? ParsedAs[As]
  : Op extends { responses: infer Responses }
    ? Content<Responses[keyof Responses & Success]>
    : never

type Failure<Op> = Op extends { responses: infer Responses }
  ? Content<Responses[Exclude<keyof Responses, Success>]>
  : never

/** The value of any media type. Undefined if there is no content. */
type Content<T> = T extends { content: infer C } ? C[keyof C] : undefined

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** The input of any raw call. */
export interface AnyInit extends RequestOptions, FetchInit {
  params?: {
    path?: RequestInput['path']
    query?: Record<string, unknown>
    header?: RequestInput['headers']
  }
  body?: unknown
  parseAs?: 'json' | keyof ParsedAs
}

/** Makes a raw client of a function that sends any raw call. */
export function byMethod<Paths>(
  run: (method: Method, call: Call, init: AnyInit) => Promise<object>,
): RawClient<Paths> {
  const callers = METHODS.map((method) => {
    const verb = method.toUpperCase()
    const caller = (path: string, init: AnyInit = {}) => run(method, callOf(verb, path, init), init)
    return [verb, caller]
  })
  return Object.fromEntries(callers)
}

/** Makes `client.raw`. */
export function rawClient<Paths>(settings: Settings): RawClient<Paths> {
  return byMethod(async (_, call, init) => {
    const { params = {}, body, parseAs = 'json' } = init
    const input = { path: params.path, query: params.query, headers: params.header, body }
    const request = { ...prepare(call, input, settings), init: fetchInit(init) }
    const buffered = await send(request, call, settings)
    const response = buffered.toResponse()
    if (!buffered.ok) return { error: parsedBody(buffered, call.operation), response }
    if (parseAs === 'json') return { data: decode(buffered, call, settings), response }
    return { data: parseAs === 'stream' ? response.body : await response[parseAs](), response }
  })
}
