import { html } from 'hono/html'
import {
  type Delivery,
  type DeliveryFilter,
  type Endpoint,
  isListener,
  LISTENER_SCHEME,
  STATES,
} from '../store/types.ts'
import { timesOf } from './events.ts'
import { addressOf, filterField, filterForm, selectField, timeIn } from './fields.ts'
import type { View } from './layout.ts'
import { pageOf } from './paging.ts'
import {
  BASE,
  badge,
  button,
  count,
  deliveryTable,
  empty,
  type Html,
  pathOf,
  summary,
} from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/deliveries`

/** Deliveries are counted up to this number. */
const COUNTED = 1000

/** The deliveries, newest first. */
export async function deliveries({ sandboxes, sandbox, query }: Visit): Promise<View> {
  const { store, bindings } = sandboxes
  const { kinds } = bindings.forms.description
  const endpoints = await store.endpoints.list(sandbox)
  const chosen = {
    state: STATES.find((one) => one === query.get('state')),
    kind: kinds.find((one) => one === query.get('kind')),
    endpoint: query.get('endpoint') || undefined,
    event: query.get('event') || undefined,
    delivery: query.get('delivery') || undefined,
  }
  const filter = { ...chosen, since: timeIn(query.get('since')), until: timeIn(query.get('until')) }
  const fields = { ...chosen, ...timesOf(query) }
  const { shown, links } = await pageOf(query, {
    what: 'deliveries',
    address: addressOf(PATH, fields),
    read: (limit, before) => store.deliveries.list(sandbox, filter, limit, before),
    positionOf: ({ id }) => id,
  })
  const totals = await totalsOf(filter, (one) => store.deliveries.count(sandbox, one, COUNTED))
  const done = totals.filter(({ state }) => state !== 'pending')
  const replayed = done.reduce((sum, { total }) => sum + total, 0)
  const isFiltered = Object.values(fields).some(Boolean)
  const isPaused = await sandboxes.deliveries.isPaused(sandbox)
  return {
    title: 'Deliveries',
    within: PATH,
    before: filterForm({
      path: PATH,
      query,
      fields: [
        selectField('state', 'State', STATES, chosen.state, 'all'),
        selectField('kind', 'Kind', kinds, chosen.kind, 'all'),
        selectField(
          'endpoint',
          'Endpoint',
          endpoints.map((one) => [one.id, urlOf(one)] as const),
          chosen.endpoint,
          'all',
        ),
        filterField(query, 'event', 'Event ID', 'evt_…'),
        filterField(query, 'delivery', 'Delivery ID', 'dlv_…'),
        filterField(query, 'since', 'From (UTC)', '', 'datetime-local'),
        filterField(query, 'until', 'Until (UTC)', '', 'datetime-local'),
      ],
    }),
    live: html`<div class="row">${summary(inWords(totals))}
${
  replayed > 0 &&
  isFiltered &&
  button(`${BASE}/replay`, `Replay ${many(replayed)}`, 'deliveries', given(fields))
}
${
  isPaused
    ? html`<span class="pending">Paused.</span> ${button(`${PATH}/resume`, 'Resume', 'deliveries')}`
    : endpoints.length > 0 && button(`${PATH}/pause`, 'Pause', 'deliveries')
}</div>
${
  shown.length > 0
    ? deliveriesOf('Deliveries', shown, endpoints)
    : noDeliveries(isFiltered, endpoints.length > 0)
}
${links}`,
  }
}

/** A table of deliveries with their states. */
export function deliveriesOf(
  caption: string,
  shown: readonly Delivery[],
  endpoints: readonly Endpoint[],
): Html {
  return deliveryTable(caption, shown, endpoints, ['State', ({ state }) => badge(state)])
}

/** The URL that an endpoint posts to, or forwards to. */
export function urlOf(endpoint: Endpoint): string {
  const url = endpoint.url.replace(LISTENER_SCHEME, '')
  return isListener(endpoint) ? `${url} (listen)` : url
}

interface Total {
  state: (typeof STATES)[number]
  total: number
}

/** How many deliveries a filter has in each state. */
function totalsOf(
  filter: DeliveryFilter,
  counted: (filter: DeliveryFilter) => Promise<number>,
): Promise<Total[]> {
  const states = filter.state === undefined ? STATES : [filter.state]
  return Promise.all(
    states.map(async (state) => ({ state, total: await counted({ ...filter, state }) })),
  )
}

function inWords(totals: readonly Total[]): string {
  return `${totals.map(({ state, total }) => `${many(total)} ${state}`).join(', ')}.`
}

function many(total: number): string {
  return total >= COUNTED ? `${COUNTED} or more` : String(total)
}

function given(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const all = Object.entries(fields).filter((one): one is [string, string] => Boolean(one[1]))
  return Object.fromEntries(all)
}

function noDeliveries(isFiltered: boolean, hasEndpoints: boolean): Html {
  if (isFiltered) {
    return empty('No deliveries match.', html`<a href="${PATH}">Show all deliveries</a>`)
  }
  return hasEndpoints
    ? empty(
        'No deliveries yet.',
        html`<a href="${BASE}/events">Send an event</a>, or <a href="${BASE}/conversations">write as a visitor</a>.`,
      )
    : empty(
        'No deliveries yet, because there are no endpoints.',
        html`<a href="${BASE}/endpoints">Add an endpoint</a> to receive events.`,
      )
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
  const total = count(dead, 'dead delivery', 'dead deliveries')
  return {
    title: 'Dead letters',
    within: `${BASE}/dead`,
    live: html`<div class="row">${summary(`${total}${dead === COUNTED ? ' or more' : ''}.`)}
${dead > 0 && button(`${BASE}/replay`, 'Replay all', '', { state: 'dead' })}</div>
${
  shown.length > 0
    ? deliveryTable('Dead letters', shown, endpoints, ['Replay', replayOne])
    : empty(
        'No dead letters.',
        html`A delivery comes here after five failed attempts, or when its receiver refuses it.`,
      )
}
${links}`,
  }
}
