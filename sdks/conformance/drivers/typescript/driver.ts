// Carries out orders, a line of JSON each: makes a client, calls it and reports the outcome.
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { clock } from 'sdk/core/clock'
import * as sdk from 'sdk/index'
import {
  type APIPromise,
  type ClientOptions,
  type Page,
  type RequestOptions,
  SupportChat,
  SupportChatError,
} from 'sdk/index'
import { readJson, writeJson } from '../../runner/json.ts'
import { type Layer, middlewareOf } from './middleware.ts'

interface Call {
  operation: string
  path?: string[]
  params?: object
  body?: object
  options?: Options
  take?: 'all' | 'page' | 'pages' | 'next' | 'raw' | 'request_id' | number | { list: number | null }
  cancel?: 'waiting' | 'reading' | 'connecting'
}

interface Options {
  api_key?: string
  base_url?: string
  timeout?: number | null
  max_retries?: number
  default_headers?: object
  default_query?: object
  log_level?: string
  strict?: boolean
  on_mismatch?: 'collect' | 'raise'
  middleware?: Layer[]
  idempotency_key?: string | null
  headers?: object
  query?: object
  body?: object
}

interface Order {
  client: Options
  environment: Record<string, string>
  clock: { now: string; chance: number }
  call: Call
  settled_url: string
  cancel_url: string
  times: number
}

interface Result {
  returned?: unknown
  raised?: unknown
}

/** What the calls of an order share. */
interface Surroundings {
  signal: AbortSignal
  note(value: unknown): void
  told: object[]
}

/** The result of a method: a promise and, for a list, its items. */
type Pending = APIPromise<unknown> &
  AsyncIterable<unknown> & {
    iterPages(): AsyncIterable<Page<unknown>>
    toArray(options: { limit?: number }): Promise<unknown[]>
  }

/** Arguments of each operation, in the SDK's order. */
const OPERATIONS: Record<string, (call: Call) => unknown[]> = {
  'probes.list': ({ params }) => [named(params)],
  'probes.get': ({ path = [] }) => path,
  'probes.create': ({ body }) => [argument(body)],
  'probes.update': ({ path = [], body }) => [...path, argument(body)],
  'probes.delete': ({ path = [] }) => path,
  'probes.poke': ({ path = [] }) => path,
  'probes.touch': ({ path = [] }) => [...path, undefined],
  'probes.tag': ({ path = [], body }) => [...path, argument(body)],
  'probes.report': ({ path = [] }) => path,
  'probes.image': ({ path = [] }) => path,
  'probes.summary': () => [],
  'probes.attach': ({ body }) => [argument(body)],
  'probes.notes.create': ({ path = [], body }) => [...path, argument(body)],
  'probes.trials.list': ({ params }) => [named(params)],
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = readJson(line) as unknown as Order
  process.stdout.write(`${writeJson(await carryOut(order))}\n`)
}

async function carryOut(order: Order) {
  const { client: options, environment, clock: held, call, times } = order
  const waits: number[] = []
  const shown: unknown[] = []
  const logs: object[] = []
  const mismatches: object[] = []
  const told: object[] = []
  const note = (...words: unknown[]) => void shown.push(...words)
  const abort = new AbortController()
  const cancel = () => abort.abort()
  // It fails if the case ends first.
  if (call.cancel && call.cancel !== 'waiting') ended(order.cancel_url).then(cancel, () => {})
  clock.now = () => Date.parse(held.now)
  clock.random = () => held.chance
  clock.sleep = async (ms, signal) => {
    waits.push(ms / 1000)
    if (call.cancel === 'waiting') cancel()
    await ended(order.settled_url)
    signal?.throwIfAborted()
  }

  Object.assign(process.env, environment)
  const results: Result[] = []
  try {
    const entry = (level: string) => (message: string, fields: unknown) => {
      note(message, fields)
      logs.push({ level, text: `${message} ${inspect(fields, { breakLength: Infinity })}` })
    }
    const logger = {
      debug: entry('debug'),
      info: entry('info'),
      warn: entry('warn'),
      error: entry('error'),
    }
    const onMismatch = (mismatch: object) => {
      mismatches.push({ ...mismatch, request_id: Reflect.get(mismatch, 'requestId') })
      if (options.on_mismatch === 'raise') throw new Error('The hook failed.')
    }
    const client = new SupportChat({
      ...translated(options, told),
      ...(options.on_mismatch && { onMismatch }),
      logger,
    })
    note(client)
    const calls = Array.from({ length: times }, (_, n) =>
      perform(client, numbered(call, n), { signal: abort.signal, note, told }),
    )
    results.push(...(await Promise.all(calls)))
  } catch (error) {
    note(error)
    results.push({ raised: described(error) })
  } finally {
    for (const name of Object.keys(environment)) delete process.env[name]
  }
  const printed = inspect(shown, { depth: 9, maxStringLength: null })
  return { waits, results, logs, mismatches, told, shown: printed }
}

