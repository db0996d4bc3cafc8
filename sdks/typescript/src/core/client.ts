import { decode } from './decode.js'
import { pathOf } from './message.js'
import type { Operation } from './operation.js'
import {
  type ClientOptions,
  merge,
  type RequestOptions,
  resolveOptions,
  type Settings,
} from './options.js'
import { firstPage, PagePromise } from './pagination.js'
import { APIPromise, type Result } from './promise.js'
import { type DataAt, type Method, type PathsWith, type RawClient, rawClient } from './raw.js'
import { adopt, type Call, callOf, prepare, type RequestInput } from './request.js'
import { send } from './send.js'

/** The part of a client that does not depend on the contract. */
export class BaseClient<Paths extends object = object> {
  readonly #options: ClientOptions
  readonly #settings: Settings
  #raw: RawClient<Paths> | undefined

  /** Throws for an option that cannot be used. */
  constructor(options: ClientOptions = {}) {
    const settings = resolveOptions(options)
    this.#options = { ...options, apiKey: settings.apiKey, baseURL: settings.baseURL }
    this.#settings = settings
  }

  /** The URL of the API, from the option or the environment. */
  get baseURL(): string {
    return this.#settings.baseURL
  }

  /**
   * Calls by method and path, typed by the contract. They return `error` for a status other than 2xx
   * instead of throwing.
   */
  get raw(): RawClient<Paths> {
    this.#raw ??= rawClient(this.#settings)
    return this.#raw
  }

  /** Makes a client with the same options, except for the given ones. */
  withOptions(options: ClientOptions): this {
    const Same = this.constructor as new (options: ClientOptions) => this
    const clone = new Same(merge(this.#options, options))
    clone.#settings.warned = this.#settings.warned
    return clone
  }

  /**
   * Calls any path, including one that is newer than this package.
   *
   * @param method In capitals.
   * @param path With its placeholders, like `/v1/things/{id}`. `input.path` fills them.
   * @param operation The facts about an operation that is not in the contract.
   */
  request<Verb extends Uppercase<Method>, Path extends PathsWith<Paths, Lowercase<Verb>>>(
    method: Verb,
    path: Path,
    input?: RequestInput,
    options?: RequestOptions,
  ): APIPromise<DataAt<Paths, Path, Lowercase<Verb>>>
  request<T = unknown>(
    method: string,
    path: string,
    input?: RequestInput,
    options?: RequestOptions,
    operation?: Operation,
  ): APIPromise<T>
  request<T>(
    method: string,
    path: string,
    input: RequestInput = {},
    options: RequestOptions = {},
    operation?: Operation,
  ): APIPromise<T> {
    return new APIPromise(this.#exchange<T>(callOf(method, path, options, operation), input))
  }

  /**
   * Calls any paged list.
   *
   * @param operation The facts about a list that is not in the contract, with its `page`.
   */
  list<Item = unknown>(
    path: string,
    input: RequestInput = {},
    options: RequestOptions = {},
    operation?: Operation,
  ): PagePromise<Item> {
    // A cursor in the query of the call would win over those of later pages.
    const { query, ...rest } = options
    const call = callOf('GET', path, rest, operation)
    const first = { ...input, query: merge<object>(input.query, query) }
    const fetchBody = (input: RequestInput) => this.#exchange(call, input)
    return new PagePromise(() => firstPage<Item>(call, first, fetchBody, this.#settings))
  }

  async #exchange<T>(call: Call, input: RequestInput): Promise<Result<T>> {
    const settings = this.#settings
    const response = await send(prepare(call, input, settings), call, settings)
    return { response, data: decode(response, call, settings) as T }
  }

  /**
   * Sends a `Request` with the API key, the retries and the timeout of this client, and returns the
   * response of any status. For libraries that take a `fetch`.
   *
   * @param path The path with its placeholders, for an operation of the contract.
   * @throws BaseError for a URL outside of the base URL, which must not get the key.
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
