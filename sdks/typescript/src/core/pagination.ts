import { BaseError } from '../generated/names.js'
import { invalid } from './decode.js'
import type { PageFields } from './operation.js'
import type { Settings } from './options.js'
import { APIPromise, type Result } from './promise.js'
import type { Call, RequestInput } from './request.js'
import { remember } from './request-ids.js'

/** One page of a list. */
export class Page<Item> {
  /** The items of this page. It may be empty although others follow. */
  readonly data: Item[]
  /** Where the next page begins. Null on the last one. */
  readonly nextCursor: string | null
  /** Identifies the request in the service's logs. */
  readonly requestId: string | null
  readonly #follow: (cursor: string) => Promise<Page<Item>>

  constructor(
    data: Item[],
    nextCursor: string | null,
    requestId: string | null,
    follow: (cursor: string) => Promise<Page<Item>>,
  ) {
    this.data = data
    this.nextCursor = nextCursor
    this.requestId = requestId
    this.#follow = follow
  }

  /**
   * Fetches the next page, with the same filters and options. Null on the last one.
   *
   * @throws InvalidResponseError for a cursor that led to an earlier page: the list would never end.
   */
  async nextPage(): Promise<Page<Item> | null> {
    return this.nextCursor === null ? null : this.#follow(this.nextCursor)
  }
}

/** A promise of the first page that also iterates over the items of all pages. */
export class PagePromise<Item> extends APIPromise<Page<Item>> implements AsyncIterable<Item> {
  /** Iterates over the pages. */
  async *iterPages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let page: Page<Item> | null = await this; page; page = await page.nextPage()) yield page
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.iterPages()) yield* page.data
  }

  /**
   * Collects the items of all pages.
   *
   * @param options `limit`: how many items at most. Fetches no page beyond them.
   */
  async toArray({ limit = Infinity }: { limit?: number | undefined } = {}): Promise<Item[]> {
    const items: Item[] = []
    for await (const { data } of this.iterPages()) {
      items.push(...data.slice(0, limit - items.length))
      if (items.length >= limit) break
    }
    return items
  }
}

/** Fetches the first page of a list. */
export async function firstPage<Item>(
  { path, operation: { page: fields } }: Call,
  input: RequestInput,
  fetchBody: (input: RequestInput) => Promise<Result<unknown>>,
  settings: Settings,
): Promise<Result<Page<Item>>> {
  if (!fields) throw new BaseError(`GET ${path} is not paged.`)
  const { items, cursorParam } = fields
  const query: Record<string, unknown> = { ...input.query }
  // The number of the page that each cursor led to. A cursor that leads back would never end.
  const numbers = new Map<unknown, number>([[query[cursorParam], 0]])

  async function fetchPage(
    cursor: unknown,
    number: number,
    fields: PageFields,
  ): Promise<Result<Page<Item>>> {
    const { data, response } = await fetchBody({
      ...input,
      query: { ...query, [cursorParam]: cursor },
    })
    const envelope = readEnvelope<Item>(data, fields)
    if (!envelope) throw invalid(`${response.status}: no list under "${items}"`, response, settings)

    const follow = async (next: string) => {
      if ((numbers.get(next) ?? number + 1) <= number) {
        throw invalid(
          `${response.status}: the next cursor led to an earlier page`,
          response,
          settings,
        )
      }
      numbers.set(next, number + 1)
      return (await fetchPage(next, number + 1, fields)).data
    }
    const page = new Page(envelope.items, envelope.next, response.requestId, follow)
    remember(page, response)
    return { response, data: page }
  }
  return fetchPage(query[cursorParam], 0, fields)
}

/** The content of a page's body, or null where it has no list. */
function readEnvelope<Item>(
  body: unknown,
  fields: PageFields,
): { items: Item[]; next: string | null } | null {
  const { [fields.items]: items, [fields.nextCursor]: next } = Object(body)
  return Array.isArray(items) ? { items, next: next ? String(next) : null } : null
}
