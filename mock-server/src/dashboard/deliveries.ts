import { html } from 'hono/html'
import { STATES } from '../store/types.ts'
import type { View } from './layout.ts'
import { BASE, badge, button, count, deliveryTable, pathOf, summary } from './parts.ts'
import type { Visit } from './visit.ts'

const SHOWN = 50

/** The deliveries of all states or of one, the newest first. */
export async function deliveries({ sandboxes, sandbox, query }: Visit): Promise<View> {
  const state = STATES.find((one) => one === query.get('state'))
  const found = await sandboxes.deliveries(sandbox, { state }, SHOWN)
  const endpoints = await sandboxes.endpoints(sandbox)
  const options = STATES.map(
    (one) => html`<option${one === state && html` selected`}>${one}</option>`,
  )
  const what = `${state ?? ''} ${found.length === 1 ? 'delivery' : 'deliveries'}`.trim()
  return {
    title: 'Deliveries',
    within: `${BASE}/deliveries`,
    before: html`<form method="get" action="${BASE}/deliveries" class="row">
<label for="state">State</label>
<select id="state" name="state"><option value="">all</option>${options}</select>
<button>Filter</button>
</form>`,
    live: html`${summary(`${found.length} ${what}${found.length === SHOWN ? ', the newest' : ''}.`)}
${
  found.length > 0 &&
  deliveryTable('Deliveries', found, endpoints, ['State', (delivery) => badge(delivery.state)])
}
${endpoints.length === 0 && html`<p>There is no endpoint yet: <a href="${BASE}/endpoints">add one</a>.</p>`}`,
  }
}

/** The deliveries that were given up, each with a click to try it again. */
export async function deadLetters({ sandboxes, sandbox }: Visit): Promise<View> {
  const found = await sandboxes.deliveries(sandbox, { state: 'dead' }, SHOWN)
  const endpoints = await sandboxes.endpoints(sandbox)
  const replayOne = ({ id }: { id: string }) =>
    button(`${pathOf.delivery(id)}/replay`, 'Replay', id)
  return {
    title: 'Dead letters',
    within: `${BASE}/dead`,
    live: html`${summary(`${count(found.length, 'dead delivery', 'dead deliveries')}${found.length === SHOWN ? ', the newest' : ''}.`)}
${
  found.length > 0 &&
  html`${button(`${BASE}/replay`, 'Replay all dead deliveries')}
${deliveryTable('Dead letters', found, endpoints, ['Again', replayOne])}`
}`,
  }
}
