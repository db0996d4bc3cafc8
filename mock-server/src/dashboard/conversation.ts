import { html } from 'hono/html'
import type { Bindings } from '../sandbox/bindings.ts'
import type { ThreadMessage } from '../sandbox/shapes.ts'
import type { Conversation } from '../store/types.ts'
import { type Limits, maxLength, ratingsOf } from './form.ts'
import type { View } from './layout.ts'
import { badge, button, type Html, pathOf, time } from './parts.ts'
import type { Visit } from './visit.ts'

/** One conversation, with the possible actions of its visitor. */
export async function conversation(visit: Visit): Promise<View> {
  const { sandboxes, sandbox, path, query } = visit
  const { conversation, messages } = await sandboxes.thread(sandbox, path.id ?? '')
  const { id, visitor, status, intent, handoff, rating, createdAt } = conversation
  const facts: Array<[name: string, value: unknown]> = [
    ['Visitor', visitor && html`<bdi>${visitor}</bdi>`],
    ['Status', html`<span role="status">${badge(status)}</span>`],
    ['Created', time(createdAt)],
    ['Intent', intent],
    ['Handed off', handoff && html`${time(handoff.requestedAt)}: <bdi>${handoff.reason}</bdi>`],
    ['Rating', rating && `${rating} of 5`],
  ]
  const known = facts.filter(([, value]) => value)
  return {
    title: `Conversation ${id}`,
    within: '/',
    live: html`<dl>${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<section aria-labelledby="thread">
<h2 id="thread">Messages</h2>
<div role="log" aria-labelledby="thread"><ol class="thread">${messages.map(messageItem)}</ol></div>
</section>
<section aria-labelledby="visitor">
<h2 id="visitor">Act as the visitor</h2>
<div class="steps">${stepsOf(conversation, visit.limits, query.get('done') === 'message')}</div>
</section>`,
    after: agentsHint(sandboxes.bindings, id),
  }
}

/** How an agent replies, if the contract says so. */
function agentsHint(bindings: Bindings, id: string): Html {
  const { described } = bindings.operation('createMessage') ?? {}
  if (!described) return html``
  const path = described.path.replace(/\{[^}]*\}/, id)
  return html`<p class="faint">Agents reply through the API:
<code>${described.method} ${path}</code>.</p>`
}

function messageItem({ id, author, text, created_at }: ThreadMessage): Html {
  const { type, name } = author
  return html`<li id="${id}" class="${type}">
<p class="faint"><b><bdi>${name ?? type}</bdi></b>${name && `, ${type}`} · ${time(Date.parse(created_at))}</p>
<p class="text" dir="auto">${text}</p>
</li>`
}

/** The steps that are possible in a conversation's state. */
function stepsOf(conversation: Conversation, limits: Limits, hasSent: boolean): Html[] {
  const { id, status, rating } = conversation
  const path = pathOf.conversation(id)
  if (status === 'resolved') return rating === null ? [csatForm(path, limits)] : [FINISHED]
  const handoff = status === 'handed_off' ? [] : [handoffForm(path, limits)]
  return [
    messageForm(path, limits, hasSent),
    ...handoff,
    button(`${path}/resolve`, 'Resolve conversation'),
  ]
}

const FINISHED = html`<p>This conversation is resolved and rated. No further action is possible.</p>`

function messageForm(path: string, limits: Limits, hasSent: boolean): Html {
  return html`<form id="message" method="post" action="${path}/messages" class="fields">
<label for="text">Message</label>
<textarea id="text" name="text" rows="3" required${maxLength(limits, 'text')}${hasSent && html` autofocus`}></textarea>
<button>Send message</button>
</form>`
}

function handoffForm(path: string, limits: Limits): Html {
  return html`<form id="handoff" method="post" action="${path}/handoff" class="fields">
<label for="reason">Reason for the handoff</label>
<input id="reason" name="reason" required${maxLength(limits, 'reason')} value="The visitor asked for a human.">
<button>Hand off to a human</button>
</form>`
}

function csatForm(path: string, limits: Limits): Html {
  const ratings = ratingsOf(limits).reverse()
  const options = ratings.map((value) => html`<option>${value}</option>`)
  return html`<form id="csat" method="post" action="${path}/csat" class="fields">
<label for="rating">Rating (${ratings[0]} is best)</label>
<select id="rating" name="rating">${options}</select>
<label for="comment">Comment <span class="faint">(optional)</span></label>
<textarea id="comment" name="comment" rows="2"${maxLength(limits, 'comment')}></textarea>
<button>Submit rating</button>
</form>`
}