/** Waits for the end of a response. With `fetch`, the GET would take a connection of the SDK. */
function ended(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => response.resume().on('end', resolve)).on(
      'error',
      reject,
    )
  })
}

async function perform(
  client: SupportChat,
  call: Call,
  { signal, note, told }: Surroundings,
): Promise<Result> {
  const items: unknown[] = []
  try {
    const names = call.operation.split('.')
    const method = names.pop() ?? ''
    const resource = names.reduce((at: object, name) => Reflect.get(at, name), client)
    const options = { ...translated(call.options ?? {}, told), signal }
    const given = OPERATIONS[call.operation]?.(call) ?? []
    const promise: Pending = Reflect.get(resource, method).call(resource, ...given, options)
    if (call.take === 'all' || typeof call.take === 'number') {
      for await (const item of promise) {
        items.push(item)
        if (items.length === call.take) break
      }
      return { returned: items }
    }
    if (call.take === 'pages') {
      for await (const page of promise.iterPages()) items.push(shownPage(page))
      return { returned: items }
    }
    if (typeof call.take === 'object') {
      const { list } = call.take
      return { returned: await promise.toArray(list === null ? {} : { limit: list }) }
    }
    if (call.take === 'raw') {
      const raw = await promise.withResponse()
      note(raw)
      const { data, response, requestId } = raw
      return { returned: { data: data ?? null, status: response.status, request_id: requestId } }
    }
    const value = await promise
    if (call.take) note(value)
    if (call.take === 'page') return { returned: shownPage(value as Page<unknown>) }
    if (call.take === 'request_id') {
      const request_id = Reflect.get(sdk, 'requestIdOf')(value)
      return { returned: { data: value ?? null, request_id } }
    }
    if (call.take === 'next') {
      const page = value as Page<unknown>
      const next = await page.nextPage()
      return { returned: [shownPage(page), next && shownPage(next)] }
    }
    return { returned: value instanceof Blob ? await value.text() : (value ?? null) }
  } catch (error) {
    note(error)
    return { raised: described(error), ...(items.length > 0 ? { returned: items } : {}) }
  }
}

/** Parameters under the SDK's names, which differ from the wire names for headers. */
function named(params: object = {}): object {
  const name = (wire: string) =>
    /[A-Z]/.test(wire)
      ? wire.toLowerCase().replace(/-(.)/g, (_, letter) => letter.toUpperCase())
      : wire
  return Object.fromEntries(
    Object.entries(params).map(([wire, value]) => [name(wire), argument(value)]),
  )
}

/** A value of a case as a caller of this SDK would give it: moments, days and objects are JSON's. */
function argument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(argument)
  if (typeof value !== 'object' || value === null) return value
  const { $time, $date, $model: _, ...fields } = value as Record<string, unknown>
  const entries = Object.entries(fields).map(([name, item]) => [name, argument(item)])
  return $time ?? $date ?? Object.fromEntries(entries)
}

function shownPage({ data, nextCursor }: Page<unknown>): object {
  return { data, next_cursor: nextCursor }
}

/** Describes an error in the terms of a case. */
function described(error: unknown): object {
  const { name, outcome, status, code, requestId, retryAfter, message, body } = Object(error)
  const { method, path, attempts, headers, problem } = Object(error)
  if (name === 'AbortError') return { class: 'cancelled', method, path, attempts, outcome }
  const request_id = requestId
  const retry_after = retryAfter
  const isBase = name === SupportChatError.name
  return {
    class: isBase ? 'Error' : name,
    outcome,
    status,
    code,
    request_id,
    retry_after,
    message,
    body,
    problem,
    headers: headers && Object.fromEntries(headers),
  }
}

function translated(options: Options, told: object[]): ClientOptions & RequestOptions {
  const { timeout, middleware } = options
  const all = {
    apiKey: options.api_key,
    baseURL: options.base_url,
    timeout: typeof timeout === 'number' ? timeout * 1000 : timeout,
    maxRetries: options.max_retries,
    defaultHeaders: options.default_headers,
    defaultQuery: options.default_query,
    logLevel: options.log_level,
    strict: options.strict,
    middleware: middleware && middlewareOf(middleware, told),
    idempotencyKey: options.idempotency_key,
    headers: options.headers,
    query: options.query,
    extraBody: options.body,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function numbered(call: Call, n: number): Call {
  return { ...call, path: call.path?.map((segment) => segment.replaceAll('{n}', `${n}`)) }
}
