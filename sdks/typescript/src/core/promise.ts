import type { BufferedResponse } from './response.js'

/** A response and the data in it. */
export interface Result<T> {
  data: T
  response: BufferedResponse
}

/** The data of a response together with the response. */
export interface WithResponse<T> {
  data: T
  /** The response, with its body unread. */
  response: Response
  /** Identifies the request in the service's logs. */
  requestId: string | null
}

/** A promise of the data of a response that can also return the response itself. */
export class APIPromise<T> extends Promise<T> {
  readonly #result: Promise<Result<T>>

  // `then` makes plain promises from it.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(result: Promise<Result<T>>) {
    // Through an async function: the stack of an error then leads to the line of the caller.
    super((resolve, reject) => {
      dataOf(result).then(resolve, reject)
    })
    this.#result = result
  }

  /** The data together with the response. Rejects when the promise itself rejects. */
  async withResponse(): Promise<WithResponse<T>> {
    const { data, response } = await this.#taken()
    return { data, response: response.toResponse(), requestId: response.requestId }
  }

  /** The response, with its body unread. Rejects when the promise itself rejects. */
  async asResponse(): Promise<Response> {
    return (await this.#taken()).response.toResponse()
  }

  /** The result, for use instead of this promise. Marks the promise's rejection as handled. */
  #taken(): Promise<Result<T>> {
    this.catch(() => {})
    return this.#result
  }
}

async function dataOf<T>(result: Promise<Result<T>>): Promise<T> {
  return (await result).data
}
