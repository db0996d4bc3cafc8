import { html } from 'hono/html'
import type { Call } from '../record/exchanges.ts'
import { chosenOf } from '../requests/filter.ts'
import type { RequestLog } from '../requests/log.ts'
import { shownOf } from '../requests/shown.ts'
import { addressOf, filterField, filterForm, selectField } from './fields.ts'
import type { View } from './layout.ts'
import { pageOf } from './paging.ts'
import { BASE, badge, count, empty, type Html, pathOf, summary, table, time } from './parts.ts'
import type { Visit } from './visit.ts'

const PATH = `${BASE}/requests`
const CLASSES = ['2xx', '4xx', '5xx'] as const

/** The requests to the API, newest first. */
export async function requests({ requests, key, query, operations }: Visit): Promise<View> {
  const methods = [...new Set(operations.map(({ method }) => method))].sort()
  const filter = {
    method: methods.find((one) => one === query.get('method')),
    status: /^[1-5](xx|\d\d)$/.test(query.get('status') ?? '') ? query.get('status') : undefined,
    path: query.get('path') || undefined,
  }
  const all = await requests.list(key)
  const chosen = chosenOf(all, filter, all.length)
  const address = addressOf(PATH, filter)
  const { shown, links } = await pageOf(query, {
    what: 'requests',
    address,
    read: async (limit, before) => chosenOf(all, { ...filter, before }, limit),
    positionOf: ({ findings }) => findings.id ?? '',
  })
  const total =
    chosen.length === all.length
      ? count(all.length, 'request', 'requests')
      : `${chosen.length} of ${count(all.length, 'request', 'requests')}`
  return {
    title: 'Requests',
    within: PATH,
    before: filterForm({
      path: PATH,
      query,
      fields: [
        selectField('method', 'Method', methods, filter.method, 'all'),
        selectField('status', 'Status', CLASSES, filter.status, 'all'),
        filterField(query, 'path', 'Path', '/v1/*'),
      ],
    }),
    live: html`${summary(`${total}.`)}
${shown.length > 0 ? requestTable('Requests', shown, requests) : noRequests(all.length > 0)}
${links}
${chosen.length > 0 && html`<p><a href="${address.replace(PATH, `${PATH}.har`)}" download="requests.har">Export as HAR</a></p>`}`,
  }
}

function noRequests(areFiltered: boolean): Html {
  return areFiltered
    ? empty('No requests match.', html`<a href="${PATH}">Show all requests</a>`)
    : empty(
        'No requests yet.',
        html`Call the API with this key: <a href="/">the overview</a> has the base URL and a first call. Refused requests
appear here too, with the reason.`,
      )
}

/** A table with one row for each request. */
export function requestTable(
  caption: string,
  calls: readonly Call[],
  log: Pick<RequestLog, 'entryOf'>,
): Html {
  const rows = calls.map((call) => {
    const { id, method, path, query, response, duration_ms, reason, fault, source } = shownOf(
      call,
      log,
    )
    const target = query ? `${path}?${query}` : path
    const note = fault ? `fault: ${fault}` : (reason ?? (source === 'repeat' ? 'repeated' : ''))
    return html`<tr id="${id}">
<td>${statusBadge(response.status)}</td>
<td>${method || '–'}</td>
<th scope="row" class="cut" title="${target}"><a href="${pathOf.request(id)}">${target}</a></th>
<td>${time(call.started)}</td>
<td class="number">${duration_ms}</td>
<td class="cut" title="${note}">${note}</td>
</tr>`
  })
  return table(caption, ['Status', 'Method', 'Path', 'Time', 'ms', 'Note'], rows)
}

export function statusBadge(status: number | null): Html {
  if (status === null) return badge('dead', 'reset')
  return badge(status < 400 ? 'succeeded' : status < 500 ? 'pending' : 'dead', String(status))
}
