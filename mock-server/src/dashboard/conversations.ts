import { html } from 'hono/html'
import { STATUSES } from '../sandbox/shapes.ts'
import { addressOf, filterForm, selectField, textField } from './fields.ts'
import type { View } from './layout.ts'
import { numberIn, pageOf } from './paging.ts'
import {
  BASE,
  badge,
  count,
  empty,
  fold,
  type Html,
  pathOf,
  summary,
  table,
  time,
} from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/conversations`

/** The conversations, the most recently changed first. */
export async function conversations(visit: Visit): Promise<View> {
  const { sandboxes, sandbox, query, form } = visit
  const status = STATUSES.find((one) => one === query.get('status'))
  const { shown, links } = await pageOf(query, {
    what: 'conversations',
    address: addressOf(PATH, { status }),
    read: (limit, before) => {
      const position = numberIn(before) ?? Number.MAX_SAFE_INTEGER
      return sandboxes.conversations(sandbox, position, limit, status)
    },
    positionOf: ({ position }) => position,
  })
  const rows = shown.map(
    ({ id, visitor, status, intent, rating, createdAt, updatedAt }) => html`<tr id="${id}">
<th scope="row"><a href="${pathOf.conversation(id)}">${id}</a></th>
<td dir="auto" class="cut">${visitor ?? html`<span class="faint">no name</span>`}</td>
<td>${badge(status)}</td>
<td>${intent}</td>
<td>${rating && `${rating} of 5`}</td>
<td>${time(createdAt)}</td>
<td>${time(updatedAt)}</td>
</tr>`,
  )
  const heads = ['Conversation', 'Visitor', 'Status', 'Intent', 'Rating', 'Created', 'Updated']
  const states = STATUSES.map((one) => [one, one.replace('_', ' ')] as const)
  return {
    title: 'Conversations',
    within: PATH,
    before: html`${filterForm({ path: PATH, query, fields: [selectField('status', 'Status', states, status, 'all')] })}
${fold('create', 'Create a conversation', createForm(visit), form !== undefined || rows.length === 0)}`,
    live: html`${summary(`${count(shown.length, 'conversation', 'conversations')} on this page.`)}
${rows.length > 0 ? table('Conversations', heads, rows) : none(status !== undefined)}
${links}`,
  }
}

function none(isFiltered: boolean): Html {
  return isFiltered
    ? empty('No conversations match.', html`<a href="${PATH}">Show all conversations</a>`)
    : empty('No conversations yet.', html`Create one as its visitor. Each step sends its event.`)
}

function createForm(visit: Visit): Html {
  return html`<form method="post" action="${PATH}" class="fields">
${textField(visit, 'name', { label: "Visitor's name", hint: 'optional' })}
${textField(visit, 'text', { label: 'First message', hint: 'optional', rows: 2 })}
<button>Create conversation</button>
</form>`
}
