import { html } from 'hono/html'
import { Problem } from '../door/problem.ts'
import { deliveriesOf } from './deliveries.ts'
import { conversationOf } from './events.ts'
import type { View } from './layout.ts'
import { BASE, block, button, copy, empty, facts, indented, pathOf, time } from './parts.ts'
import type { Visit } from './visit.ts'

/** The most deliveries of an event that are shown: one for each endpoint. */
const SHOWN = 100

/** One event with its deliveries. */
export async function event({ sandboxes, sandbox, path }: Visit): Promise<View> {
  const { id = '' } = path
  const { deliveries, endpoints } = {
    deliveries: sandboxes.store.deliveries,
    endpoints: await sandboxes.store.endpoints.list(sandbox),
  }
  const [found] = await deliveries.events(sandbox, 1, undefined, sandboxes.logged, { event: id })
  if (!found) throw new Problem(404, 'event_not_found', `There is no event ${id}.`)
  const sent = await deliveries.list(sandbox, { event: id }, SHOWN)
  const conversation = conversationOf(found.body, sandboxes.bindings)
  const areDone = sent.some(({ state }) => state !== 'pending')
  return {
    title: found.kind,
    within: `${BASE}/events`,
    live: html`${facts([
      ['Event ID', html`<code>${id}</code> ${copy(id, 'the event ID')}`],
      ['Occurred', time(found.occurredAt)],
      [
        'Conversation',
        conversation && html`<a href="${pathOf.conversation(conversation)}">${conversation}</a>`,
      ],
    ])}
<h2>Deliveries</h2>
${
  sent.length > 0
    ? deliveriesOf('Deliveries', sent, endpoints)
    : empty(
        'It was sent to no endpoint.',
        html`No endpoint wanted this kind when the event occurred. <a href="${BASE}/endpoints">Add an endpoint</a>, and
send it again.`,
      )
}
${areDone && button(`${BASE}/replay`, 'Replay all', 'deliveries of this event', { event: id })}
<h2>Payload</h2>
${block(indented(found.body), 'the event')}`,
  }
}
