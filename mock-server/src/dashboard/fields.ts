/** The fields of forms. A refused form shows what was typed. */
import { html } from 'hono/html'
import { maxLength } from './form.ts'
import type { Html } from './parts.ts'
import type { Visit } from './visit.ts'

interface TextField {
  label: string
  /** Said beside the label. */
  hint?: string
  required?: boolean
  /** For several lines. */
  rows?: number
  /** At first. */
  value?: string
  placeholder?: string
  type?: 'text' | 'url'
  /** For code. */
  isCode?: boolean
  hasFocus?: boolean
}

/** What was typed into a field before its form was refused, else another text. */
export function typed({ form }: Visit, name: string, value = ''): string {
  return form?.text(name) ?? value
}

export function textField(visit: Visit, name: string, field: TextField): Html {
  const { label, hint, required, rows, placeholder, type = 'text', isCode, hasFocus } = field
  const value = typed(visit, name, field.value)
  const attributes = html` id="${name}" name="${name}"${required && html` required`}${maxLength(visit.limits, name)}${
    placeholder && html` placeholder="${placeholder}"`
  }${isCode && html` spellcheck="false"`} autocomplete="off"${hasFocus && html` autofocus`}`
  return html`<label for="${name}">${label}${hint && html` <span class="faint">(${hint})</span>`}</label>
${
  rows === undefined
    ? html`<input${attributes} type="${type}" value="${value}">`
    : // The first line break of a textarea does not count.
      html`<textarea${attributes} rows="${rows}">${value.startsWith('\n') && '\n'}${value}</textarea>`
}`
}

/** @param all The option for no choice. */
export function selectField(
  name: string,
  label: string,
  options: ReadonlyArray<string | readonly [value: string, label: string]>,
  chosen: string | undefined,
  all?: string,
): Html {
  const shown = options.map((option) => {
    const [value, text] = typeof option === 'string' ? [option, option] : option
    const isChosen = value === chosen
    return value === text
      ? html`<option${isChosen && html` selected`}>${text}</option>`
      : html`<option value="${value}"${isChosen && html` selected`}>${text}</option>`
  })
  return html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}">${all !== undefined && html`<option value="">${all}</option>`}${shown}</select>`
}

interface Filter {
  /** The address of the list. */
  path: string
  query: ReadonlyMap<string, string>
  /** Each with its label, in a place of its own. */
  fields: readonly Html[]
}

/** A form that chooses what a list shows. */
export function filterForm({ path, query, fields }: Filter): Html {
  const isFiltered = [...query].some(([name, value]) => name !== 'done' && value !== '')
  return html`<form method="get" action="${path}" class="filter">
${fields.map((field) => html`<div>${field}</div>`)}
<div class="row"><button>Filter</button>${isFiltered && html` <a href="${path}">Show all</a>`}</div>
</form>`
}

/** A text field of a filter. */
export function filterField(
  query: ReadonlyMap<string, string>,
  name: string,
  label: string,
  placeholder = '',
  type: 'text' | 'datetime-local' = 'text',
): Html {
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${query.get(name) ?? ''}" placeholder="${placeholder}" autocomplete="off" spellcheck="false"${type !== 'text' && html` step="1"`}>`
}

/** A time of a filter, which is in UTC; undefined for other text. */
export function timeIn(text: string | undefined): number | undefined {
  const at = Date.parse(`${text}Z`)
  return Number.isNaN(at) ? undefined : at
}

/** The address of a list with its filter. */
export function addressOf(
  path: string,
  chosen: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(chosen).filter((one): one is [string, string] => Boolean(one[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
