import { html } from 'hono/html'
import { curlOf } from '../requests/curl.ts'
import { deliveriesOf } from './deliveries.ts'
import { selectField, textField } from './fields.ts'
import type { View } from './layout.ts'
import { BASE, block, button, copy, facts, type Html } from './parts.ts'
import { requestTable } from './requests.ts'
import type { Visit } from './visit.ts'

/** How many requests and deliveries the first page shows. */
const SHOWN = 5

/** How to begin, and what happened last. */
export async function overview(visit: Visit): Promise<View> {
  const { sandboxes, sandbox, requests, key, shownKey, baseUrl } = visit
  const { deliveries } = sandboxes.store
  const calls = await requests.list(key)
  const endpoints = await sandboxes.store.endpoints.list(sandbox)
  const [delivered] = await deliveries.list(sandbox, { state: 'succeeded' }, 1)
  const [event] = await deliveries.events(sandbox, 1, undefined, sandboxes.logged)
  const latest = await deliveries.list(sandbox, {}, SHOWN)
  const steps: Step[] = [
    {
      title: 'Call the API',
      isDone: calls.some(({ findings }) => findings.key === key),
      content: callStep(visit),
    },
    {
      title: 'Receive webhooks',
      isDone: endpoints.length > 0,
      content: receiveStep(visit),
    },
    { title: 'Make something happen', isDone: event !== undefined, content: happenStep(visit) },
    {
      title: 'See it arrive',
      isDone: delivered !== undefined,
      content: html`<p>Each event is delivered to your endpoint with a signature, and again if that fails.
<a href="${BASE}/deliveries">Deliveries</a> show what was sent and what came back. <a href="${BASE}/requests">Requests</a>
show what your program sent here.</p>`,
    },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  return {
    title: 'Overview',
    within: '/',
    before: html`${facts([
      ['Base URL', html`<code>${baseUrl}</code> ${copy(baseUrl, 'the base URL')}`],
      ['API key', html`<code>${shownKey}</code> ${key === shownKey && copy(key, 'the API key')}`],
    ])}
<section aria-labelledby="begin">
<h2 id="begin">Begin</h2>
<ol class="begin">${steps.map((step, index) => stepItem(step, index === next))}</ol>
</section>`,
    live: html`<h2>Latest requests</h2>
${
  calls.length > 0
    ? requestTable('Latest requests', calls.slice(0, SHOWN), requests)
    : html`<p class="faint">None yet.</p>`
}
<h2>Latest deliveries</h2>
${
  latest.length > 0
    ? deliveriesOf('Latest deliveries', latest, endpoints)
    : html`<p class="faint">None yet.</p>`
}`,
  }
}

interface Step {
  title: string
  isDone: boolean
  content: Html
}

/** Only the next step is expanded. */
function stepItem({ title, isDone, content }: Step, isNext: boolean): Html {
  const state = isDone ? html` <span class="badge succeeded">done</span>` : ''
  return html`<li><details${isNext && html` open`}><summary>${title}${state}</summary>
${content}
</details></li>`
}

/** The environment of an SDK, and a call without one. */
function callStep({ operations, baseUrl, shownKey: key, isShipped }: Visit): Html {
  const simple = operations.find(({ method, path }) => method === 'GET' && !path.includes('{'))
  const headers = { authorization: `Bearer ${key}` }
  const call = simple && curlOf({ method: 'GET', url: baseUrl + simple.path, headers, body: null })
  return html`${
    isShipped &&
    html`<p>The SDKs read these variables:</p>${block(
      `export SUPPORT_CHAT_BASE_URL=${baseUrl}\nexport SUPPORT_CHAT_API_KEY=${key}`,
      'the variables',
    )}`
  }
${call && html`<p>A call without an SDK:</p>${block(call, 'the call')}`}`
}

function receiveStep(visit: Visit): Html {
  return html`<p>Give the URL of your handler, or let a command forward to it. Each prints the signing secret.</p>
<form method="post" action="${BASE}/endpoints" class="fields">
${textField(visit, 'url', { label: 'URL', required: true, type: 'url', placeholder: 'http://127.0.0.1:3000/webhooks' })}
<button>Add endpoint</button>
</form>
${block('npx support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks', 'the command')}`
}

function happenStep({ sandboxes }: Visit): Html {
  const { kinds } = sandboxes.bindings.forms.description
  return html`<p>Write as a visitor, or send one event of a kind.</p>
<div class="row">${button(`${BASE}/conversations`, 'Create a conversation', '', { text: 'Where is my parcel?', name: 'Ada Moreau' })}
${
  kinds.length > 0 &&
  html`<form method="post" action="${BASE}/trigger" class="row">
${selectField('kind', 'Kind', kinds, undefined)}<button>Send event</button>
</form>`
}</div>`
}
