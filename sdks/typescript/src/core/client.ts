import { decode } from './decode.js'
import { pathOf } from './message.js'
import type { Operation } from './operation.js'
import {
  type ClientOptions,
  type RequestOptions,
  resolveOptions,
  type Settings,
} from './options.js'
import { firstPage, PagePromise } from './pagination.js'
import { APIPromise, type Result } from './promise.js'
import { type RawClient, rawClient } from './raw.js'
import { adopt, type Call, callOf, prepare, type RequestInput } from './request.js'
import { send } from './send.js'

/** What every client does, whatever its API is. */
export class BaseClient<Paths extends object = object> {
  readonly #options: ClientOptions
  readonly #settings: Settings
  #raw: RawClient<Paths> | undefined

  /** Fails with the outcome `not_sent` for an option that cannot be used. */
  constructor(options: ClientOptions = {}) {
    const settings = resolveOptions(options)
    this.#options = { ...options, apiKey: settings.apiKey, baseURL: settings.baseURL }
    this.#settings = settings
  }

  /** The URL of the API, as it was given or found in the environment. */
  get baseURL(): string {
    return this.#settings.baseURL
  }

  /**
   * Calls by method and path, typed by the contract. They return a status other than 2xx as `error`
   * instead of throwing.
   */
  get raw(): RawClient<Paths> {
    this.#raw ??= rawClient(this.#settings)
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
    operation?: Operation,
  ): APIPromise<T> {
    return new APIPromise(this.#exchange<T>(callOf(method, path, options, operation), input))
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
    operation?: Operation,
  ): PagePromise<Item> {
    const call = callOf('GET', path, options, operation)
    const fetchBody = (input: RequestInput) => this.#exchange(call, input)
    return new PagePromise(firstPage<Item>(call, input, fetchBody, this.#settings))
  }

  async #exchange<T>(call: Call, input: RequestInput): Promise<Result<T>> {
    const settings = this.#settings
    const response = await send(prepare(call, input, settings), call, settings)
    return { response, data: decode(response, call.operation, settings) as T }
  }

  /**
   * Sends a request of yours with the key, the retries and the timeout of this client, and returns
   * its response, whatever the status. Give it to libraries that take a `fetch`.
   *
   * @param path The path with its placeholders, where the contract has it.
   */
  fetch = async (
    request: Request,
    options: RequestOptions = {},
    path: string = pathOf(request.url, this.#settings),
  ): Promise<Response> => {
    const call = callOf(request.method, path, {
      ...options,
      signal: options.signal ?? request.signal,
    })
    const prepared = await adopt(call, request, this.#settings)
    return (await send(prepared, call, this.#settings)).toResponse()
  }
}
