import { html } from 'hono/html'
import type { Attempt } from '../store/types.ts'
import type { View } from './layout.ts'
import { BASE, badge, button, count, type Html, pathOf, resultOf, summary, time } from './parts.ts'
import type { Visit } from './visit.ts'

/** One delivery with every attempt. */
export async function delivery({ sandboxes, sandbox, path }: Visit): Promise<View> {
  const { id, kind, endpoint_id, state, due_at, attempts } = await sandboxes.deliveries.get(
    sandbox,
    path.id ?? '',
  )
  const event = await sandboxes.deliveries.eventOf(sandbox, id)
  const endpoints = await sandboxes.store.endpoints.list(sandbox)
  const url = endpoints.find((one) => one.id === endpoint_id)?.url
  return {
    title: `Delivery ${id}`,
    within: `${BASE}/deliveries`,
    live: html`${summary(`${state}, ${count(attempts.length, 'attempt', 'attempts')}.`)}
<dl>
<div><dt>State</dt><dd>${badge(state)}</dd></div>
<div><dt>Event</dt><dd>${kind} <a href="${pathOf.event(event)}">${event.id}</a></dd></div>
<div><dt>Endpoint</dt><dd class="long">${url} (${endpoint_id})</dd></div>
${due_at !== null && html`<div><dt>Next attempt</dt><dd>${time(due_at)}</dd></div>`}
</dl>
${state !== 'pending' && button(`${pathOf.delivery(id)}/replay`, 'Replay', id)}
<h2>Attempts</h2>
<ol class="plain">${attempts.map((attempt, index) => shown(attempt, index, attempts.length))}</ol>`,
  }
}

/** Only the last attempt is expanded. */
function shown(attempt: Attempt, index: number, attempts: number): Html {
  const headers = Object.entries(attempt.headers).map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td class="long">${value}</td></tr>`,
  )
  return html`<li><details id="attempt-${index + 1}"${index === attempts - 1 && html` open`}>
<summary>${index + 1}. ${time(attempt.at)} · ${resultOf(attempt)}</summary>
<dl>
<div><dt>Status</dt><dd>${attempt.status ?? 'no response'}</dd></div>
<div><dt>Reason</dt><dd>${attempt.reason ?? 'none (succeeded)'}</dd></div>
</dl>
<h3>Response headers</h3>
${headers.length > 0 ? html`<table><tbody>${headers}</tbody></table>` : html`<p class="faint">none</p>`}
<h3>Response body</h3>
${attempt.body ? html`<pre tabindex="0" dir="auto">${attempt.body}</pre>` : html`<p class="faint">empty</p>`}
</details></li>`
}
