import { html } from 'hono/html'
import type { View } from './layout.ts'
import { BASE, count, summary, time } from './parts.ts'
import type { Visit } from './visit.ts'

const SHOWN = 100

/** What happened, the newest first, as it is sent. */
export async function events({ sandboxes, sandbox }: Visit): Promise<View> {
  const found = await sandboxes.events(sandbox, SHOWN)
  const rows = found.map(
    ({ id, kind, occurredAt, body }) => html`<li><details id="${id}">
<summary>${time(occurredAt)} · <b>${kind}</b> · ${id}</summary>
<pre tabindex="0">${JSON.stringify(JSON.parse(body), null, 2)}</pre>
</details></li>`,
  )
  return {
    title: 'Event log',
    within: `${BASE}/events`,
    live: html`${summary(`${count(found.length, 'event', 'events')}${found.length === SHOWN ? ', the newest' : ''}.`)}
<ol class="plain">${rows}</ol>`,
  }
}
