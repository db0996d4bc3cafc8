import { html } from 'hono/html'
import type { Html } from './parts.ts'

/** The number of items on a page. */
const SHOWN = 50

interface List<T> {
  /** The name of the items, for the links. */
  what: string
  /** The address of the first page. */
  address: string
  /** Reads items before a position, newest first. */
  read: (limit: number, before: string | undefined) => Promise<T[]>
  positionOf: (one: T) => string | number
}

interface Page<T> {
  shown: T[]
  /** Links to older and newer items, if there are any. */
  links: Html | false
}

/** The requested page of a list. Later additions do not move its items. */
export async function pageOf<T>(
  query: ReadonlyMap<string, string>,
  { what, address, read, positionOf }: List<T>,
): Promise<Page<T>> {
  const before = query.get('before') || undefined
  const found = await read(SHOWN + 1, before)
  const shown = found.slice(0, SHOWN)
  const last = found.length > SHOWN ? shown.at(-1) : undefined
  const older = last && `${address}${address.includes('?') ? '&' : '?'}before=${positionOf(last)}`
  const hasMore = before !== undefined || older !== undefined
  return {
    shown,
    links:
      hasMore &&
      html`<p class="row">
${before && html`<a id="newest" href="${address}">Newest ${what}</a>`}
${older && html`<a id="older" href="${older}">Older ${what}</a>`}
</p>`,
  }
}

/** A numeric position; undefined for other text. */
export function numberIn(text: string | undefined): number | undefined {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
