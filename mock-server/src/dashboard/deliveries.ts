import { html } from 'hono/html'
import { STATES } from '../store/types.ts'
import type { View } from './layout.ts'
import { pageOf } from './paging.ts'
import { BASE, badge, button, count, deliveryTable, pathOf, summary } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/deliveries`

/** As far as dead deliveries are counted. */
const COUNTED = 1000

/** The deliveries of all states or of one, the newest first. */
export async function deliveries({ sandboxes, sandbox, query }: Visit): Promise<View> {
  const state = STATES.find((one) => one === query.get('state'))
  const { shown, links } = await pageOf(query, {
    what: 'deliveries',
    address: state ? `${PATH}?state=${state}` : PATH,
    read: (limit, before) => sandboxes.store.deliveries.list(sandbox, { state }, limit, before),
    positionOf: ({ id }) => id,
  })
  const endpoints = await sandboxes.store.endpoints.list(sandbox)
  const options = STATES.map(
    (one) => html`<option${one === state && html` selected`}>${one}</option>`,
  )
  const what = `${state ?? ''} ${shown.length === 1 ? 'delivery' : 'deliveries'}`.trim()
  return {
    title: 'Deliveries',
    within: PATH,
    before: html`<form method="get" action="${PATH}" class="row">
<label for="state">State</label>
<select id="state" name="state"><option value="">all</option>${options}</select>
<button>Filter</button>
</form>`,
    live: html`${summary(`${shown.length} ${what} on this page.`)}
${
  shown.length > 0 &&
  deliveryTable('Deliveries', shown, endpoints, ['State', (delivery) => badge(delivery.state)])
}
${links}
${endpoints.length === 0 && html`<p>There is no endpoint yet: <a href="${BASE}/endpoints">add one</a>.</p>`}`,
  }
}

/** The deliveries that were given up, each with a click to try it again. */
export async function deadLetters({ sandboxes, sandbox, query }: Visit): Promise<View> {
  const { shown, links } = await pageOf(query, {
    what: 'dead letters',
    address: `${BASE}/dead`,
    read: (limit, before) =>
      sandboxes.store.deliveries.list(sandbox, { state: 'dead' }, limit, before),
    positionOf: ({ id }) => id,
  })
  const dead = await sandboxes.store.deliveries.count(sandbox, 'dead', COUNTED)
  const endpoints = await sandboxes.store.endpoints.list(sandbox)
  const replayOne = ({ id }: { id: string }) =>
    button(`${pathOf.delivery(id)}/replay`, 'Replay', id)
  return {
    title: 'Dead letters',
    within: `${BASE}/dead`,
    live: html`${summary(`${count(dead, 'dead delivery', 'dead deliveries')}${dead === COUNTED ? ' or more' : ''}.`)}
${dead > 0 && button(`${BASE}/replay`, 'Replay all dead deliveries')}
${shown.length > 0 && deliveryTable('Dead letters', shown, endpoints, ['Again', replayOne])}
${links}`,
  }
}
