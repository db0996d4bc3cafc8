/** Parts that several pages share. Every `${}` in a template is escaped. */
import { html } from 'hono/html'
import { timestamp } from '../sandbox/shapes.ts'
import type { Attempt, Delivery, Endpoint } from '../store/types.ts'

export type Html = ReturnType<typeof html>

/** The base path of the pages; the first page is at `/`. */
export const BASE = '/dashboard'

const under = (folder: string) => (id: string) => `${BASE}/${folder}/${encodeURIComponent(id)}`

export const pathOf = {
  conversation: under('conversations'),
  delivery: under('deliveries'),
  event: under('events'),
  request: under('requests'),
  endpoint: under('endpoints'),
}

export function time(at: number): Html {
  const text = timestamp(Math.floor(at / 1000) * 1000)
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`
}

/** A coloured label. */
export function badge(state: string, label = state.replace('_', ' ')): Html {
  return html`<span class="badge ${state}">${label}</span>`
}

/** A form with only a button. @param what The object of the action, for screen readers. */
export function button(
  action: string,
  label: string,
  what = '',
  fields: Readonly<Record<string, string>> = {},
): Html {
  return html`<form method="post" action="${action}">${hidden(fields)}
<button>${label}${what && html` <span class="unseen">${what}</span>`}</button></form>`
}

/** Fields of a form that are not shown. */
export function hidden(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
}

/** A button that copies a text; it appears where scripts run. @param what The text's name, for screen readers. */
export function copy(text: string, what: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}">Copy<span class="unseen"> ${what}</span></button>`
}

/** A text to copy as a whole. */
export function block(text: string, what: string): Html {
  return html`<div class="block">${copy(text, what)}<pre tabindex="0" dir="auto">${text}</pre></div>`
}

/** A part that opens by a click. */
export function fold(id: string, label: string, content: Html, isOpen = false): Html {
  return html`<details id="${id}" class="fold"${isOpen && html` open`}><summary>${label}</summary>
${content}
</details>`
}

/** Names and values. Those without a value are left out. */
export function facts(list: ReadonlyArray<readonly [name: string, value: unknown]>): Html {
  const known = list.filter(([, value]) => Boolean(value))
  return html`<dl>${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** A table that scrolls if it is too wide. */
export function table(caption: string, heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption class="unseen">${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`
}

/** The headers of a message. */
export function headerTable(headers: Readonly<Record<string, string>>): Html {
  const rows = Object.entries(headers).map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td class="long">${value}</td></tr>`,
  )
  if (rows.length === 0) return html`<p class="faint">None.</p>`
  return html`<table class="plain"><tbody>${rows}</tbody></table>`
}

/** A text as it is; indented where it is JSON. */
export function bodyBlock(body: string | null, what: string): Html {
  if (body === null || body === '') return html`<p class="faint">Empty.</p>`
  return block(indented(body), what)
}

export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** A summary that screen readers announce when it changes. */
export function summary(text: string | Html): Html {
  return html`<p id="summary" role="status">${text}</p>`
}

/** What to do where a list has nothing to show. */
export function empty(title: string, ...next: Html[]): Html {
  return html`<div class="empty"><p><b>${title}</b></p>${next.map((one) => html`<p>${one}</p>`)}</div>`
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
    const { id, kind, event_id, endpoint_id, attempts } = delivery
    const latest = attempts.at(-1)
    const url = urls.get(endpoint_id) ?? endpoint_id
    return html`<tr id="${id}">
<th scope="row"><a href="${pathOf.delivery(id)}">${id}</a></th>
<td><a href="${pathOf.event(event_id)}">${kind}</a></td>
<td class="cut" title="${url}">${url}</td>
<td class="number">${attempts.length}</td>
<td>${latest ? time(latest.at) : html`<span class="faint">not yet</span>`}</td>
<td class="cut">${latest && resultOf(latest)}</td>
<td>${last(delivery)}</td>
</tr>`
  })
  const heads = ['Delivery', 'Event', 'Endpoint', 'Attempts', 'Last attempt', 'Result', head]
  return table(caption, heads, rows)
}
