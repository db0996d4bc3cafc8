import { eventKinds } from '@support-chat/sdk/webhooks'
import { html } from 'hono/html'
import type { Endpoint } from '../store/types.ts'
import { isListener } from '../store/types.ts'
import { MOST } from './form.ts'
import type { View } from './layout.ts'
import { BASE, button, count, type Html, summary, table } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/endpoints`

/** The page that shows the secret of an endpoint that was just added or rotated. */
export function pathWithSecret({ secrets, sandbox }: Visit, endpoint: Endpoint): string {
  return `${PATH}?secret=${secrets.keep(sandbox, endpoint)}`
}

/** Where events are sent. */
export async function endpoints({ sandboxes, sandbox, secrets, query }: Visit): Promise<View> {
  const changed = secrets.take(sandbox, query.get('secret') ?? '')
  const found = await sandboxes.store.endpoints.list(sandbox)
  const rows = found.map((endpoint) => {
    const { id, url, kinds } = endpoint
    const path = `${PATH}/${encodeURIComponent(id)}`
    return html`<tr id="${id}">
<th scope="row">${id}</th>
<td class="long">${url}</td>
<td>${kinds?.join(', ') ?? 'all'}</td>
<td>${isListener(endpoint) ? PRINTED : button(`${path}/rotate`, 'Rotate the secret', `of ${id}`)}</td>
<td><details><summary>Remove… <span class="unseen">${id}</span></summary>
${button(`${path}/remove`, 'Remove with all deliveries', `of ${id}`)}
</details></td>
</tr>`
  })
  return {
    title: 'Endpoints',
    within: PATH,
    address: PATH,
    ...(changed && { before: shownOnce(changed) }),
    live: html`${summary(`${count(found.length, 'endpoint', 'endpoints')}.`)}
${rows.length > 0 && table('Endpoints', ['Endpoint', 'URL', 'Events', 'Secret', 'Removal'], rows)}`,
    after: ADD,
  }
}

const PRINTED = html`<code>listen</code> prints it.`

function shownOnce({ id, secret }: Endpoint): Html {
  return html`<div class="notice" role="status">
<p>The secret of ${id}, shown only now:</p>
<p><code class="secret" tabindex="0">${secret}</code></p>
</div>`
}

const KINDS = eventKinds.map(
  (kind) => html`<label><input type="checkbox" name="events" value="${kind}"> ${kind}</label>`,
)

const ADD = html`<section aria-labelledby="add">
<h2 id="add">Add an endpoint</h2>
<form method="post" action="${PATH}" class="fields">
<label for="url">URL</label>
<input id="url" name="url" type="url" required maxlength="${MOST.url}" placeholder="http://127.0.0.1:3000/webhooks">
<fieldset><legend>Events <span class="faint">(none ticked: all)</span></legend>${KINDS}</fieldset>
<label for="secret">Secret <span class="faint">(empty: one is made up)</span></label>
<input id="secret" name="secret" maxlength="${MOST.secret}" autocomplete="off" spellcheck="false">
<button>Add</button>
</form>
</section>`
