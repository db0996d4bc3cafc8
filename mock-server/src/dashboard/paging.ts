import { html } from 'hono/html'
import type { Html } from './parts.ts'

/** How many of a list are on a page. */
const SHOWN = 50

interface List<T> {
  /** What it is of, as its links say. */
  what: string
  /** Where its first page is. */
  address: string
  /** The newest first, those before a position if there is one. */
  read: (limit: number, before: string | undefined) => Promise<T[]>
  positionOf: (one: T) => string | number
}

interface Page<T> {
  shown: T[]
  /** The ways to what is not shown, if there are any. */
  links: Html | false
}

/** The page of a list that is asked for. What comes to the list later does not move it. */
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

/** A position that is a number; undefined for what is none. */
export function numberIn(text: string | undefined): number | undefined {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
