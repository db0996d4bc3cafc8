import { html } from 'hono/html'
import { Problem } from '../door/problem.ts'
import type { Call } from '../record/exchanges.ts'
import { CODE, codeOf, isCodeForm } from '../requests/code.ts'
import { type LoggedRequest, shownOf } from '../requests/shown.ts'
import type { Bindings } from '../sandbox/bindings.ts'
import type { View } from './layout.ts'
import {
  BASE,
  block,
  bodyBlock,
  button,
  copy,
  facts,
  type Html,
  headerTable,
  pathOf,
  time,
} from './parts.ts'
import { statusBadge } from './requests.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/requests`
const IDEMPOTENCY_KEY = 'idempotency-key'

/** One request to the API, with its response. */
export async function request(visit: Visit): Promise<View> {
  const { requests, sandboxes, key, path } = visit
  const call = await requests.get(key, path.id ?? '')
  const shown = shownOf(call, requests)
  const { id, method, query, headers, response, reason, fault, source } = shown
  const target = query ? `${shown.path}?${query}` : shown.path
  const conversation = conversationIn(shown.path, sandboxes.bindings)
  return {
    title: `${method} ${shown.path}`,
    within: PATH,
    live: html`${facts([
      ['Status', statusBadge(response.status)],
      ['Refused because', reason],
      ['Fault', fault],
      ['Time', time(call.started)],
      ['Duration', `${shown.duration_ms} ms`],
      ['API key', shown.key ?? 'none that was accepted'],
      ['Request ID', html`<code>${id}</code> ${copy(id, 'the request ID')}`],
      ['Sent by', source === 'repeat' ? 'a repetition' : headers['user-agent']],
      [
        'Conversation',
        conversation && html`<a href="${pathOf.conversation(conversation)}">${conversation}</a>`,
      ],
    ])}
<div class="row">${button(`${pathOf.request(id)}/repeat`, 'Repeat')}
${
  headers[IDEMPOTENCY_KEY] !== undefined &&
  button(`${pathOf.request(id)}/repeat`, 'Repeat with the same idempotency key', '', {
    keeps_key: 'true',
  })
}</div>
<div class="halves">
<section class="half" aria-labelledby="sent"><h2 id="sent">Request</h2>
<p><code>${method} ${target}</code></p>
${message(shown, 'the body of the request')}</section>
<section class="half" aria-labelledby="received"><h2 id="received">Response</h2>
<p><code>${response.status ?? 'The connection was reset.'}</code></p>
${message(response, 'the body of the response')}</section>
</div>
${await code(call, id, visit)}`,
  }
}

/** The request as code, in the form that the address names. */
async function code(call: Call, id: string, { query, requests, baseUrl }: Visit): Promise<Html> {
  const as = query.get('as') ?? ''
  const form = isCodeForm(as) ? as : 'curl'
  const links = Object.entries(CODE).map(([one, name]) => {
    const current = one === form && html` aria-current="true"`
    return html`<a href="${pathOf.request(id)}?as=${one}#code"${current}>${name}</a>`
  })
  return html`<section aria-labelledby="code"><h2 id="code">As code</h2>
<nav class="tabs" aria-label="Languages"><ul>${links.map((link) => html`<li>${link}</li>`)}</ul></nav>
${await written()}
</section>`

  async function written(): Promise<Html> {
    try {
      return block(await codeOf(call, form, requests, baseUrl), `the ${CODE[form]} code`)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return html`<p class="faint">${error.message}</p>`
    }
  }
}

type Shown = Pick<LoggedRequest, 'headers' | 'body' | 'body_size'>

function message({ headers, body, body_size: size }: Shown, what: string): Html {
  return html`<h3>Headers</h3>
${headerTable(headers)}
<h3>Body</h3>
${bodyBlock(body, what)}
${size !== undefined && html`<p class="faint">Only the start of ${size} bytes.</p>`}`
}

/** The conversation that a path names. */
function conversationIn(path: string, { prefixes }: Bindings): string | undefined {
  const { conversation: prefix } = prefixes
  return prefix === '' ? undefined : path.split('/').find((part) => part.startsWith(prefix))
}
