import { html } from 'hono/html'
import type { Bindings } from '../sandbox/bindings.ts'
import type { Logged } from '../store/types.ts'
import {
  addressOf,
  filterField,
  filterForm,
  selectField,
  textField,
  timeIn,
  typed,
} from './fields.ts'
import type { View } from './layout.ts'
import { numberIn, pageOf } from './paging.ts'
import { BASE, count, empty, fold, type Html, pathOf, summary, table, time } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/events`

/** The events, newest first. */
export async function events(visit: Visit): Promise<View> {
  const { sandboxes, sandbox, query, form } = visit
  const { kinds } = sandboxes.bindings.forms.description
  const chosen = {
    kind: kinds.find((one) => one === query.get('kind')),
    event: query.get('event') || undefined,
  }
  const conversation = query.get('conversation') || undefined
  const times = { since: timeIn(query.get('since')), until: timeIn(query.get('until')) }
  const filter = { ...chosen, ...times, mention: conversation }
  const address = addressOf(PATH, { ...chosen, conversation, ...timesOf(query) })
  const { shown, links } = await pageOf(query, {
    what: 'events',
    address,
    read: (limit, before) => {
      const position = numberIn(before)
      return sandboxes.store.deliveries.events(sandbox, limit, position, sandboxes.logged, filter)
    },
    positionOf: ({ position }) => position,
  })
  const isFiltered = address !== PATH
  return {
    title: 'Events',
    within: PATH,
    before: html`${filterForm({
      path: PATH,
      query,
      fields: [
        selectField('kind', 'Kind', kinds, chosen.kind, 'all'),
        filterField(query, 'event', 'Event ID', 'evt_…'),
        filterField(query, 'conversation', 'Conversation', 'conv_…'),
        filterField(query, 'since', 'From (UTC)', '', 'datetime-local'),
        filterField(query, 'until', 'Until (UTC)', '', 'datetime-local'),
      ],
    })}
${kinds.length > 0 && fold('trigger', 'Send an event', triggerForm(visit, 'send-'), form !== undefined)}`,
    live: html`${summary(`${count(shown.length, 'event', 'events')} on this page.`)}
${shown.length > 0 ? eventTable(shown, sandboxes.bindings) : noEvents(isFiltered, kinds.length > 0)}
${links}`,
  }
}

/** The times of a filter, as they were chosen. */
export function timesOf(query: ReadonlyMap<string, string>) {
  return { since: query.get('since'), until: query.get('until') }
}

function noEvents(isFiltered: boolean, hasKinds: boolean): Html {
  if (isFiltered) return empty('No events match.', html`<a href="${PATH}">Show all events</a>`)
  if (!hasKinds) return empty('The contract has no events.')
  return empty(
    'No events yet.',
    html`<a href="${BASE}/conversations">Create a conversation</a>, or send an example of any kind above.`,
  )
}

function eventTable(events: readonly Logged[], bindings: Bindings): Html {
  const rows = events.map(({ id, kind, occurredAt, body }) => {
    const conversation = conversationOf(body, bindings)
    return html`<tr id="${id}">
<td>${time(occurredAt)}</td>
<td>${kind}</td>
<th scope="row"><a href="${pathOf.event(id)}">${id}</a></th>
<td>${conversation && html`<a href="${pathOf.conversation(conversation)}">${conversation}</a>`}</td>
<td><a href="${BASE}/deliveries?event=${encodeURIComponent(id)}">Deliveries<span class="unseen"> of ${id}</span></a></td>
</tr>`
  })
  return table('Events', ['Time', 'Kind', 'Event', 'Conversation', 'Deliveries'], rows)
}

/** The conversation of an event: the first text of its data that has the form of such an id. */
export function conversationOf(body: string, { prefixes }: Bindings): string | undefined {
  const { conversation: prefix } = prefixes
  if (prefix === '') return undefined
  let found: string | undefined
  JSON.parse(body, (name, value) => {
    if (name !== 'id' && typeof value === 'string' && value.startsWith(prefix)) found ??= value
    return value
  })
  return found
}

/** Sends an example of any kind that the contract has. @param prefix Of the ids of its fields. */
export function triggerForm(visit: Visit, prefix = ''): Html {
  const { kinds } = visit.sandboxes.bindings.forms.description
  const chosen = typed(visit, 'kind')
  const options = kinds.map(
    (kind) => html`<option${kind === chosen && html` selected`}>${kind}</option>`,
  )
  return html`<form method="post" action="${BASE}/trigger" class="fields">
<label for="${prefix}kind">Kind</label>
<select id="${prefix}kind" name="kind">${options}</select>
${textField(visit, 'data', {
  label: "Data to merge into the contract's example, as JSON",
  hint: 'optional',
  rows: 2,
  isCode: true,
})}
<button>Send event</button>
</form>`
}
