/** Brings the expected and the actual outcome into one form, for a readable difference. */
import type { Exchange, ExpectedEntry, ExpectedRequest, Located } from './case.ts'
import type { Report } from './driver.ts'
import { readJson, type Value } from './json.ts'
import { PACKAGES } from './languages.ts'
import type { Arrived } from './server.ts'

export const API_KEY = 'sk_test_conformance'

export interface Comparison {
  expected: unknown
  actual: unknown
}

type Table = Readonly<Record<string, unknown>>

/** The default headers of every expected request. */
const HEADERS: Table = {
  authorization: `Bearer ${API_KEY}`,
  accept: { matches: '^application/json\\b' },
  'user-agent': { matches: `^support-chat-(?:${PACKAGES.join('|')})/\\d+\\.\\d+\\.\\d+` },
}

/** Headers that a retry shares with the first attempt. */
const KEPT_ON_RETRY = ['idempotency-key', 'content-type']

export function compare(one: Located, arrived: readonly Arrived[], report: Report): Comparison {
  const requests = expectedRequests(one, arrived)
  const results = expectedResults(one)
  const { waits: pauses = [], logs = null, mismatches = [], told = [] } = one
  const expected = {
    ...{ requests, results, waits: pauses, logs, mismatches, told },
    ...{ leaks: [], shared: [] },
  }
  const waits = report.waits.map((seconds) => Math.round(seconds * 1e6) / 1e6)
  const actual = {
    requests: arrived.map((request, index) => fit(requests[index], observed(request))),
    results: report.results.map((result, index) => fitResult(results[index], result)),
    waits,
    logs: logs && fitEntries(logs, report.logs, setsLevel(one)),
    mismatches: report.mismatches.map((mismatch, index) => fit(mismatches[index], mismatch)),
    told: report.told.map((one, index) => fit(told[index], one)),
    leaks: report.shown.includes(API_KEY) ? ['The API key was logged or printed.'] : [],
    shared: (one.distinct ?? []).filter((name) => !isDistinct(name, arrived)),
  }
  return { expected, actual }
}

function expectedRequests(one: Located, arrived: readonly Arrived[]): unknown[] {
  // Concurrent calls arrive in any order; each response names its request.
  if (one.times !== undefined) return arrived.map(() => ({ headers: HEADERS }))
  const requests: Table[] = []
  for (const [index, { request }] of one.exchanges.entries()) {
    requests.push(request === undefined ? again(requests[index - 1], arrived[0]) : wanted(request))
  }
  return requests
}

function wanted(request: NonNullable<Exchange['request']>): Table {
  const { line, headers, body }: ExpectedRequest =
    typeof request === 'string' ? { line: request } : request
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return { line: sorted(line), headers: { ...HEADERS, ...type, ...headers }, body: body ?? null }
}

function again(previous: Table | undefined, first: Arrived | undefined): Table {
  const same = KEPT_ON_RETRY.map((name) => [name, first?.headers[name] ?? null])
  return { ...previous, headers: { ...(previous?.headers as Table), ...Object.fromEntries(same) } }
}

function observed({ line, headers, body }: Arrived): Table {
  const isJson = /\bjson\b/.test(headers['content-type'] ?? '')
  return { line: sorted(line), headers, body: body === '' ? null : isJson ? parsed(body) : body }
}

/** Sorts the parameters of a query by name. The order of one name's values has a meaning and stays. */
export function sorted(line: string): string {
  const start = line.indexOf('?') + 1
  if (start === 0) return line
  const name = (pair: string) => pair.split('=', 1)[0] ?? ''
  const pairs = line
    .slice(start)
    .split('&')
    .sort((a, b) => (name(a) < name(b) ? -1 : Number(name(a) > name(b))))
  return line.slice(0, start) + pairs.join('&')
}

function parsed(body: string): Value {
  try {
    return readJson(body)
  } catch {
    return body
  }
}

function isDistinct(name: string, arrived: readonly Arrived[]): boolean {
  const values = new Set(arrived.map(({ headers }) => headers[name]))
  return values.size === arrived.length && !values.has(undefined)
}

/** Returns the expected result of each call. */
function expectedResults({ returns = null, raises, times = 1 }: Located): unknown[] {
  return Array.from({ length: times }, (_, index) =>
    numbered({ returned: returns, raised: raises ?? null }, index),
  )
}

function numbered(value: unknown, index: number): unknown {
  if (typeof value === 'string') return value.replaceAll('{n}', `${index}`)
  if (Array.isArray(value)) return value.map((item) => numbered(item, index))
  if (!isTable(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, numbered(item, index)]),
  )
}

/**
 * Reduces an outcome to the parts that a case expects: an object's listed members (null: absent), and
 * a text that `matches`.
 */
function fit(expected: unknown, actual: unknown): unknown {
  if (!isTable(expected)) return actual
  if (typeof expected.matches === 'string') {
    const fits = typeof actual === 'string' && new RegExp(expected.matches).test(actual)
    return fits ? expected : actual
  }
  if (!isTable(actual)) return actual
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [key, fit(value, actual[key] ?? null)]),
  )
}

/** A returned value is compared whole, an error by the members that the case names. */
function fitResult(expected: unknown, actual: Value): unknown {
  const { returned = null, raised = null } = actual as Table
  const { raised: wanted = null } = (expected ?? {}) as Table
  return { returned, raised: fit(wanted, raised) }
}

/** Whether the case is about the level of the log. Then entries of all levels are compared. */
function setsLevel({ client, environment }: Located): boolean {
  const names = Object.keys(environment ?? {})
  return client?.log_level !== undefined || names.some((name) => name.endsWith('_LOG'))
}

/** Reduces the log to its warnings and errors, or to all entries, and these to what a case expects. */
function fitEntries(
  expected: readonly ExpectedEntry[],
  entries: Report['logs'],
  isWhole: boolean,
): unknown[] {
  return entries
    .filter(({ level }) => isWhole || level === 'warn' || level === 'error')
    .map((entry, index) => {
      const text = expected[index]?.text
      const isPart = typeof text === 'string' && entry.text.includes(text)
      return isPart ? { ...entry, text } : fit(expected[index], entry)
    })
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
