import type { BufferedResponse } from './response.js'

/** The fields of a page, and the parameter that requests the next one. */
export interface PageFields {
  /** The field with the items. */
  items: string
  /** The field with the cursor of the next page. */
  nextCursor: string
  /** The query parameter that takes it. */
  cursorParam: string
}

/** A body as `fetch` takes it. Not `BodyInit`, which only the DOM's types have. */
export type EncodedBody = NonNullable<RequestInit['body']>

/** The encoding of a request body. */
export interface BodyCodec {
  /** The media type. Null where `fetch` writes the header itself. */
  contentType: string | null
  encode(body: unknown): EncodedBody
}

/** The facts about an operation that differ from the defaults. */
export interface Operation {
  /** The method of the client, like `things.list`. */
  name?: string
  /** The header of the idempotency key. Every call of the operation sends one. */
  idempotencyHeader?: string
  /**
   * Whether a retry has no second effect.
   *
   * @default true for GET and HEAD
   */
  retryable?: boolean
  /** The shape of the data of a response, to find what does not match the contract. */
  result?: string
  /** Set for lists that are paged. */
  page?: PageFields
  /**
   * How the request body travels.
   *
   * @default JSON
   */
  body?: BodyCodec
  /**
   * Reads the JSON of a 2xx response.
   *
   * @default JSON.parse
   */
  parse?: (text: string) => unknown
  /**
   * Reads a 2xx response that is not JSON.
   *
   * @default `parse`
   */
  read?: (response: BufferedResponse) => unknown
  /**
   * Writes the query.
   *
   * @default every parameter as `form` with `explode`
   */
  writeQuery?: (query: object) => string
}
