import { BaseError } from '../generated/names.js'
import { invalid } from './decode.js'
import type { PageFields } from './operation.js'
import type { Settings } from './options.js'
import { APIPromise, type Result } from './promise.js'
import type { Call, RequestInput } from './request.js'

/** One page of a list. */
export class Page<Item> {
  /** The items of this page. It may be empty although others follow. */
  readonly data: Item[]
  /** Where the next page begins. Null on the last one. */
  readonly nextCursor: string | null
  readonly #follow: (cursor: string) => Promise<Page<Item>>

  constructor(
    data: Item[],
    nextCursor: string | null,
    follow: (cursor: string) => Promise<Page<Item>>,
  ) {
    this.data = data
    this.nextCursor = nextCursor
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
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page: Page<Item> | null = await this
    while (page) {
      yield* page.data
      page = await page.nextPage()
    }
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
    if (!envelope) throw invalid(`no list under "${items}"`, response, settings)

    const follow = async (next: string) => {
      if ((numbers.get(next) ?? number + 1) <= number) {
        throw invalid('the next cursor led to an earlier page', response, settings)
      }
      numbers.set(next, number + 1)
      return (await fetchPage(next, number + 1, fields)).data
    }
    return { response, data: new Page(envelope.items, envelope.next, follow) }
  }
  return fetchPage(query[cursorParam], 0, fields)
}

/** The content of a page's body, or null where it cannot be a page. A missing list is an empty one. */
function readEnvelope<Item>(
  body: unknown,
  fields: PageFields,
): { items: Item[]; next: string | null } | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  const { [fields.items]: items = [], [fields.nextCursor]: next } = body as Record<string, unknown>
  if (items !== null && !Array.isArray(items)) return null
  return { items: items ?? [], next: next ? String(next) : null }
}
