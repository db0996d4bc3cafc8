import type { Reply } from './reply.js'

/** Where a list keeps what paging needs. */
export interface PageFields {
  /** The field with the items. */
  items: string
  /** The field with the cursor of the next page. */
  nextCursor: string
  /** The query parameter that takes it. */
  cursorParam: string
}

/** How a request body travels. */
export interface BodyCodec {
  /** The media type to name; null where `fetch` names it itself. */
  contentType: string | null
  encode(body: unknown): BodyInit
}

/** What the runtime must know of an operation beyond its method and path. */
export interface Operation {
  /** The header that names one logical request; with it, every call sends a key. */
  idempotencyHeader?: string
  /**
   * Whether a repeated request has no second effect.
   *
   * @default true for GET and HEAD
   */
  repeatable?: boolean
  /** Set for lists that come page by page. */
  page?: PageFields
  /**
   * How the request body travels.
   *
   * @default JSON
   */
  body?: BodyCodec
  /**
   * Reads the JSON of a successful answer.
   *
   * @default JSON.parse
   */
  parse?: (text: string) => unknown
  /**
   * Reads a successful answer that is not JSON.
   *
   * @default `parse`
   */
  read?: (reply: Reply) => unknown
  /**
   * Writes the query.
   *
   * @default every parameter as `form` with `explode`
   */
  writeQuery?: (query: object) => string
}
