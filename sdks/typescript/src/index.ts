export {
  type AbortedCall,
  AbortedCallError,
  APIConnectionError,
  APIError,
  type APIErrorFields,
  APITimeoutError,
  type InvalidResponse,
  InvalidResponseError,
} from './core/errors.js'
export type { HeaderValues } from './core/headers.js'
export type { LogFields, Logger, LogLevel } from './core/log.js'
export type { Middleware, Next } from './core/middleware.js'
export type { Mismatch, MismatchHook } from './core/mismatch.js'
export type { BodyCodec, Operation, PageFields } from './core/operation.js'
export type { ClientOptions, Fetch, RequestOptions } from './core/options.js'
export { Page, PagePromise } from './core/pagination.js'
export { APIPromise, type WithResponse } from './core/promise.js'
export type { ParsedAs, RawClient, RawInit, RawResult } from './core/raw.js'
export type { RequestInput } from './core/request.js'
export { requestIdOf } from './core/request-ids.js'
export type { MismatchProblem } from './core/shape.js'
export type { Attempt, AttemptResponse, Trace } from './core/trace.js'
export * from './generated/index.js'
export type { Outcome } from './generated/policy.js'
export { VERSION } from './version.js'
