/** Shared by the tests of the pages: a browser without JavaScript, and a receiver of events. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { SandboxOptions } from '../src/server.ts'
import { OTHER } from './kinds.ts'
import { KEY, type Sandboxed, SEEDED, sandboxed } from './sandboxed.ts'

/** The pages; the delivery is there once an endpoint has received something. */
export const PAGES = [
  '/',
  '/dashboard/conversations',
  '/dashboard/conversations?status=open',
  '/dashboard/requests',
  '/dashboard/requests?status=4xx',
  '/dashboard/requests/req_shown',
  `/dashboard/conversations/${SEEDED.open}`,
  `/dashboard/conversations/${SEEDED.resolved}`,
  '/dashboard/deliveries',
  '/dashboard/deliveries?state=dead',
  '/dashboard/deliveries?state=succeeded&before=dlv_2',
  '/dashboard/deliveries/dlv_1',
  '/dashboard/deliveries/dlv_1?verify=1',
  '/dashboard/dead',
  '/dashboard/dead?before=dlv_2',
  '/dashboard/endpoints',
  '/dashboard/faults',
  '/dashboard/snapshots',
  '/dashboard/events',
  '/dashboard/events?before=2',
]

export interface Shown {
  status: number
  headers: Headers
  html: string
}

/** A browser that follows redirects, keeps cookies and sends the Origin of a form. */
class Visitor {
  readonly #url: string
  readonly #cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  async send(path: string, init: RequestInit = {}): Promise<Shown> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...init.headers, ...(cookie && { cookie }) }
    const response = await fetch(this.#url + path, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return { status: response.status, headers: response.headers, html: await response.text() }
  }

  get(path: string): Promise<Shown> {
    return this.send(path)
  }

  post(path: string, fields: Record<string, string> = {}, headers = {}): Promise<Shown> {
    const body = new URLSearchParams(fields)
    return this.send(path, { method: 'POST', body, headers: { origin: this.#url, ...headers } })
  }

  /** Sends a form and follows the redirect. */
  async submit(path: string, fields: Record<string, string> = {}): Promise<Shown> {
    const { status, headers, html } = await this.post(path, fields)
    expect([status, html]).toEqual([303, ''])
    return this.get(headers.get('location') ?? '')
  }
}

/** The text of a page, without its elements. */
export function textOf({ html }: Shown): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
}

/** A receiver that returns the same response to every event. */
async function receive() {
  const response = { status: 200, headers: {} as Record<string, string>, body: '' }
  const server = createServer((request, outgoing) => {
    const { status, headers, body } = response
    request.resume().on('end', () => outgoing.writeHead(status, headers).end(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, response, close: () => server.close() }
}

/** For one test: a sandbox, a visitor of its pages, and a receiver of its events. */
export async function visit(options: Partial<SandboxOptions> = {}) {
  const receiver = await receive()
  const mock = await sandboxed(options)
  onTestFinished(async () => {
    await mock.close()
    receiver.close()
  })
  return { mock, visitor: new Visitor(mock.server.url), receiver }
}

/** The address of a link of a page, by its text. */
export function linkOf({ html }: Shown, text: string): string | undefined {
  const [, address] = new RegExp(`href="([^"]*)"[^>]*>${text}</a>`).exec(html) ?? []
  return address?.replaceAll('&amp;', '&')
}

/** The rows of a page that start with a text. */
export function idsOf({ html }: Shown, prefix: string): string[] {
  const found = html.matchAll(new RegExp(` id="(${prefix}_\\w+)"`, 'g'))
  return [...found].map(([, id = '']) => id)
}

/** Waits until all due deliveries have been attempted. */
export async function settled({ sandboxes }: Sandboxed): Promise<void> {
  await sandboxes.settled(await sandboxes.of(KEY))
}

/** Triggers that many events, and waits until they are sent. */
export async function happen(mock: Sandboxed, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await mock.post('/_mock/trigger', { kind: OTHER })
  await settled(mock)
}

/** Delivers an event, so that there is a delivery to show. */
export async function deliver(mock: Sandboxed, url: string): Promise<void> {
  await mock.post('/_mock/endpoints', { url })
  await mock.get('/v1/conversations?limit=0', { headers: { 'x-request-id': 'req_shown' } })
  await mock.create('javascript:alert(1) http://example.com')
  await settled(mock)
}
