import { html } from 'hono/html'
import type { Endpoint, Statistics } from '../store/types.ts'
import { isListener } from '../store/types.ts'
import { urlOf } from './deliveries.ts'
import { triggerForm } from './events.ts'
import { textField } from './fields.ts'
import type { View } from './layout.ts'
import {
  BASE,
  badge,
  block,
  button,
  copy,
  count,
  empty,
  fold,
  type Html,
  summary,
  table,
} from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/endpoints`
/** Statistics are of that many deliveries in each state. */
const COUNTED = 1000

/** The page that shows the secret of an endpoint that was just added or rotated. */
export function pathWithSecret({ secrets, sandbox }: Visit, endpoint: Endpoint): string {
  return `${PATH}?secret=${secrets.keep(sandbox, endpoint)}`
}

/** The endpoints. */
export async function endpoints(visit: Visit): Promise<View> {
  const { sandboxes, sandbox, secrets, query, form } = visit
  const { kinds } = sandboxes.bindings.forms.description
  const { store } = sandboxes
  const changed = await secrets.take(sandbox, query.get('secret') ?? '')
  const found = await store.endpoints.list(sandbox)
  const statistics = await store.deliveries.statistics(sandbox, COUNTED)
  const rows = found.map((endpoint) => {
    const counted = statistics.find((one) => one.endpoint_id === endpoint.id)
    return endpointRow(endpoint, counted)
  })
  const isEmpty = found.length === 0
  const add = addForm(visit, kinds)
  return {
    title: 'Endpoints',
    within: PATH,
    address: PATH,
    before: html`${changed && shownOnce(changed)}
${fold('add', 'Add an endpoint', add, form?.text('url') !== undefined || isEmpty)}
${!isEmpty && kinds.length > 0 && fold('test', 'Send a test event', triggerForm(visit), form?.text('kind') !== undefined)}`,
    live: html`${summary(`${count(found.length, 'endpoint', 'endpoints')}.`)}
${
  isEmpty
    ? empty(
        'No endpoints yet.',
        html`Add the URL of your handler above. If the mock server cannot reach it, forward deliveries from your machine:`,
        block(
          'npx support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks',
          'the command',
        ),
      )
    : table(
        'Endpoints',
        ['Endpoint', 'URL', 'Events', 'Deliveries', 'Secret', 'Receives', 'Remove'],
        rows,
      )
}`,
  }
}

function endpointRow(endpoint: Endpoint, counted: Statistics | undefined): Html {
  const { id, kinds, revision, isDisabled = false } = endpoint
  const path = `${PATH}/${encodeURIComponent(id)}`
  const url = urlOf(endpoint)
  return html`<tr id="${id}">
<th scope="row">${id}</th>
<td class="long">${url} ${copy(url, `the URL of ${id}`)}</td>
<td>${kinds?.join(', ') ?? 'all'}${revision && html`<br><span class="faint">revision ${revision}</span>`}</td>
<td>${isDisabled && html`${badge('pending', 'disabled')} `}${statisticsOf(id, counted)}</td>
<td>${isListener(endpoint) ? PRINTED : button(`${path}/rotate`, 'Rotate secret', `of ${id}`)}</td>
<td>${isDisabled ? button(`${path}/enable`, 'Enable', id) : button(`${path}/disable`, 'Disable', id)}</td>
<td><details><summary>Remove… <span class="unseen">${id}</span></summary>
${button(`${path}/remove`, 'Remove endpoint and its deliveries', `of ${id}`)}
</details></td>
</tr>`
}

/** How many deliveries are in each state, with links to them. */
function statisticsOf(id: string, counted: Statistics | undefined): Html {
  if (!counted) return html`<span class="faint">none yet</span>`
  const { succeeded, pending, dead } = counted
  const ended = succeeded + dead
  const share =
    ended > 0 && html` <span class="faint">(${Math.round((100 * succeeded) / ended)} %)</span>`
  const shown = Object.entries({ succeeded, pending, dead }).filter(([, number]) => number > 0)
  const links = shown.map(
    ([state, number]) =>
      html`<a class="${state}" href="${BASE}/deliveries?endpoint=${encodeURIComponent(id)}&amp;state=${state}">${number === COUNTED ? `${COUNTED}+` : number} ${state}</a> `,
  )
  return html`${links}${share}`
}

const PRINTED = html`Printed by <code>listen</code>.`

function shownOnce({ id, secret }: Endpoint): Html {
  return html`<div class="notice" role="status">
<p>Copy the signing secret of ${id} now. It is not shown again.</p>
<p><code class="secret" tabindex="0">${secret}</code> ${copy(secret, 'the secret')}</p>
</div>`
}

function addForm(visit: Visit, kinds: readonly string[]): Html {
  const chosen = visit.form?.choices('events', kinds) ?? []
  const boxes = kinds.map(
    (kind) =>
      html`<label><input type="checkbox" name="events" value="${kind}"${chosen.includes(kind) && html` checked`}> ${kind}</label>`,
  )
  return html`<form method="post" action="${PATH}" class="fields">
${textField(visit, 'url', { label: 'URL', required: true, type: 'url', placeholder: 'http://127.0.0.1:3000/webhooks' })}
<fieldset><legend>Events <span class="faint">(select none for all)</span></legend>${boxes}</fieldset>
${textField(visit, 'secret', { label: 'Signing secret', hint: 'leave empty to generate one', isCode: true })}
<button>Add endpoint</button>
</form>`
}
