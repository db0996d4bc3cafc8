/** Parts that several pages share. Every `${}` in a template is escaped. */
import { html } from 'hono/html'
import { timestamp } from '../sandbox/shapes.ts'
import type { Attempt, Delivery, Endpoint, Logged } from '../store/types.ts'

export type Html = ReturnType<typeof html>

/** The base path of the pages; the first page is at `/`. */
export const BASE = '/dashboard'

export const pathOf = {
  conversation: (id: string) => `${BASE}/conversations/${encodeURIComponent(id)}`,
  delivery: (id: string) => `${BASE}/deliveries/${encodeURIComponent(id)}`,
  /** The page of the log that starts with the event. */
  event: ({ position, id }: Logged) =>
    `${BASE}/events?before=${position + 1}#${encodeURIComponent(id)}`,
}

export function time(at: number): Html {
  const text = timestamp(Math.floor(at / 1000) * 1000)
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`
}

/** A coloured label. */
export function badge(state: string): Html {
  return html`<span class="badge ${state}">${state.replace('_', ' ')}</span>`
}

/** A form with only a button. @param what The object of the action, for screen readers. */
export function button(action: string, label: string, what = '', fields = {}): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${action}">${hidden}
<button>${label}${what && html` <span class="unseen">${what}</span>`}</button></form>`
}

/** A table that scrolls if it is too wide. */
export function table(caption: string, heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption class="unseen">${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`
}

/** A summary that screen readers announce when it changes. */
export function summary(text: string): Html {
  return html`<p id="summary" role="status">${text}</p>`
}

/** `1 delivery`, `2 deliveries`. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

export function resultOf({ status, reason }: Attempt): string {
  return reason ?? `${status}: accepted`
}

/** A table with one row for each delivery. @param last The heading and the content of the last column. */
export function deliveryTable(
  caption: string,
  deliveries: readonly Delivery[],
  endpoints: readonly Endpoint[],
  [head, last]: [head: string, last: (delivery: Delivery) => Html],
): Html {
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
  const rows = deliveries.map((delivery) => {
    const { id, kind, endpoint_id, attempts } = delivery
    const latest = attempts.at(-1)
    return html`<tr id="${id}">
<th scope="row"><a href="${pathOf.delivery(id)}">${id}</a></th>
<td>${kind}</td>
<td class="long">${urls.get(endpoint_id) ?? endpoint_id}</td>
<td>${attempts.length}</td>
<td>${latest ? html`${time(latest.at)}<br>${resultOf(latest)}` : 'not attempted yet'}</td>
<td>${last(delivery)}</td>
</tr>`
  })
  return table(caption, ['Delivery', 'Event', 'Endpoint', 'Attempts', 'Last attempt', head], rows)
}
