import { html } from 'hono/html'
import { invalid } from '../door/problem.ts'
import { effectOf, type FaultRule, type NewRule } from '../faults/rules.ts'
import { ownerOf } from '../sandbox/sandboxes.ts'
import { selectField, textField, typed } from './fields.ts'
import type { Form } from './form.ts'
import type { View } from './layout.ts'
import { BASE, button, count, empty, fold, type Html, summary, table } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/faults`
const CUTS = [
  ['reset', 'Break it: nothing is done'],
  ['truncate', 'Break it within the response'],
] as const

/** The rules by which requests fail, and a form that adds one. */
export async function faults(visit: Visit): Promise<View> {
  const { faults, sandbox, form } = visit
  const rules = await faults.rules.list(ownerOf(sandbox))
  const isEmpty = rules.length === 0
  return {
    title: 'Faults',
    within: PATH,
    address: PATH,
    before: fold('add', 'Let requests fail', addForm(visit), form !== undefined || isEmpty),
    live: html`<div class="row">${summary(`${count(rules.length, 'rule', 'rules')}.`)}
${!isEmpty && button(`${PATH}/clear`, 'Remove all', 'rules')}</div>
${
  isEmpty
    ? empty(
        'No request fails by a rule.',
        html`Add a rule above to see what your program does when the API fails. Leave all fields empty for a 503 on every
request.`,
      )
    : table(
        'Fault rules',
        ['Rule', 'Requests', 'Fault', 'Left', 'Failed', 'Remove'],
        rules.map(row),
      )
}`,
  }
}

/** @throws {Problem} 422 */
export function ruleIn(form: Form): NewRule {
  const cut = form.text('cut')
  const delay = form.optional('delay')?.trim()
  if (delay !== undefined && !/^\d{1,6}(?:\.\d{1,3})?(?:ms|s)$/.test(delay)) {
    throw invalid('The field "delay" must be a time such as 2s or 300ms.')
  }
  const path = form.optional('path')?.trim()
  if (path !== undefined && !/^[/*]/.test(path)) {
    throw invalid('The field "path" must begin with a slash, as /v1/conversations does.')
  }
  return {
    method: form.optional('method'),
    path,
    status: form.number('status'),
    retry_after: form.number('retry_after'),
    delay,
    reset: cut === 'reset',
    truncate: cut === 'truncate',
    times: form.number('times'),
    rate: form.number('rate'),
  }
}

function row(rule: FaultRule): Html {
  const { id, method, path, left, failed } = rule
  const target = `${method ?? 'Every method'} ${path ?? 'on every path'}`
  return html`<tr id="${id}">
<th scope="row">${id}</th>
<td class="long">${target}</td>
<td>${effectOf(rule)}</td>
<td class="number">${left ?? 'all'}</td>
<td class="number">${failed}</td>
<td>${button(`${PATH}/${encodeURIComponent(id)}/remove`, 'Remove', id)}</td>
</tr>`
}

function addForm(visit: Visit): Html {
  const methods = [...new Set(visit.operations.map(({ method }) => method))].sort()
  return html`<form method="post" action="${PATH}" class="fields">
${selectField('method', 'Method', methods, typed(visit, 'method'), 'every')}
${textField(visit, 'path', { label: 'Path', hint: 'a path, a template, or a start followed by *', placeholder: visit.operations[0]?.path ?? '/', isCode: true })}
${textField(visit, 'status', { label: 'Status', hint: '400 to 599', placeholder: '503' })}
${textField(visit, 'retry_after', { label: 'Retry-After', hint: 'in seconds', placeholder: '2' })}
${textField(visit, 'delay', { label: 'Delay', hint: 'such as 2s or 300ms' })}
${selectField('cut', 'Connection', CUTS, typed(visit, 'cut'), 'Keep it')}
${textField(visit, 'times', { label: 'Times', hint: 'how many requests it counts' })}
${textField(visit, 'rate', { label: 'Rate', hint: 'the share that fails, from 0 to 1' })}
<button>Add rule</button>
</form>`
}
