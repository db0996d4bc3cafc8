import { html } from 'hono/html'
import { type Limits, maxLength } from './form.ts'
import type { View } from './layout.ts'
import { numberIn, pageOf } from './paging.ts'
import { BASE, badge, count, pathOf, summary, table, time } from './parts.ts'
import type { Visit } from './visit.ts'

/** The conversations, the most recently changed first. */
export async function conversations({ sandboxes, sandbox, query, limits }: Visit): Promise<View> {
  const { shown, links } = await pageOf(query, {
    what: 'conversations',
    address: '/',
    read: (limit, before) =>
      sandboxes.conversations(sandbox, numberIn(before) ?? Number.MAX_SAFE_INTEGER, limit),
    positionOf: ({ position }) => position,
  })
  const rows = shown.map(
    ({ id, visitor, status, intent, rating, createdAt, updatedAt }) => html`<tr id="${id}">
<th scope="row"><a href="${pathOf.conversation(id)}">${id}</a></th>
<td dir="auto">${visitor ?? html`<span class="faint">no name</span>`}</td>
<td>${badge(status)}</td>
<td>${intent}</td>
<td>${rating && `${rating} of 5`}</td>
<td>${time(createdAt)}</td>
<td>${time(updatedAt)}</td>
</tr>`,
  )
  const heads = ['Conversation', 'Visitor', 'Status', 'Intent', 'Rating', 'Created', 'Updated']
  return {
    title: 'Conversations',
    within: '/',
    live: html`${summary(`${count(shown.length, 'conversation', 'conversations')} on this page.`)}
${rows.length > 0 && table('Conversations', heads, rows)}
${links}`,
    after: createForm(limits),
  }
}

const createForm = (limits: Limits) => html`<section aria-labelledby="create">
<h2 id="create">Create a conversation</h2>
<form method="post" action="${BASE}/conversations" class="fields">
<label for="name">Visitor's name <span class="faint">(optional)</span></label>
<input id="name" name="name"${maxLength(limits, 'name')} autocomplete="off">
<label for="text">First message <span class="faint">(optional)</span></label>
<textarea id="text" name="text" rows="2"${maxLength(limits, 'text')}></textarea>
<button>Create conversation</button>
</form>
</section>`
