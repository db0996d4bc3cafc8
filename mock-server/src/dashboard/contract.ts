import { html } from 'hono/html'
import { overviewOf } from '../control/overview.ts'
import type { Revision } from '../sandbox/sandboxes.ts'
import type { View } from './layout.ts'
import { BASE, count, type Html, summary, table } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/contract`
const OPERATION = { state: 'the data of the sandbox', examples: 'the examples of the contract' }
const EVENT = { state: 'Sent by the sandbox', examples: 'Only by a trigger' }

/** What the server makes of its contract. */
export async function contract({ sandboxes }: Visit): Promise<View> {
  const { revision, revisions } = sandboxes
  const found = overviewOf(sandboxes.bindings)
  const { title, version, operations, events, unserved, deviations } = found
  const differences = unserved.length + deviations.length
  return {
    title: 'Contract',
    within: PATH,
    ...(revision !== null && { after: choiceOf(revision, revisions) }),
    live: html`${summary(
      differences === 0
        ? 'The sandbox does all that the contract says.'
        : `${count(differences, 'difference', 'differences')} between the sandbox and the contract.`,
    )}
<dl>${revision && html`<div><dt>Revision</dt><dd>${revision}</dd></div>`}<div><dt>Title</dt><dd>${title}</dd></div><div><dt>Version</dt><dd>${version}</dd></div></dl>
${section(
  'Differences',
  ['Operation or event', 'Field', 'What the sandbox does'],
  [
    ...unserved.map(({ what, why }) => [what, '', `does not serve it: ${why}`]),
    ...deviations.map(({ where, field, action, detail }) => [where, field, `${action}: ${detail}`]),
  ],
)}
${section(
  'Operations',
  ['Operation', 'Response from'],
  operations.map(({ method, path, from }) => [`${method} ${path}`, OPERATION[from]]),
)}
${section(
  'Events',
  ['Kind', 'Summary', 'Sent'],
  events.map(({ kind, summary, from }) => [kind, summary, EVENT[from]]),
)}`,
  }
}

/** The other revisions, and which one the key has chosen. */
function choiceOf(chosen: string, revisions: readonly Revision[]): Html {
  const rows = revisions.map(({ name, bindings }) => {
    const { title, version, unserved, deviations } = overviewOf(bindings)
    return [name, `${title} ${version}`, String(unserved.length + deviations.length)]
  })
  const renamed = revisions.flatMap(({ name, renames }) =>
    renames.map(({ what, from, to, isCertain }) => [
      `${what} ${to}`,
      name,
      from,
      isCertain ? 'The contract says so.' : 'Nothing but the names differs.',
    ]),
  )
  const options = revisions.map(
    ({ name }) => html`<option${name === chosen && html` selected`}>${name}</option>`,
  )
  return html`${section('Revisions', ['Revision', 'Contract', 'Differences'], rows)}
${section('Renames', ['Renamed', 'Since revision', 'Before', 'Why'], renamed)}
<form method="post" action="${BASE}/revision" class="fields">
<label for="name">Revision for this API key and this dashboard</label>
<select id="name" name="name">${options}</select>
<button>Choose</button>
</form>
<p>A request chooses another one with the header <code>x-mock-revision</code>.</p>`
}

function section(title: string, heads: string[], rows: string[][]): Html | string {
  if (rows.length === 0) return ''
  const cells = rows.map(([first, ...others]) => {
    return html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`
  })
  return html`<h2>${title}</h2>
${table(title, heads, cells)}`
}
