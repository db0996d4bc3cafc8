import { html } from 'hono/html'
import type { Endpoint } from '../store/types.ts'
import { isListener } from '../store/types.ts'
import { type Limits, maxLength } from './form.ts'
import type { View } from './layout.ts'
import { BASE, button, count, type Html, summary, table } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/endpoints`

/** The page that shows the secret of an endpoint that was just added or rotated. */
export function pathWithSecret({ secrets, sandbox }: Visit, endpoint: Endpoint): string {
  return `${PATH}?secret=${secrets.keep(sandbox, endpoint)}`
}

/** The endpoints. */
export async function endpoints(visit: Visit): Promise<View> {
  const { sandboxes, sandbox, secrets, query, limits } = visit
  const { kinds } = sandboxes.bindings.forms.description
  const changed = secrets.take(sandbox, query.get('secret') ?? '')
  const found = await sandboxes.store.endpoints.list(sandbox)
  const rows = found.map((endpoint) => {
    const { id, url, kinds, revision } = endpoint
    const path = `${PATH}/${encodeURIComponent(id)}`
    return html`<tr id="${id}">
<th scope="row">${id}</th>
<td class="long">${url}</td>
<td>${kinds?.join(', ') ?? 'all'}${revision && html`<br><span class="faint">revision ${revision}</span>`}</td>
<td>${isListener(endpoint) ? PRINTED : button(`${path}/rotate`, 'Rotate secret', `of ${id}`)}</td>
<td><details><summary>Remove… <span class="unseen">${id}</span></summary>
${button(`${path}/remove`, 'Remove endpoint and its deliveries', `of ${id}`)}
</details></td>
</tr>`
  })
  return {
    title: 'Endpoints',
    within: PATH,
    address: PATH,
    ...(changed && { before: shownOnce(changed) }),
    live: html`${summary(`${count(found.length, 'endpoint', 'endpoints')}.`)}
${rows.length > 0 && table('Endpoints', ['Endpoint', 'URL', 'Events', 'Secret', 'Remove'], rows)}`,
    after: addForm(kinds, limits),
  }
}

const PRINTED = html`Printed by <code>listen</code>.`

function shownOnce({ id, secret }: Endpoint): Html {
  return html`<div class="notice" role="status">
<p>Copy the signing secret of ${id} now. It is not shown again.</p>
<p><code class="secret" tabindex="0">${secret}</code></p>
</div>`
}

function addForm(kinds: readonly string[], limits: Limits): Html {
  const boxes = kinds.map(
    (kind) => html`<label><input type="checkbox" name="events" value="${kind}"> ${kind}</label>`,
  )
  return html`<section aria-labelledby="add">
<h2 id="add">Add an endpoint</h2>
<form method="post" action="${PATH}" class="fields">
<label for="url">URL</label>
<input id="url" name="url" type="url" required${maxLength(limits, 'url')} placeholder="http://127.0.0.1:3000/webhooks">
<fieldset><legend>Events <span class="faint">(select none for all)</span></legend>${boxes}</fieldset>
<label for="secret">Signing secret <span class="faint">(leave empty to generate one)</span></label>
<input id="secret" name="secret"${maxLength(limits, 'secret')} autocomplete="off" spellcheck="false">
<button>Add endpoint</button>
</form>
</section>`
}
