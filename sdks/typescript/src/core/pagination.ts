import { BaseError } from '../generated/names.js'
import { invalid } from './decode.js'
import { checkCount, type Settings } from './options.js'
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
  readonly #begin: () => void
  #isIdle = false

  constructor(fetchFirst: () => Promise<Result<Page<Item>>>) {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    super(after(begun, fetchFirst))
    this.#begin = begin
    // Not at once, so that a list of no items requests nothing.
    queueMicrotask(() => this.#isIdle || begin())
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise has one, and the first use begins the request
  override then<A = Page<Item>, B = never>(
    onFulfilled?: ((page: Page<Item>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#begin()
    return super.then(onFulfilled, onRejected)
  }

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
   * @throws BaseError with the outcome `not_sent` for a limit that is no whole number.
   */
  async toArray({ limit = Infinity }: { limit?: number | undefined } = {}): Promise<Item[]> {
    const items: Item[] = []
    this.#isIdle = !(limit > 0)
    if (limit !== Infinity) checkCount('limit', limit)
    if (limit === 0) return items
    for await (const item of this) if (items.push(item) >= limit) break
    return items
  }
}

async function after<T>(begun: Promise<void>, run: () => Promise<T>): Promise<T> {
  await begun
  return run()
}

/** Fetches the first page of a list. */
export async function firstPage<Item>(
  { path, operation: { page } }: Call,
  input: RequestInput,
  fetchBody: (input: RequestInput) => Promise<Result<unknown>>,
  settings: Settings,
): Promise<Result<Page<Item>>> {
  if (!page) throw new BaseError(`GET ${path} is not paged.`)
  const { items, nextCursor, cursorParam } = page
  const query: Record<string, unknown> = { ...input.query }
  // The number of the page that each cursor led to. A cursor that leads back would never end.
  const numbers = new Map<unknown, number>([[query[cursorParam], 0]])

  async function fetchPage(cursor: unknown, number: number): Promise<Result<Page<Item>>> {
    const { data: body, response } = await fetchBody({
      ...input,
      query: { ...query, [cursorParam]: cursor },
    })
    const refuse = (what: string) => invalid(`${response.status}: ${what}`, response, settings)
    const { [items]: found, [nextCursor]: following } = Object(body)
    if (!Array.isArray(found)) throw refuse(`no list under "${items}"`)
    const next = cursorOf(following)
    if (next === undefined) throw refuse('the next cursor is neither a string nor an integer')

    const follow = async (next: string) => {
      if ((numbers.get(next) ?? number + 1) <= number) {
        throw refuse('the next cursor led to an earlier page')
      }
      numbers.set(next, number + 1)
      return (await fetchPage(next, number + 1)).data
    }
    const data = new Page<Item>(found, next, response.requestId, follow)
    remember(data, response)
    return { response, data }
  }
  return fetchPage(query[cursorParam], 0)
}

/** The cursor of the next page as text. Null where the list ends, undefined where none can follow. */
function cursorOf(value: unknown): string | null | undefined {
  if (value == null || value === '' || value === 0) return null
  const isText = typeof value === 'string' || typeof value === 'bigint'
  // Beyond those, the number is not the one that the service sent.
  return isText || Number.isSafeInteger(value) ? String(value) : undefined
}
