/** The control API as functions, for tests in this process. They send what any other client sends. */
import type { Delivery } from './control/shown.ts'
import type { FaultRule, NewRule } from './faults/rules.ts'
import type { LoggedRequest } from './requests/shown.ts'
import type { Order } from './sandbox/deliveries.ts'

/** Which requests fail, and how. */
export interface FaultOptions {
  /** @default every method */
  method?: string | undefined
  /** A path, a template such as `/v1/conversations/{id}`, or the start of paths and `*`. @default every path */
  path?: string | undefined
  /** From 400 to 599. @default 503, without `delay`, `reset` and `truncate` */
  status?: number | undefined
  /** The `Retry-After` of the response, in seconds. @default none */
  retryAfter?: number | undefined
  /** How many matching requests count, whether they fail or not. @default all */
  times?: number | undefined
  /** The share that fails, from 0 to 1. @default 1 */
  rate?: number | undefined
  /** How long the response waits, for example `2s` or `300ms`. */
  delay?: string | undefined
  /** Breaks the connection. Nothing is done. */
  reset?: boolean | undefined
  /** Does everything, and breaks the connection within the response. */
  truncate?: boolean | undefined
}

export interface RequestsFilter {
  method?: string | undefined
  /** A path, a template such as `/v1/conversations/{id}`, or the start of paths and `*`. */
  path?: string | undefined
  /** A status, or a class such as `4xx`. */
  status?: number | string | undefined
  /** How many. @default 100 */
  limit?: number | undefined
}

/** A state of the sandbox that was kept. */
export interface MockSnapshot {
  name: string
  /** When it was kept, in real time. */
  at: string
}

/** A conversation in the format of API lists. */
export type MockConversation = Record<string, unknown> & { id: string }

/** What an app sees because of others: its visitors and agents. Every step sends its events. */
export interface MockConversations {
  /** Creates one, as a visitor. */
  create(options?: { text?: string; name?: string | null }): Promise<MockConversation>
  /** Adds a message. @returns it in the format of the API */
  say(
    id: string,
    text: string,
    options?: { author?: 'visitor' | 'agent'; name?: string | null },
  ): Promise<Record<string, unknown>>
  /** Hands it off to a human. */
  handoff(id: string, reason: string): Promise<MockConversation>
  resolve(id: string): Promise<MockConversation>
  /** Rates it, once it is resolved. */
  csat(id: string, rating: number, comment?: string | null): Promise<MockConversation>
}

export interface InTest {
  conversations: MockConversations
  /** Lets requests to the API fail. The first rule that still counts a request decides. */
  fail(options: FaultOptions): Promise<FaultRule>
  /** Lists the rules of `fail`, and how many requests each still counts. */
  faults(): Promise<FaultRule[]>
  clearFaults(): Promise<void>
  /** Lists the requests to the API, newest first, without secrets. */
  requests(filter?: RequestsFilter): Promise<LoggedRequest[]>
  /** Lists the events, newest first. */
  events(): Promise<Record<string, unknown>[]>
  /** Lists the snapshots, oldest first. */
  snapshots(): Promise<MockSnapshot[]>
  /** Removes a snapshot. The sandbox stays as it is. */
  removeSnapshot(name: string): Promise<void>
  /** Holds deliveries back. Events still happen. */
  pause(): Promise<void>
  /** Sends what waited: at once, or one by one in an order. */
  resume(order?: Order): Promise<void>
  /** Makes a pending delivery dead. */
  cancel(id: string): Promise<Delivery>
  /** From now on, events are not for this endpoint, and its pending deliveries wait. */
  disable(endpoint: string): Promise<void>
  enable(endpoint: string): Promise<void>
}

/** Calls the control API. @returns the body of its response */
export type Control = <T>(
  method: string,
  path: string,
  body?: object,
  revision?: string,
) => Promise<T>

export function inTest(control: Control): InTest {
  const post = <T>(path: string, body: object = {}) => control<T>('POST', path, body)
  const conversation = (id: string, step: string, body?: object) =>
    post<MockConversation>(`conversations/${encodeURIComponent(id)}/${step}`, body)
  const listed = async <T>(path: string) => (await control<{ data: T[] }>('GET', path)).data
  const endpoint = async (id: string, step: string) => {
    await post(`endpoints/${encodeURIComponent(id)}/${step}`)
  }
  return {
    conversations: {
      create: (options = {}) => post('conversations', options),
      say: (id, text, options = {}) => conversation(id, 'messages', { text, ...options }),
      handoff: (id, reason) => conversation(id, 'handoff', { reason }),
      resolve: (id) => conversation(id, 'resolve'),
      csat: (id, rating, comment) =>
        conversation(id, 'csat', { rating, ...(comment !== undefined && { comment }) }),
    },
    fail: ({ retryAfter, ...rule }) =>
      post<FaultRule>('faults', { ...rule, retry_after: retryAfter } satisfies NewRule),
    faults: () => listed('faults'),
    clearFaults: () => control('DELETE', 'faults'),
    requests: (filter = {}) => {
      const given = Object.entries(filter).filter(([, value]) => value !== undefined)
      return listed(
        `requests?${new URLSearchParams(given.map(([name, value]) => [name, `${value}`]))}`,
      )
    },
    events: () => listed('events'),
    snapshots: () => listed('snapshots'),
    removeSnapshot: (name) => control('DELETE', `snapshots/${encodeURIComponent(name)}`),
    pause: () => post('deliveries/pause'),
    resume: (order) => post('deliveries/resume', { order }),
    cancel: (id) => post(`deliveries/${encodeURIComponent(id)}/cancel`),
    disable: (id) => endpoint(id, 'disable'),
    enable: (id) => endpoint(id, 'enable'),
  }
}

interface Refusal {
  detail?: string
  errors?: Array<{ pointer?: string; parameter?: string; message: string }>
}

/** @param fetch Reaches the server. */
export function controlOver(fetch: typeof globalThis.fetch, key: string): Control {
  return async <T>(method: string, path: string, body?: object, revision?: string) => {
    const response = await fetch(`/_mock/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(revision !== undefined && revision !== '' && { 'x-mock-revision': revision }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const value = text === '' ? undefined : JSON.parse(text)
    if (!response.ok) throw new Error(reasonOf(value))
    const id = response.headers.get('x-mock-id')
    return (id === null ? value : { ...value, id }) as T
  }
}

function reasonOf({ detail = '', errors = [] }: Refusal): string {
  const reasons = errors.map(
    (one) => ` ${(one.parameter ?? one.pointer) || 'the body'} ${one.message}.`,
  )
  return detail + reasons.join('')
}
