import { html } from 'hono/html'
import type { ThreadMessage } from '../sandbox/shapes.ts'
import type { Conversation } from '../store/types.ts'
import { selectField, textField, typed } from './fields.ts'
import { ratingsOf } from './form.ts'
import type { View } from './layout.ts'
import { numberIn } from './paging.ts'
import { BASE, badge, button, copy, facts, type Html, pathOf, time } from './parts.ts'
import type { Visit } from './visit.ts'

/** How many messages a page shows. */
const SHOWN = 100

/** One conversation, with the possible actions of its visitor and its team. */
export async function conversation(visit: Visit): Promise<View> {
  const { sandboxes, sandbox, path, query } = visit
  const before = numberIn(query.get('before'))
  const piece = await sandboxes.messages(sandbox, path.id ?? '', SHOWN, before)
  const { conversation, messages, first, total } = piece
  const { id, visitor, status, intent, handoff, rating, createdAt } = conversation
  const last = first + messages.length - 1
  return {
    title: `Conversation ${id}`,
    within: `${BASE}/conversations`,
    live: html`${facts([
      ['Status', html`<span role="status">${badge(status)}</span>`],
      ['Visitor', visitor && html`<bdi>${visitor}</bdi>`],
      ['Created', time(createdAt)],
      ['Intent', intent],
      ['Handed off', handoff && html`${time(handoff.requestedAt)}: <bdi>${handoff.reason}</bdi>`],
      ['Rating', rating && `${rating} of 5`],
      ['ID', copy(id, 'the ID of the conversation')],
      [
        'Events',
        html`<a href="${BASE}/events?conversation=${encodeURIComponent(id)}">of this conversation</a>`,
      ],
      ['Requests', requestsOf(visit, id)],
    ])}
<section aria-labelledby="thread">
<h2 id="thread">Messages</h2>
${total > messages.length && pieces(id, first, last, total)}
<div role="log" aria-labelledby="thread"><ol class="thread" start="${first}">${messages.map(messageItem)}</ol></div>
</section>
<section aria-labelledby="act">
<h2 id="act">Act</h2>
<div class="steps">${stepsOf(visit, conversation, query.get('done') === 'message')}</div>
</section>`,
  }
}

/** A link to the requests about a conversation, if the contract has such. */
function requestsOf({ sandboxes, operations }: Visit, id: string): Html | undefined {
  const { described } = sandboxes.bindings.operation('get') ?? {}
  const template = operations.find(({ prism }) => prism.path === described?.path)?.path
  if (template === undefined) return undefined
  const path = encodeURIComponent(`${template.replace(/\{[^}]*\}/, id)}*`)
  return html`<a href="${BASE}/requests?path=${path}">about this conversation</a>`
}

/** Which messages of a long conversation are shown, and the way to others. */
function pieces(id: string, first: number, last: number, total: number): Html {
  const path = pathOf.conversation(id)
  return html`<p class="row">
<span>${last < first ? 'None' : `${first} to ${last}`} of ${total} messages.</span>
${first > 1 && html`<a id="older" href="${path}?before=${first}">Older messages</a>`}
${last < total && html`<a id="newest" href="${path}">Newest messages</a>`}
</p>`
}

function messageItem({ id, author, text, created_at }: ThreadMessage): Html {
  const { type, name } = author
  return html`<li id="${id}" class="${type}">
<p class="faint"><b><bdi>${name ?? type}</bdi></b>${name && `, ${type}`} · ${time(Date.parse(created_at))}</p>
<p class="text" dir="auto">${text}</p>
</li>`
}

/** The steps that are possible in a conversation's state. */
function stepsOf(visit: Visit, conversation: Conversation, hasSent: boolean): Html[] {
  const { id, status, rating } = conversation
  const path = pathOf.conversation(id)
  if (status === 'resolved') return rating === null ? [csatForm(visit, path)] : [FINISHED]
  const handoff = status === 'handed_off' ? [] : [handoffForm(visit, path)]
  return [
    messageForm(visit, path, hasSent),
    ...handoff,
    button(`${path}/resolve`, 'Resolve conversation'),
  ]
}

const FINISHED = html`<p>This conversation is resolved and rated. No further action is possible.</p>`

function messageForm(visit: Visit, path: string, hasSent: boolean): Html {
  return html`<form id="message" method="post" action="${path}/messages" class="fields">
${textField(visit, 'text', { label: 'Message', required: true, rows: 3, hasFocus: hasSent })}
<div class="row"><button name="author" value="visitor">Send as the visitor</button>
<button name="author" value="agent">Send as an agent</button></div>
</form>`
}

function handoffForm(visit: Visit, path: string): Html {
  return html`<form id="handoff" method="post" action="${path}/handoff" class="fields">
${textField(visit, 'reason', {
  label: 'Reason for the handoff',
  required: true,
  value: 'The visitor asked for a human.',
})}
<button>Hand off to a human</button>
</form>`
}

function csatForm(visit: Visit, path: string): Html {
  const ratings = ratingsOf(visit.limits).reverse()
  return html`<form id="csat" method="post" action="${path}/csat" class="fields">
${selectField('rating', `Rating (${ratings[0]} is best)`, ratings, typed(visit, 'rating'))}
${textField(visit, 'comment', { label: 'Comment', hint: 'optional', rows: 2 })}
<button>Submit rating</button>
</form>`
}
