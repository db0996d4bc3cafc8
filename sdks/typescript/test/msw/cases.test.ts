// The cases that the mocks of the API of all languages share.
import { readFileSync } from 'node:fs'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mocks } from '../../src/generated/mocks.ts'
import { APIError, type RateLimitError, SupportChatError } from '../../src/index.ts'
import { type HandlerOptions, operation } from '../../src/msw/handlers.ts'
import { createHandlers, fixtures, respond } from '../../src/msw/index.ts'
import { Memory } from '../../src/msw/memory.ts'
import type { Mock } from '../../src/msw/mock.ts'
import { BASE_URL, createClient, rejection } from '../client/support.ts'

interface Step {
  call?: string
  query?: Record<string, string>
  body?: unknown
  fail?: {
    status: number
    operation?: string
    retry_after?: number
    times?: number
    body?: object
  }
  respond?: { operation: string; data: unknown }
  fixture?: string
  with?: object
  reset?: true
  refused?: true
  returns?: unknown
  raises?: Record<string, unknown>
  keep?: Record<string, string>
}

interface Cases {
  cases: Array<{ name: string; steps: Step[] }>
  memory: Array<{ name: string; operations: Record<string, Partial<Mock>>; steps: Step[] }>
}

const FILE = new URL('../../../conformance/mocks.json', import.meta.url)
const { cases, memory }: Cases = JSON.parse(readFileSync(FILE, 'utf8'))

const handlers = createHandlers({ baseURL: BASE_URL })
const server = setupServer(...handlers)
const client = createClient({ maxRetries: 0 })
const OPERATIONS = mocks.map(({ id }) => id)
const MOCK: Mock = {
  id: '',
  status: 200,
  contentType: 'application/json',
  examples: [],
  creates: null,
  reads: null,
  holds: {},
  lists: null,
}

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(reset)
afterAll(() => server.close())

test.each(cases)('$name', async ({ steps }) => {
  const kept: Record<string, unknown> = {}
  for (const unfilled of steps) {
    const step = filled(unfilled, kept) as Step
    if (step.refused) {
      expect(() => act(step), JSON.stringify(step)).toThrow(SupportChatError)
      continue
    }
    const result = await act(step)
    if ('returns' in step) fits(result, step.returns, step)
    for (const [name, path] of Object.entries(step.keep ?? {})) kept[name] = at(result, path)
  }
})

describe('the memory', () => {
  test.each(memory)('$name', ({ operations, steps }) => {
    const memory = new Memory()
    for (const { call = '', body, returns } of steps) {
      const { mock, path, params } = found(operations, call)
      expect(memory.respond(mock, { path, params, body }) ?? null, call).toEqual(returns)
    }
  })
})

function act(step: Step): unknown {
  if (step.fail) return fail(step.fail)
  if (step.respond) return use(step.respond.operation, step.respond.data)
  if (step.fixture) return fixtureOf(step.fixture, step.with)
  return step.reset ? reset() : call(step)
}

/** What the client returns or rejects with. */
async function call({ call = '', query, body, raises }: Step): Promise<unknown> {
  const [method = '', path = ''] = call.split(' ')
  const sent = client.request(method, path, {
    ...(query && { query }),
    ...(body !== undefined && { body }),
  })
  if (!raises) return await sent
  const error = (await rejection(sent)) as RateLimitError
  expect(error, call).toBeInstanceOf(APIError)
  const { status, problem, requestId: request_id = null, retryAfter: retry_after = null } = error
  fits({ status, problem, request_id, retry_after }, raises, call)
  return undefined
}

function fail({
  status,
  operation,
  retry_after: retryAfter,
  times,
  body,
}: NonNullable<Step['fail']>) {
  const make = Object.values(respond).find((make) => make().status === status)
  for (const id of operation ? [operation] : OPERATIONS) {
    for (let left = times ?? 1; left > 0; left--) {
      use(id, make?.({ retryAfter, body }), { once: times !== undefined })
    }
  }
}

function use(id: string, data: unknown, options?: HandlerOptions): void {
  server.use(operation<unknown>(id)(data, options))
}

function fixtureOf(name: string, changes?: object): unknown {
  return fixtures[name as 'conversation'](changes)
}

function reset(): void {
  server.resetHandlers()
  handlers.reset()
}

/** The operation of a call in a case about the memory, and its parameters. */
function found(operations: Record<string, Partial<Mock>>, call: string) {
  const [method, path = ''] = call.split(' ')
  const segments = path.split('/')
  for (const [id, facts] of Object.entries(operations)) {
    const [verb, template = ''] = id.split(' ')
    const parts = template.split('/')
    const isIt = parts.every((part, index) => part.startsWith('{') || part === segments[index])
    if (verb !== method || parts.length !== segments.length || !isIt) continue
    const values = parts.flatMap((part, index) =>
      part.startsWith('{') ? [[part.slice(1, -1), segments[index]]] : [],
    )
    return { mock: { ...MOCK, id, ...facts }, path, params: Object.fromEntries(values) }
  }
  throw new Error(`The case has no ${call}.`)
}

/** A value with `${name.field}` replaced by what an earlier step kept. */
function filled(value: unknown, kept: Record<string, unknown>): unknown {
  if (typeof value === 'string') {
    const [, whole] = /^\$\{([\w.]+)\}$/.exec(value) ?? []
    if (whole !== undefined) return at(kept, whole)
    return value.replace(/\$\{([\w.]+)\}/g, (_, path: string) => String(at(kept, path)))
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, kept))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, kept)]))
}

function at(value: unknown, path: string): unknown {
  const names = path === '' ? [] : path.split('.')
  return names.reduce((value, name) => (value as Record<string, unknown>)[name], value)
}

/** Expects at least the given fields. Lists have equal lengths. */
function fits(value: unknown, expected: unknown, of: unknown): void {
  const message = JSON.stringify([of, value])
  if (Array.isArray(expected)) {
    expect(value, message).toHaveLength(expected.length)
    for (const [index, item] of expected.entries()) fits((value as unknown[])[index], item, of)
  } else if (typeof expected !== 'object' || expected === null) {
    expect(value, message).toEqual(expected)
  } else if ('not' in expected) {
    expect(value, message).not.toEqual(expected.not)
  } else if ('ends' in expected) {
    const ends = expected.ends as unknown[]
    fits((value as unknown[]).slice(-ends.length), ends, of)
  } else {
    for (const [name, item] of Object.entries(expected)) {
      const field = (value as Record<string, unknown> | null)?.[name]
      if (item?.absent) expect(field, message).toBeUndefined()
      else fits(field, item, of)
    }
  }
}
