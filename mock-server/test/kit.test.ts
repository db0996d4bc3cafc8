/** The cases that the test kits of all languages share, with `createMockServer`. */
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMockServer, type MockServer } from '../src/index.ts'

interface Step {
  do?: string
  with?: Record<string, unknown>
  get?: string
  status?: number
  expect?: unknown
  keep?: Record<string, string>
}

const FILE = new URL('../../sdks/conformance/kits.json', import.meta.url)
const { cases }: { cases: { name: string; steps: Step[] }[] } = JSON.parse(
  readFileSync(FILE, 'utf8'),
)

// biome-ignore lint/suspicious/noExplicitAny: the arguments are data of the cases
type Given = any
const CONTROLS: Record<string, (mock: MockServer, given: Given) => Promise<unknown>> = {
  add_endpoint: (mock, given) => mock.addEndpoint(given),
  advance: (mock, { duration }) => mock.advance(duration),
  cancel: (mock, { delivery }) => mock.cancel(delivery),
  clear_faults: (mock) => mock.clearFaults(),
  create_conversation: (mock, given) => mock.conversations.create(given),
  csat: (mock, { conversation, rating, comment }) =>
    mock.conversations.csat(conversation, rating, comment),
  deliveries: (mock) => mock.deliveries(),
  disable: (mock, { endpoint }) => mock.disable(endpoint),
  enable: (mock, { endpoint }) => mock.enable(endpoint),
  events: (mock) => mock.events(),
  fail: (mock, { retry_after: retryAfter, ...rule }) => mock.fail({ ...rule, retryAfter }),
  faults: (mock) => mock.faults(),
  handoff: (mock, { conversation, reason }) => mock.conversations.handoff(conversation, reason),
  pause: (mock) => mock.pause(),
  remove_snapshot: (mock, { name }) => mock.removeSnapshot(name),
  replay: (mock, { delivery }) => mock.replay(delivery),
  requests: (mock) => mock.requests(),
  reset: (mock) => mock.reset(),
  resolve: (mock, { conversation }) => mock.conversations.resolve(conversation),
  restore: (mock, { name }) => mock.restore(name),
  resume: (mock, { order }) => mock.resume(order),
  retry_now: (mock, { delivery }) => mock.retryNow(delivery),
  rotate: (mock, { endpoint }) => mock.rotate(endpoint),
  say: (mock, { conversation, text, ...options }) =>
    mock.conversations.say(conversation, text, options),
  snapshot: (mock, { name }) => mock.snapshot(name),
  snapshots: (mock) => mock.snapshots(),
  trigger: (mock, { kind, data, ...options }) => mock.trigger(kind, data, options),
}

describe('createMockServer', () => {
  it.each(cases)('$name', async ({ steps }) => {
    const mock = await createMockServer()
    onTestFinished(() => mock.close())
    const kept: Record<string, string> = { nowhere: 'http://127.0.0.1:9/webhooks' }
    for (const unfilled of steps) {
      const step = filled(unfilled, kept) as Step
      if (step.get !== undefined) {
        const headers = { authorization: `Bearer ${mock.apiKey}` }
        expect((await mock.fetch(step.get, { headers })).status, step.get).toBe(step.status)
        continue
      }
      const control = CONTROLS[step.do ?? '']
      if (!control) throw new Error(`The kit has no control ${step.do}.`)
      const result = await control(mock, step.with ?? {})
      if ('expect' in step) expect(result, step.do).toEqual(asMatcher(step.expect))
      for (const [name, path] of Object.entries(step.keep ?? {})) kept[name] = at(result, path)
    }
  })

  it('has no control that the cases do not call', async () => {
    const mock = await createMockServer()
    onTestFinished(() => mock.close())
    const own = Object.keys(mock).filter(
      (name) => typeof mock[name as keyof MockServer] === 'function',
    )
    const others = ['close', 'fetch', 'create']
    const names = [...own, ...Object.keys(mock.conversations)]
      .filter((name) => !others.includes(name))
      .map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    const called = new Set(cases.flatMap(({ steps }) => steps.flatMap((step) => step.do ?? [])))
    expect([...names, 'create_conversation'].sort()).toEqual([...called].sort())
  })
})

/** A step with `$name` replaced by what an earlier one kept. */
function filled(value: unknown, kept: Record<string, string>): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$(\w+)/g, (_, name) => kept[name] ?? `nothing is kept as ${name}`)
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, kept))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, kept)]))
}

const at = (value: unknown, path: string): string =>
  path.split('.').reduce<Given>((found, name) => found[name], value)

/** A value has at least the expected fields. Lists have equal lengths. */
function asMatcher(expected: unknown): unknown {
  if (Array.isArray(expected)) return expected.map(asMatcher)
  if (expected === null || typeof expected !== 'object') return expected
  if ('not' in expected) return expect.not.stringMatching(`^${expected.not}$`)
  return expect.objectContaining(
    Object.fromEntries(Object.entries(expected).map(([name, item]) => [name, asMatcher(item)])),
  )
}
