// The types of `client.raw`. openapi-fetch's own fold every open enum (`'a' | (string & {})`) into
// an object while they look for read-only fields, so results would not fit the contract's types.
import type { Middleware } from 'openapi-fetch'
import type { RequestOptions } from './options.js'

/** openapi-fetch's client, typed by the contract's paths. */
export type RawClient<Paths> = {
  [M in Method as Uppercase<M>]: <
    Path extends PathsWith<Paths, M>,
    Init extends RawInit<OperationAt<Paths, Path, M>>,
  >(
    path: Path,
    ...init: OptionalKeysOnly<RawInit<OperationAt<Paths, Path, M>>> extends true ? [Init?] : [Init]
  ) => Promise<RawResult<OperationAt<Paths, Path, M>, Init>>
} & {
  /** Adds middleware; the last one added sees a request last and its answer first. */
  use(...middleware: Middleware[]): void
  /** Takes middleware away. */
  eject(...middleware: Middleware[]): void
}

/** What a raw call takes: the operation's parameters and body, and the options of any call. */
export type RawInit<Op> = RawParams<Op> &
  RawBody<Op> &
  Omit<RequestOptions, 'signal'> &
  Omit<RequestInit, 'body' | 'headers' | 'method'> & {
    /**
     * How a success is read.
     *
     * @default 'json'
     */
    parseAs?: 'json' | keyof ParsedAs
  }

/** What a raw call gives: `data` of a success or `error` of a failure. */
export type RawResult<Op, Init> =
  | { data: ReadAs<Op, Init>; error?: never; response: Response }
  | { data?: never; error: Failure<Op>; response: Response }

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'
type Success = 200 | 201 | 202 | 203 | 204 | 206 | 207 | '2XX'

interface ParsedAs {
  text: string
  blob: Blob
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array> | null
}

type PathsWith<Paths, M extends Method> = {
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
    ? { params?: P }
    : { params: P }
  : unknown

type RawBody<Op> = Op extends { requestBody: infer Body }
  ? { body: Content<Body> }
  : Op extends { requestBody?: infer Body }
    ? { body?: Content<NonNullable<Body>> }
    : unknown

type ReadAs<Op, Init> = Init extends { parseAs: infer As extends keyof ParsedAs }
  ? ParsedAs[As]
  : Op extends { responses: infer Responses }
    ? Content<Responses[keyof Responses & Success]>
    : never

type Failure<Op> = Op extends { responses: infer Responses }
  ? Content<Responses[Exclude<keyof Responses, Success>]>
  : never

/** The value of any media type; undefined where there is no content. */
type Content<T> = T extends { content: infer C } ? C[keyof C] : undefined
