// The suite must be able to fail: its verdict on drivers that deviate.
import { expect, it } from 'vitest'
import type { Located } from '../runner/case.ts'
import type { Driver, Report } from '../runner/driver.ts'
import { checkKnownFailures } from '../runner/known-failures.ts'
import { runCase } from '../runner/run.ts'

const one: Located = {
  id: 'family/topic/name',
  family: 'family',
  file: 'file',
  name: 'Name',
  call: { operation: 'probes.create', body: { size: 9007199254740993n } },
  exchanges: [
    {
      request: {
        line: 'POST /v1/probes?b=2&a=1&a=0',
        headers: { 'idempotency-key': { matches: '^k' }, 'x-other': null },
        body: { size: 9007199254740993n },
      },
      response: { status: 503, headers: { 'Retry-After': '3' } },
    },
    { response: { json: { id: 'probe_1' } } },
  ],
  waits: [3],
  returns: { id: 'probe_1' },
  logs: [{ level: 'warn', text: 'retry in 3 s' }],
  mismatches: [{ model: 'Probe', field: 'kind', problem: 'missing' }],
  told: [{ by: 'it', retry: 0 }],
}

const WARNING = { level: 'warn', text: 'retry in 3 s after status 503' }
const MISMATCH = { model: 'Probe', field: 'kind', problem: 'missing', unknown: [] }

const RIGHT = { query: '?a=1&a=0&b=2', key: 'k1', again: 'k1', body: '{"size":9007199254740993}' }

/** A driver that sends two requests and returns the given report. */
function driverOf(sent: Partial<typeof RIGHT>, report: Partial<Report> = {}): Driver {
  const { query, key, again, body } = { ...RIGHT, ...sent }
  return {
    async carryOut({ client }) {
      for (const used of [key, again]) {
        const headers = {
          authorization: 'Bearer sk_test_conformance',
          accept: 'application/json',
          'user-agent': 'support-chat-go/1.0.0',
          'content-type': 'application/json',
          'idempotency-key': used,
        }
        await fetch(`${client.base_url}/v1/probes${query}`, { method: 'POST', headers, body })
      }
      const results = [{ returned: { id: 'probe_1' }, raised: null }]
      const logs = [{ level: 'debug', text: 'request' }, WARNING]
      const told = [{ by: 'it', retry: 0, method: 'POST' }]
      return { waits: [3], results, logs, mismatches: [MISMATCH], told, shown: '', ...report }
    },
    stop() {},
  }
}

const verdict = async (driver: Driver) => {
  const { expected, actual } = await runCase(one, driver)
  return JSON.stringify(actual, big) === JSON.stringify(expected, big)
}

const big = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

it('the expected behavior passes', async () => {
  expect(await verdict(driverOf({}))).toBe(true)
})

it.each([
  ['another path or query', driverOf({ query: '?a=0&a=1&b=2' })],
  ['more after a second question mark', driverOf({ query: '?a=1&a=0&b=2?c=3' })],
  ['another header', driverOf({ key: 'x1', again: 'x1' })],
  ['another key on the second attempt', driverOf({ again: 'k2' })],
  ['another body', driverOf({ body: '{"size":9007199254740992}' })],
  ['another delay', driverOf({}, { waits: [2] })],
  ['a field too many', driverOf({}, { results: [{ returned: { id: 'probe_1', x: 1 } }] })],
  ['an error', driverOf({}, { results: [{ returned: null, raised: { class: 'X' } }] })],
  ['a warning too many', driverOf({}, { logs: [WARNING, WARNING] })],
  ['a missing warning', driverOf({}, { logs: [] })],
  ['another text', driverOf({}, { logs: [{ level: 'warn', text: 'retry in 2 s' }] })],
  ['an error in place of a warning', driverOf({}, { logs: [{ ...WARNING, level: 'error' }] })],
  ['another mismatch', driverOf({}, { mismatches: [{ ...MISMATCH, problem: 'null' }] })],
  ['a mismatch too many', driverOf({}, { mismatches: [MISMATCH, MISMATCH] })],
  ['another report of middleware', driverOf({}, { told: [{ by: 'it', retry: 1 }] })],
  ['a logged key', driverOf({}, { shown: 'authorization: Bearer sk_test_conformance' })],
])('%s fails', async (_what, driver) => {
  expect(await verdict(driver)).toBe(false)
})

it('a known failure names its case, its language and the reason', () => {
  const entry = { language: 'go', case: one.id, reason: 'net/http does not allow it.' } as const
  expect(() => checkKnownFailures([entry], [one])).not.toThrow()
  expect(() => checkKnownFailures([{ ...entry, reason: '' }], [one])).toThrow('say why go fails')
  expect(() => checkKnownFailures([{ ...entry, case: 'x/y/z' }], [one])).toThrow('no case x/y/z')
})
