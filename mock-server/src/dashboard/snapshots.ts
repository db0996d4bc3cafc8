import { html } from 'hono/html'
import type { Snapshot } from '../store/types.ts'
import { textField } from './fields.ts'
import type { View } from './layout.ts'
import { BASE, button, count, empty, type Html, summary, table, time } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/snapshots`

/** The named states of the sandbox, and a form that takes one. */
export async function snapshots(visit: Visit): Promise<View> {
  const { sandboxes, sandbox } = visit
  const found = await sandboxes.snapshots.list(sandbox)
  return {
    title: 'Snapshots',
    within: PATH,
    address: PATH,
    before: html`<form method="post" action="${PATH}" class="fields">
${textField(visit, 'snapshot', { label: 'Name', hint: 'one of the same name is replaced', required: true, placeholder: 'before-handoff', isCode: true })}
<button>Take snapshot</button>
</form>`,
    live: html`${summary(`${count(found.length, 'snapshot', 'snapshots')}.`)}
${
  found.length > 0
    ? table('Snapshots', ['Name', 'Taken', 'Restore', 'Remove'], found.map(row))
    : empty(
        'No snapshots yet.',
        html`Take one before you change the sandbox, to go back to its conversations, its clock, its endpoints and their
deliveries.`,
      )
}`,
  }
}

function row({ name, at }: Snapshot): Html {
  const path = `${PATH}/${encodeURIComponent(name)}`
  return html`<tr>
<th scope="row" class="long">${name}</th>
<td>${time(at)}</td>
<td><details><summary>Restore… <span class="unseen">${name}</span></summary>
${button(`${path}/restore`, 'Replace the sandbox', `with ${name}`)}
</details></td>
<td>${button(`${path}/remove`, 'Remove', name)}</td>
</tr>`
}
