import { isDeepStrictEqual } from 'node:util'
import { API_KEY, sorted } from '../runner/compare.ts'
import type { Played } from '../runner/run.ts'

/** Headers that belong to the HTTP client, or that differ in every call. */
const OWN_HEADERS = new Set([
  ...[
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
    'sec-fetch-mode',
    'content-length',
    'transfer-encoding',
  ],
])

const MISMATCH = ['model', 'field', 'problem', 'unknown', 'method', 'template', 'request_id']

type Table = Readonly<Record<string, unknown>>

/** What a client did, member by member. */
export type Outcome = Table

/** Reduces what a call did to what all languages have in common. */
export function outcomeOf({ arrived, report }: Played): Outcome {
  return {
    requests: arrived.map(({ line, headers, body }) => ({
      line: sorted(line),
      headers: shared(headers),
      body: json(body),
    })),
    results: report.results.map((result) => {
      const { returned = null, raised = null } = result as Table
      return { returned, raised: raised && error(raised as Table) }
    }),
    waits: report.waits.map((seconds) => Math.round(seconds * 1e6) / 1e6),
    levels: report.logs
      .map(({ level }) => level)
      .filter((level) => level === 'warn' || level === 'error'),
    // The order of the objects within an object is that of the fields, or of the document.
    mismatches: report.mismatches
      .map((told) => JSON.stringify(members(told as Table, MISMATCH)))
      .sort(),
    leaks: report.shown.includes(API_KEY),
  }
}

function shared(headers: Readonly<Record<string, string>>): Table {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name))
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name === 'user-agent') return [name, value.replace(/^support-chat-.*/, '(SDK)')]
      return [name, /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value) ? '(UUID)' : value]
    }),
  )
}

function json(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function members(table: Table, names: readonly string[]): Table {
  return Object.fromEntries(names.map((name) => [name, table[name] ?? null]))
}

/** The members of an error, without those that are absent, and without the language's own words. */
function error({ message, ...raised }: Table): Table {
  const { body, headers } = raised
  // Text begins after a byte order mark, bytes with it.
  const text = typeof body === 'string' ? { body: body.replace(/^\ufeff/, '') } : {}
  const received = headers ? { headers: kept(headers as Table) } : {}
  const members = Object.entries({ ...raised, ...received, ...text }).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  const words = raised.class === 'APIConnectionError' || raised.class === 'Error' ? null : message
  const said = typeof words === 'string' ? common(words) : null
  return { ...Object.fromEntries(members), message: said }
}

/** Headers of a response, without those of the connection. */
function kept(headers: Table): Table {
  const entries = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name))
  // Some HTTP clients keep the white space at the end of a value.
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value).trim()]))
}

/** A message without what the language, the server's port and the order of nested objects add to it. */
function common(message: string): string {
  return message
    .replace(/^supportchat: /, '')
    .replace(/127\.0\.0\.1:\d+/, '(host)')
    .replace(/^\w+: (?:missing|null|unreadable) .*(?= \()/s, '(mismatch)')
}

/** Returns the members of outcomes that differ, with the value of each client that is compared. */
export function differences(
  outcomes: Readonly<Record<string, Outcome>>,
  ignored: Readonly<Record<string, readonly string[]>>,
): Outcome {
  const names = [...new Set(Object.values(outcomes).flatMap((one) => Object.keys(one)))]
  const compared = names.map((name) => {
    const having = Object.entries(outcomes).filter(([client]) => !ignored[client]?.includes(name))
    return [name, having.map(([client, outcome]) => [client, outcome[name]] as const)] as const
  })
  return Object.fromEntries(
    compared
      .filter(
        ([, values]) => !values.every(([, value]) => isDeepStrictEqual(value, values[0]?.[1])),
      )
      .map(([name, values]) => [name, Object.fromEntries(values)]),
  )
}
