import type { Reply } from './reply.js'

/** An answer and what it comes to. */
export interface Result<T> {
  data: T
  reply: Reply
}

/** The data of an answer together with the answer. */
export interface WithResponse<T> {
  data: T
  /** The answer, with its body unread. */
  response: Response
  /** Identifies the request in the service's logs. */
  requestId: string | null
}

/** A promise of an answer's data that can also give the answer itself. */
export class APIPromise<T> extends Promise<T> {
  readonly #result: Promise<Result<T>>

  // `then` makes plain promises from it.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(result: Promise<Result<T>>) {
    super((resolve, reject) => {
      result.then(({ data }) => resolve(data), reject)
    })
    this.#result = result
  }

  /** The data together with the answer. Fails like the promise itself. */
  async withResponse(): Promise<WithResponse<T>> {
    const { data, reply } = await this.#taken()
    return { data, response: reply.toResponse(), requestId: reply.requestId }
  }

  /** The answer, with its body unread. Fails like the promise itself. */
  async asResponse(): Promise<Response> {
    return (await this.#taken()).reply.toResponse()
  }

  /** The result for a caller who takes it in place of this promise, whose failure nobody awaits. */
  #taken(): Promise<Result<T>> {
    this.catch(() => {})
    return this.#result
  }
}
