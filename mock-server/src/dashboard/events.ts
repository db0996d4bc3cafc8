import { html } from 'hono/html'
import type { View } from './layout.ts'
import { numberIn, pageOf } from './paging.ts'
import { BASE, count, type Html, summary, time } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/events`

/** The events as they are sent, newest first. */
export async function events({ sandboxes, sandbox, query }: Visit): Promise<View> {
  const { shown, links } = await pageOf(query, {
    what: 'events',
    address: PATH,
    read: (limit, before) =>
      sandboxes.store.deliveries.events(sandbox, limit, numberIn(before), sandboxes.logged),
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
    after: triggerForm(sandboxes.bindings.forms.description.kinds),
  }
}

/** Sends an example of any kind that the contract has. */
function triggerForm(kinds: readonly string[]): Html {
  if (kinds.length === 0) return html`<p>The contract has no events.</p>`
  const options = kinds.map((kind) => html`<option>${kind}</option>`)
  return html`<section aria-labelledby="trigger">
<h2 id="trigger">Send an event</h2>
<form method="post" action="${BASE}/trigger" class="fields">
<label for="kind">Kind</label>
<select id="kind" name="kind">${options}</select>
<label for="data">Data to merge into the contract's example, as JSON <span class="faint">(optional)</span></label>
<textarea id="data" name="data" rows="2" spellcheck="false"></textarea>
<button>Send event</button>
</form>
</section>`
}
