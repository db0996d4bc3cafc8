// The charts: what each takes from the kept tables, and what it means.
import { type Bar, type Drawing, type Group, shown } from './svg.ts'
import { figureOf, type Table, tablesOf } from './tables.ts'

/** A column of a table as bars. */
interface Column {
  title: string
  /** Its heading, and which one where several have it. */
  column: string
  nth?: number
  /** Which of the tables of the run. */
  table?: number
  /** The rows to take, by their first cells. */
  rows?: RegExp
  /** The first of these rows, and the first after them. */
  from?: RegExp
  until?: RegExp
  /** What a label does without. */
  cut?: RegExp
  /** Whether every bar is ours. */
  isOurs?: true
}

/** The figures of a drawn group, for a sentence. */
type Figures = (group: number, label?: RegExp) => string

export interface Chart {
  id: string
  /** What marks the run in README.md, and the heading that it stands under. */
  run: string
  heading: string
  title: string
  note: string
  one: string | null
  unit: string
  groups: Column[]
  means(figures: Figures): string
}

const RATIO = { unit: ' ×' }
const LESS = 'Less is better.'
const MORE = 'More is better.'

export const CHARTS: readonly Chart[] = [
  {
    ...{ id: 'client', run: 'client', heading: 'A call of the client', ...RATIO },
    title: 'A call of the TypeScript client',
    ...{ one: 'openapi-fetch alone', note: `Time beyond the fetch below. ${LESS}` },
    groups: [
      { title: 'GET', column: 'to openapi-fetch' },
      { title: 'POST', column: 'to openapi-fetch', nth: 2 },
    ],
    means: (of) =>
      `A GET through the client, with its retries, timeouts and typed errors, costs ${of(0)} what openapi-fetch alone costs. stripe costs ${of(0, /stripe/)}.`,
  },
  {
    ...{ id: 'size', run: 'size', heading: 'Size in a bundle', unit: ' kB' },
    title: 'Size in a bundle',
    ...{ one: null, note: `Minified and compressed, in kB. ${LESS}` },
    groups: [
      { title: 'Clients', column: 'gzipped kB', rows: /^(?!.*webhooks)/ },
      { title: 'Webhooks', column: 'gzipped kB', rows: /webhooks/, cut: /^\*\*.*?\*\*, / },
    ],
    means: (of) =>
      `The client adds ${of(0)} to a bundle, and stripe adds ${of(0, /stripe/)}. Verification of webhooks needs no client.`,
  },
  {
    ...{ id: 'webhooks', run: 'webhooks', heading: 'Accepting a webhook', ...RATIO },
    title: 'Accepting a webhook in Node.js',
    ...{ one: 'HMAC and comparison by hand', note: `Deliveries a second. ${MORE}` },
    groups: [
      { title: 'verify, 2 KB', column: '2 KB', until: /^`unwrap`/, cut: /^`\w+`: / },
      { title: 'unwrap, 2 KB', column: '2 KB', from: /^`unwrap`/, cut: /^`\w+`: / },
    ],
    means: (of) =>
      `A verified and parsed delivery of 2 KB reaches ${of(1)} the speed of the same steps written by hand, and stripe reaches ${of(1, /stripe/)}.`,
  },
  {
    ...{ id: 'receiving', run: 'receiving', heading: 'Accepting a webhook', ...RATIO },
    title: 'Accepting a webhook in Python, Ruby and Go',
    ...{ one: 'HMAC and JSON parser by hand', note: `unwrap, 2 KB, deliveries a second. ${MORE}` },
    groups: ['Python', 'Ruby', 'Go'].map((language) => ({
      ...{ title: language, column: '2 KB', cut: /^\w+, (?:`unwrap`: )?/ },
      ...{ from: new RegExp(`^${language}, \`unwrap\``), until: new RegExp(`^${language}, noise`) },
    })),
    means: (of) =>
      `Python reaches ${of(0)} the speed of the same steps by hand, and Ruby ${of(1)}. Go reaches ${of(2)}, because its own decoder replaces that of the standard library.`,
  },
  {
    ...{ id: 'stores', run: 'stores', heading: 'Remembering an event', ...RATIO },
    title: 'Remembering an event in a dedupe store',
    ...{ one: 'two writes by hand', note: `Time for each event. ${LESS}` },
    groups: ['Node', 'Python', 'Ruby'].map((language) => ({
      ...{ title: language, column: 'to two writes by hand', cut: /^\w+: /, isOurs: true as const },
      rows: new RegExp(`^${language}: `),
    })),
    means: (of) =>
      `With Redis, a store takes ${of(0, /Redis/)} the time of the two writes that every store needs. With a database it takes longer, because it also compares tokens and deletes old rows.`,
  },
  {
    ...{ id: 'mock', run: 'mock', heading: 'The mock server', ...RATIO },
    title: 'A request to the mock server',
    ...{ one: 'Prism CLI', note: `Processor time of the server, 50 connections. ${LESS}` },
    groups: ['list', 'get', 'POST'].map((call) => ({
      ...{ title: call, column: `${call}, 50`, table: 3 },
    })),
    means: (of) =>
      `A list costs the sandbox ${of(0)} the processor time of Prism. A POST costs ${of(2)}, because the sandbox also stores the message and its event.`,
  },
  {
    ...{ id: 'mock-start', run: 'mock', heading: 'The mock server', ...RATIO },
    title: 'Start and memory of the mock server',
    ...{ one: 'Prism CLI', note: LESS },
    groups: [
      { title: 'First response', column: 'first response, ms' },
      { title: 'Memory after 20,000 requests', column: 'after 20,000 requests, MB' },
    ],
    means: (of) =>
      `The server gives its first response after ${of(0)} the time that Prism takes, and needs ${of(1)} its memory.`,
  },
  {
    ...{ id: 'outbox', run: 'outbox', heading: 'The mock server', ...RATIO },
    title: 'Deliveries of the mock server',
    ...{ one: 'undici alone', note: `Deliveries a second. ${MORE}` },
    groups: [{ title: 'To one receiver', column: 'to undici alone' }],
    means: (of) =>
      `Signed and recorded deliveries, of which no crash loses one, reach ${of(0)} the speed of requests that are not recorded.`,
  },
  {
    ...{ id: 'growth', run: 'growth', heading: 'The mock server', ...RATIO },
    title: 'A sandbox that grows',
    ...{ one: 'the same among 100', note: `Processor time among 100,000. ${LESS}` },
    groups: [
      { title: 'Conversations', column: '100,000', isOurs: true },
      { title: 'Deliveries that wait', column: '100,000', table: 1, isOurs: true },
    ],
    means: (of) =>
      `Among 100,000 conversations, a list costs ${of(0, /first/)} and a POST ${of(0, /POST/)} what it costs among 100.`,
  },
  {
    ...{ id: 'languages', run: 'languages', heading: 'A call in Python, Ruby and Go', ...RATIO },
    title: 'A call in Python, Ruby and Go',
    ...{ one: 'HTTP client and JSON parser alone', note: `Time. ${LESS}` },
    groups: ['Python', 'Ruby', 'Go'].map((language) => ({
      ...{ title: language, column: 'ratio', cut: /^\w+: /, isOurs: true as const },
      rows: new RegExp(`^${language}: `),
    })),
    means: (of) =>
      `A GET takes ${of(0)} the time of the HTTP client below in Python, ${of(1)} in Ruby and ${of(2)} in Go.`,
  },
  {
    ...{ id: 'imports', run: 'imports', heading: 'Importing the Python client', ...RATIO },
    title: 'Importing the Python client',
    ...{ one: 'httpx2 alone', note: `Time. ${LESS}` },
    groups: [{ title: 'A fresh interpreter', column: 'to httpx2' }],
    means: (of) =>
      `The import takes ${of(0)} the time of its HTTP client alone, and that of openai takes ${of(0, /openai/)}.`,
  },
  {
    ...{ id: 'generate', run: 'generate', heading: 'Generating', unit: ' s' },
    title: 'Generating the packages',
    ...{ one: null, note: `Seconds from the start of the process to its end. ${LESS}` },
    groups: [{ title: 'npm run generate', column: 'seconds' }],
    means: (of) =>
      `Four SDKs and their documents are written in ${of(0)}, and those of a contract with 1,000 operations in ${of(0, /1,000/)}.`,
  },
  {
    ...{ id: 'edit', run: 'edit', heading: 'After an edit of the contract', unit: ' s' },
    title: 'After an edit of the contract',
    ...{ one: null, note: `Seconds, with warm caches. ${LESS}` },
    groups: [{ title: 'One more field', column: 'warm' }],
    means: (of) =>
      `After an edit, all SDKs are generated, formatted and checked by their compilers in ${of(0)}.`,
  },
  {
    ...{ id: 'clone', run: 'clone', heading: 'A fresh clone', ...RATIO },
    title: 'A fresh clone',
    ...{ one: 'before', note: `Size of the folder after npm install. ${LESS}` },
    groups: [{ title: 'Folder', column: 'to before' }],
    means: (of) =>
      `A clone with its install has ${of(0)} the size that it had when it brought what only tests need.`,
  },
]

