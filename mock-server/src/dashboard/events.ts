import { html } from 'hono/html'
import type { View } from './layout.ts'
import { numberIn, pageOf } from './paging.ts'
import { BASE, count, summary, time } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/events`

/** The events as they are sent, newest first. */
export async function events({ sandboxes, sandbox, query }: Visit): Promise<View> {
  const { shown, links } = await pageOf(query, {
    what: 'events',
    address: PATH,
    read: (limit, before) => sandboxes.store.deliveries.events(sandbox, limit, numberIn(before)),
    positionOf: ({ position }) => position,
  })
  const rows = shown.map(
    ({ id, kind, occurredAt, body }) => html`<li><details id="${id}">
<summary>${time(occurredAt)} · <b>${kind}</b> · ${id}</summary>
<pre tabindex="0">${JSON.stringify(JSON.parse(body), null, 2)}</pre>
</details></li>`,
  )
  return {
    title: 'Event log',
    within: PATH,
    live: html`${summary(`${count(shown.length, 'event', 'events')} on this page.`)}
<ol class="plain">${rows}</ol>
${links}`,
  }
}
