import type { Message } from '@support-chat/sdk'
import { html } from 'hono/html'
import type { Conversation } from '../store/types.ts'
import { MOST } from './form.ts'
import type { View } from './layout.ts'
import { badge, button, type Html, pathOf, time } from './parts.ts'
import type { Visit } from './visit.ts'

/** One conversation, with what its visitor can do. */
export async function conversation({ sandboxes, sandbox, path, query }: Visit): Promise<View> {
  const { conversation, messages } = await sandboxes.thread(sandbox, path.id ?? '')
  const { id, visitor, status, intent, handoff, rating, createdAt } = conversation
  const facts: Array<[name: string, value: unknown]> = [
    ['Visitor', visitor && html`<bdi>${visitor}</bdi>`],
    ['Status', html`<span role="status">${badge(status)}</span>`],
    ['Opened', time(createdAt)],
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
<h2 id="thread">Thread</h2>
<div role="log" aria-labelledby="thread"><ol class="thread">${messages.map(said)}</ol></div>
</section>
<section aria-labelledby="visitor">
<h2 id="visitor">Be the visitor</h2>
<div class="steps">${stepsOf(conversation, query.get('done') === 'message')}</div>
</section>`,
    after: html`<p class="faint">The team answers through the API:
<code>POST /v1/conversations/${id}/messages</code>.</p>`,
  }
}

function said({ id, author, text, created_at }: Message): Html {
  const { type, name } = author
  return html`<li id="${id}" class="${type}">
<p class="faint"><b><bdi>${name ?? type}</bdi></b>${name && `, ${type}`} · ${time(Date.parse(created_at))}</p>
<p class="said" dir="auto">${text}</p>
</li>`
}

/** The steps that are possible in a conversation's state. */
function stepsOf(conversation: Conversation, hasSaid: boolean): Html[] {
  const { id, status, rating } = conversation
  const path = pathOf.conversation(id)
  if (status === 'resolved') return rating === null ? [rate(path)] : [OVER]
  const handoff = status === 'handed_off' ? [] : [ask(path)]
  return [write(path, hasSaid), ...handoff, button(`${path}/resolve`, 'Resolve the conversation')]
}

const OVER = html`<p>The conversation is resolved and rated: nothing more can happen to it.</p>`

function write(path: string, hasSaid: boolean): Html {
  return html`<form id="write" method="post" action="${path}/messages" class="fields">
<label for="text">Message</label>
<textarea id="text" name="text" rows="3" required maxlength="${MOST.text}"${hasSaid && html` autofocus`}></textarea>
<button>Send</button>
</form>`
}

function ask(path: string): Html {
  return html`<form id="ask" method="post" action="${path}/handoff" class="fields">
<label for="reason">Reason for a human</label>
<input id="reason" name="reason" required maxlength="${MOST.reason}" value="The visitor asked for a human.">
<button>Ask for a human</button>
</form>`
}

function rate(path: string): Html {
  const options = ['5', '4', '3', '2', '1'].map((value) => html`<option>${value}</option>`)
  return html`<form id="rate" method="post" action="${path}/csat" class="fields">
<label for="rating">Rating, 5 is best</label>
<select id="rating" name="rating">${options}</select>
<label for="comment">Comment <span class="faint">(optional)</span></label>
<textarea id="comment" name="comment" rows="2" maxlength="${MOST.comment}"></textarea>
<button>Rate the conversation</button>
</form>`
}
