import type { Message } from '@support-chat/sdk'
import { html } from 'hono/html'
import type { Conversation } from '../store/types.ts'
import { MAX_LENGTH } from './form.ts'
import type { View } from './layout.ts'
import { badge, button, type Html, pathOf, time } from './parts.ts'
import type { Visit } from './visit.ts'

/** One conversation, with the possible actions of its visitor. */
export async function conversation({ sandboxes, sandbox, path, query }: Visit): Promise<View> {
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
<div class="steps">${stepsOf(conversation, query.get('done') === 'message')}</div>
</section>`,
    after: html`<p class="faint">Agents reply through the API:
<code>POST /v1/conversations/${id}/messages</code>.</p>`,
  }
}

function messageItem({ id, author, text, created_at }: Message): Html {
  const { type, name } = author
  return html`<li id="${id}" class="${type}">
<p class="faint"><b><bdi>${name ?? type}</bdi></b>${name && `, ${type}`} · ${time(Date.parse(created_at))}</p>
<p class="text" dir="auto">${text}</p>
</li>`
}

/** The steps that are possible in a conversation's state. */
function stepsOf(conversation: Conversation, hasSent: boolean): Html[] {
  const { id, status, rating } = conversation
  const path = pathOf.conversation(id)
  if (status === 'resolved') return rating === null ? [csatForm(path)] : [FINISHED]
  const handoff = status === 'handed_off' ? [] : [handoffForm(path)]
  return [messageForm(path, hasSent), ...handoff, button(`${path}/resolve`, 'Resolve conversation')]
}

const FINISHED = html`<p>This conversation is resolved and rated. No further action is possible.</p>`

function messageForm(path: string, hasSent: boolean): Html {
  return html`<form id="message" method="post" action="${path}/messages" class="fields">
<label for="text">Message</label>
<textarea id="text" name="text" rows="3" required maxlength="${MAX_LENGTH.text}"${hasSent && html` autofocus`}></textarea>
<button>Send message</button>
</form>`
}

function handoffForm(path: string): Html {
  return html`<form id="handoff" method="post" action="${path}/handoff" class="fields">
<label for="reason">Reason for the handoff</label>
<input id="reason" name="reason" required maxlength="${MAX_LENGTH.reason}" value="The visitor asked for a human.">
<button>Hand off to a human</button>
</form>`
}

function csatForm(path: string): Html {
  const options = ['5', '4', '3', '2', '1'].map((value) => html`<option>${value}</option>`)
  return html`<form id="csat" method="post" action="${path}/csat" class="fields">
<label for="rating">Rating (5 is best)</label>
<select id="rating" name="rating">${options}</select>
<label for="comment">Comment <span class="faint">(optional)</span></label>
<textarea id="comment" name="comment" rows="2" maxlength="${MAX_LENGTH.comment}"></textarea>
<button>Submit rating</button>
</form>`
}