/** A chart as it is drawn. */
export function drawingOf(chart: Chart, page: string): Drawing {
  const tables = tablesOf(page, chart.run)
  const groups = chart.groups.map((group) => groupOf(group, tables))
  const { title, note, one, unit } = chart
  return { title, note, one, unit, groups }
}

/** What the chart means, with its figures. */
export function meaningOf(chart: Chart, { groups, unit }: Drawing): string {
  return chart.means((index, label) => {
    const bars = groups[index]?.bars ?? []
    const bar = bars.find((one) => (label ? label.test(one.label) : one.isOurs))
    if (!bar) throw new Error(`The chart ${chart.id} has no ${label ?? 'bar of ours'}.`)
    return unit === RATIO.unit
      ? `${shown(bar.value, unit)} times`
      : `${shown(bar.value, unit)}${unit}`
  })
}

function groupOf(group: Column, tables: readonly Table[]): Group {
  const { title, column, nth = 1, table = 0, cut = '', isOurs = false } = group
  const found = tables[table]
  const index = found?.head.flatMap((cell, at) => (cell === column ? [at] : []))[nth - 1]
  if (!found || index === undefined) throw new Error(`No kept table has the column ${column}.`)
  const bars = rowsOf(group, found).flatMap((cells): Bar[] => {
    const [first = ''] = cells
    const value = figureOf(cells[index] ?? '')
    if (value === null) return []
    const label = first.replace(cut, '').replace(/\*\*|`/g, '')
    return [{ label, value, isOurs: isOurs || first.includes('**') }]
  })
  if (bars.length === 0) throw new Error(`No row of the kept table is for ${title}.`)
  return { title, bars }
}

function rowsOf({ rows, from, until }: Column, { rows: all }: Table): string[][] {
  const at = (edge: RegExp | undefined, otherwise: number) =>
    edge ? all.findIndex(([first = '']) => edge.test(first)) : otherwise
  return all
    .slice(at(from, 0), at(until, all.length))
    .filter(([first = '']) => !/\bnoise\b/.test(first) && (rows?.test(first) ?? true))
}
