import { html } from 'hono/html'
import { STATES } from '../store/types.ts'
import type { View } from './layout.ts'
import { pageOf } from './paging.ts'
import { BASE, badge, button, count, deliveryTable, pathOf, summary } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/deliveries`

/** Dead deliveries are counted up to this number. */
const COUNTED = 1000

/** The deliveries of all states or of one, newest first. */
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
${endpoints.length === 0 && html`<p>There are no endpoints. <a href="${BASE}/endpoints">Add an endpoint</a> to receive events.</p>`}`,
  }
}

/** The dead deliveries, each with a button that replays it. */
export async function deadLetters({ sandboxes, sandbox, query }: Visit): Promise<View> {
  const { shown, links } = await pageOf(query, {
    what: 'dead letters',
    address: `${BASE}/dead`,
    read: (limit, before) =>
      sandboxes.store.deliveries.list(sandbox, { state: 'dead' }, limit, before),
    positionOf: ({ id }) => id,
  })
  const dead = await sandboxes.store.deliveries.count(sandbox, { state: 'dead' }, COUNTED)
  const endpoints = await sandboxes.store.endpoints.list(sandbox)
  const replayOne = ({ id }: { id: string }) =>
    button(`${pathOf.delivery(id)}/replay`, 'Replay', id)
  return {
    title: 'Dead letters',
    within: `${BASE}/dead`,
    live: html`${summary(`${count(dead, 'dead delivery', 'dead deliveries')}${dead === COUNTED ? ' or more' : ''}.`)}
${dead > 0 && button(`${BASE}/replay`, 'Replay all')}
${shown.length > 0 && deliveryTable('Dead letters', shown, endpoints, ['Replay', replayOne])}
${links}`,
  }
}
