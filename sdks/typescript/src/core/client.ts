import { operations } from '../generated/contract.js'
import type { Operation } from './operation.js'
import { type ClientOptions, type RequestOptions, resolveOptions } from './options.js'
import { firstPage, PagePromise } from './pagination.js'
import { APIPromise } from './promise.js'
import type { RawClient } from './raw.js'
import { type RequestInput, Transport } from './transport.js'

/** What every client does, whatever its API is. */
export class BaseClient<Paths extends object = object> {
  readonly #options: ClientOptions
  readonly #transport: Transport
  #raw: RawClient<Paths> | undefined

  /** Fails with the outcome `not_sent` for an option that cannot be used. */
  constructor(options: ClientOptions = {}) {
    const settings = resolveOptions(options)
    this.#options = { ...options, apiKey: settings.apiKey, baseURL: settings.baseURL }
    this.#transport = new Transport(settings)
  }

  /**
   * openapi-fetch's client, typed by the contract: any operation and any status, and nothing thrown
   * for a status. Key, retries and time-outs are this client's; `timeout`, `maxRetries` and
   * `idempotencyKey` may be given with a call.
   */
  get raw(): RawClient<Paths> {
    this.#raw ??= this.#transport.raw<Paths>()
    return this.#raw
  }

  /** A client like this one but for the given options. */
  withOptions(options: ClientOptions): this {
    const Same = this.constructor as new (options: ClientOptions) => this
    return new Same({ ...this.#options, ...options })
  }

  /**
   * Calls any path, also one that this version does not know; the resources' methods do the same.
   *
   * @param method In capitals.
   * @param path With its placeholders, like `/v1/things/{id}`; `input.path` fills them.
   * @param operation What is special about an operation that the contract does not list.
   */
  request<T = unknown>(
    method: string,
    path: string,
    input: RequestInput = {},
    options: RequestOptions = {},
    operation: Operation = operations[`${method} ${path}`] ?? {},
  ): APIPromise<T> {
    return new APIPromise(this.#transport.fetch<T>({ method, path, input, options, operation }))
  }

  /**
   * Calls any list that comes page by page.
   *
   * @param operation For a list that the contract does not have; its `page` says how to page.
   */
  list<Item = unknown>(
    path: string,
    input: RequestInput = {},
    options: RequestOptions = {},
    operation: Operation = operations[`GET ${path}`] ?? {},
  ): PagePromise<Item> {
    const outgoing = { method: 'GET', path, input, options, operation }
    return new PagePromise(firstPage<Item>(this.#transport, outgoing))
  }
}
