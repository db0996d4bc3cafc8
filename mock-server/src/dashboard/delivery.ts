import { html } from 'hono/html'
import { quoted } from '../requests/curl.ts'
import type { Attempt, Delivery, Endpoint, Logged } from '../store/types.ts'
import { urlOf } from './deliveries.ts'
import { conversationOf } from './events.ts'
import type { View } from './layout.ts'
import {
  BASE,
  badge,
  block,
  bodyBlock,
  button,
  copy,
  count,
  facts,
  type Html,
  headerTable,
  pathOf,
  resultOf,
  summary,
  time,
} from './parts.ts'
import { verdictOf } from './verdict.ts'
import type { Visit } from './visit.ts'

/** One delivery with every attempt: what was sent, and what came back. */
export async function delivery({ sandboxes, sandbox, path, query }: Visit): Promise<View> {
  const found = await sandboxes.deliveries.get(sandbox, path.id ?? '')
  const { id, endpoint_id, state, due_at, attempts } = found
  const event = await sandboxes.deliveries.eventOf(sandbox, id)
  const endpoints = await sandboxes.store.endpoints.list(sandbox)
  const endpoint = endpoints.find((one) => one.id === endpoint_id)
  const conversation = conversationOf(event.body, sandboxes.bindings)
  const verified = Number(query.get('verify'))
  const attempt = attempts[verified - 1]
  const verdict =
    attempt?.sent && endpoint && (await verdictOf(attempt.sent, event.body, endpoint.secret))
  const shown = attempts.map((attempt, index) =>
    attemptItem(attempt, {
      found,
      event,
      endpoint,
      index,
      verdict: index + 1 === verified && verdict,
    }),
  )
  return {
    title: `Delivery ${id}`,
    within: `${BASE}/deliveries`,
    live: html`${summary(`${state}, ${count(attempts.length, 'attempt', 'attempts')}.`)}
${facts([
  ['State', badge(state)],
  ['Event', html`${event.kind} <a href="${pathOf.event(event.id)}">${event.id}</a>`],
  [
    'Conversation',
    conversation && html`<a href="${pathOf.conversation(conversation)}">${conversation}</a>`,
  ],
  [
    'Endpoint',
    html`<a href="${BASE}/deliveries?endpoint=${encodeURIComponent(endpoint_id)}">${endpoint_id}</a> ${
      endpoint && html`<code>${urlOf(endpoint)}</code> ${copy(urlOf(endpoint), 'the URL')}`
    }`,
  ],
  ['Next attempt', due_at !== null && time(due_at)],
])}
<div class="row">${
      state === 'pending'
        ? [
            button(`${pathOf.delivery(id)}/retry`, 'Attempt now', id),
            button(`${pathOf.delivery(id)}/cancel`, 'Cancel', id),
          ]
        : button(`${pathOf.delivery(id)}/replay`, 'Replay', id)
    }</div>
<h2>Attempts</h2>
${attempts.length > 0 ? html`<ol class="plain">${shown.reverse()}</ol>` : html`<p class="faint">None yet.</p>`}`,
  }
}

interface Around {
  found: Delivery
  event: Logged
  endpoint: Endpoint | undefined
  index: number
  verdict: Html | false | null | undefined
}

/** Only the last attempt, and one that is verified, are expanded. */
function attemptItem(attempt: Attempt, { found, event, index, verdict }: Around): Html {
  const { at, ms, sent } = attempt
  const { id, attempts } = found
  const isOpen = index === attempts.length - 1 || verdict
  const result = `${index + 1}. `
  return html`<li><details id="attempt-${index + 1}" class="fold"${isOpen && html` open`}>
<summary>${result}${time(at)} · ${resultOf(attempt)}${typeof ms === 'number' && html` · ${ms} ms`}</summary>
<div class="halves">
<section class="half" aria-label="Sent in attempt ${index + 1}">
<h3>Sent</h3>
${sent ? headerTable(sent) : html`<p class="faint">The headers were not kept.</p>`}
${bodyBlock(event.body, `the body of attempt ${index + 1}`)}
</section>
<section class="half" aria-label="Received in attempt ${index + 1}">
<h3>Received: ${attempt.status ?? 'no response'}</h3>
${headerTable(attempt.headers)}
${bodyBlock(attempt.body, `the response to attempt ${index + 1}`)}
</section>
</div>
${sent && verification(id, index, event.body, sent, verdict)}
</details></li>`
}

/** How to verify the signature of an attempt. */
function verification(
  id: string,
  index: number,
  body: string,
  sent: Readonly<Record<string, string>>,
  verdict: Around['verdict'],
): Html {
  return html`<h3>Verify this</h3>
<form method="get" action="${pathOf.delivery(id)}"><input type="hidden" name="verify" value="${index + 1}">
<button>Verify with the endpoint's secret<span class="unseen"> of attempt ${index + 1}</span></button></form>
${verdict}
<p>With your own secret, in a terminal:</p>
${block(commandOf(body, sent), `the command for attempt ${index + 1}`)}`
}

/** The command that verifies a delivery, with the exact bytes of its body. */
function commandOf(body: string, sent: Readonly<Record<string, string>>): string {
  const headers = Object.entries(sent)
    .filter(([name]) => name !== 'content-type' && name !== 'user-agent')
    .map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`)
  const verify = 'npx support-chat-mock verify --secret-env SUPPORT_CHAT_WEBHOOK_SECRET --body -'
  return [`printf %s ${quoted(body)} |`, verify, ...headers].join(' \\\n  ')
}
