import { BaseError } from '../generated/names.js'
import type { PageFields } from './operation.js'
import { APIPromise, type Result } from './promise.js'
import type { Outgoing, Transport } from './transport.js'

/** One page of a list. */
export class Page<Item> {
  /** The items of this page; it may be empty although others follow. */
  readonly data: Item[]
  /** Where the next page begins; null on the last one. */
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
   * Fetches the next page, with the same filters and options; null on the last one.
   *
   * @throws InvalidResponseError for a cursor that led to an earlier page, which would never end.
   */
  async nextPage(): Promise<Page<Item> | null> {
    return this.nextCursor === null ? null : this.#follow(this.nextCursor)
  }
}

/** A promise of the first page that is also an iterator over the items of all pages. */
export class PagePromise<Item> extends APIPromise<Page<Item>> implements AsyncIterable<Item> {
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page: Page<Item> | null = await this
    while (page) {
      yield* page.data
      page = await page.nextPage()
    }
  }
}

/** Fetches the page that a list begins with. */
export async function firstPage<Item>(
  transport: Transport,
  outgoing: Outgoing,
): Promise<Result<Page<Item>>> {
  const fields = outgoing.operation.page
  if (!fields) throw new BaseError(`GET ${outgoing.path} is not paged.`)
  const query: Record<string, unknown> = { ...outgoing.input.query }
  // The number of the page that each cursor led to; one that leads back would never end.
  const numbers = new Map<unknown, number>([[query[fields.cursorParam], 0]])

  async function fetchPage(
    fields: PageFields,
    cursor: unknown,
    number: number,
  ): Promise<Result<Page<Item>>> {
    const input = { ...outgoing.input, query: { ...query, [fields.cursorParam]: cursor } }
    const { data: body, reply } = await transport.fetch<unknown>({ ...outgoing, input })
    const envelope = readEnvelope<Item>(body, fields)
    if (!envelope) throw transport.invalid(`no list under "${fields.items}"`, reply)

    const follow = async (next: string) => {
      if ((numbers.get(next) ?? number + 1) <= number) {
        throw transport.invalid('the cursor is repeated', reply)
      }
      numbers.set(next, number + 1)
      return (await fetchPage(fields, next, number + 1)).data
    }
    return { reply, data: new Page(envelope.items, envelope.next, follow) }
  }
  return fetchPage(fields, query[fields.cursorParam], 0)
}

/** What a page's body holds, or null where it cannot be a page. A missing field is an empty one. */
function readEnvelope<Item>(
  body: unknown,
  fields: PageFields,
): { items: Item[]; next: string | null } | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  const { [fields.items]: items = [], [fields.nextCursor]: next } = body as Record<string, unknown>
  if (items !== null && !Array.isArray(items)) return null
  return { items: items ?? [], next: next ? String(next) : null }
}
