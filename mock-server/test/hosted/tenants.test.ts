// Nobody sees or changes what another tenant has: every route is tried with another tenant's key and ids.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Server } from '../../src/server.ts'
import { Hosted, issue, send } from './hosted.ts'

interface Document {
  paths: Record<string, Record<string, Operation>>
}
interface Operation {
  requestBody?: { content?: Record<string, { example?: unknown; schema?: unknown }> }
}

const read = (path: string): Document =>
  parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
const VERBS = ['get', 'post', 'put', 'patch', 'delete']
/** Every route: of the contract, and of the control API. */
const ROUTES = [...routesOf(read('../openapi.yaml'), '/v1'), ...routesOf(read('control.yaml'), '')]
  // Last: a listener holds up what follows until it is clear that nobody polls.
  .sort((one, other) => Number(isOfListener(one)) - Number(isOfListener(other)))

function isOfListener({ path }: { path: string }): boolean {
  return path.startsWith('/_mock/listeners')
}

function routesOf({ paths }: Document, base: string) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([verb]) => VERBS.includes(verb))
      .map(([verb, operation]) => {
        const whole = path.startsWith(base) ? path : base + path
        return { verb: verb.toUpperCase(), path: whole, body: bodyOf(operation) }
      }),
  )
}

function bodyOf({ requestBody }: Operation): unknown {
  const [media] = Object.values(requestBody?.content ?? {})
  return requestBody && (media?.example ?? {})
}

const hosted = new Hosted()
let server: Server
let mine: { id: string; key: string }
let theirs: { id: string; key: string }
/** What only the first tenant has: ids, texts and secrets. */
let owned: Record<string, string>

beforeAll(async () => {
  server = await hosted.start({ limits: { requests_per_second: 100_000 } })
  mine = await issue(server)
  theirs = await issue(server)
  owned = await fill(mine.key)
})
afterAll(() => hosted.close())

/** Fills a sandbox with one of everything. */
async function fill(key: string): Promise<Record<string, string>> {
  const call = async (path: string, body?: unknown, method?: string) => {
    const { status, body: received } = await send(server, path, { key, body, method })
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(received)}`)
    return received
  }
  await call('/_mock/reset', {})
  const { id: conversation } = await call('/_mock/conversations', { text: 'A secret of the first' })
  const endpoint = await call('/_mock/endpoints', { url: 'http://127.0.0.1:9/first' })
  const listener = await call('/_mock/listeners', { url: 'http://127.0.0.1:9/listened' })
  const event = await call('/_mock/trigger', { kind: 'conversation.resolved' })
  await call('/_mock/snapshots', { name: 'first-snapshot' })
  const fault = await call('/_mock/faults', {
    path: '/v1/knowledge/sources',
    status: 503,
    times: 1,
  })
  await send(server, '/v1/conversations', { key })
  const [delivery] = (await call('/_mock/deliveries')).data
  const [request] = (await call('/_mock/requests')).data
  return {
    conversation,
    endpoint: endpoint.id,
    secret: endpoint.secret,
    listener: listener.id,
    event: event.id,
    fault: fault.id,
    delivery: delivery.id,
    request: request.id,
    text: 'A secret of the first',
    snapshot: 'first-snapshot',
  }
}

/** The paths of a template with each of the first tenant's ids. */
function pathsOf(template: string): string[] {
  if (!template.includes('{')) return [template]
  return Object.values(owned).map((id) => template.replace(/\{[^}]*\}/g, encodeURIComponent(id)))
}

/** All that the first tenant can see. */
async function seen(): Promise<unknown[]> {
  const paths = ['/v1/conversations', `/v1/conversations/${owned.conversation}`, '/v1/analytics']
  const control = ['endpoints', 'events', 'faults', 'snapshots', 'deliveries', 'contract']
  const all = [...paths, ...control.map((path) => `/_mock/${path}`)]
  const responses = await Promise.all(all.map((path) => send(server, path, { key: mine.key })))
  return responses.map(({ status, body }, index) => [all[index], status, body])
}

describe('another tenant', () => {
  // The first fault of any sandbox has the same id.
  it.each(ROUTES)('learns nothing by $verb $path', async ({ verb, path, body }) => {
    const { fault: _, ...secrets } = owned
    for (const target of pathsOf(path)) {
      // Waits for events end at once.
      const sent = path.endsWith('/poll') ? { ...(body as object), wait: 0 } : body
      const response = await send(server, target, { method: verb, key: theirs.key, body: sent })
      expect(response.status, `${target} ${JSON.stringify(response.body)}`).not.toBe(500)
      if (target !== path) expect([target, response.status < 300]).toEqual([target, false])
      const text = JSON.stringify([response.body, [...response.headers]])
      // A problem repeats what was sent.
      const learned = Object.values(secrets).filter(
        (one) => !target.includes(encodeURIComponent(one)),
      )
      for (const one of learned) expect(text).not.toContain(one)
    }
  })

  it('changes nothing by any of them', async () => {
    const { key } = await issue(server)
    const before = await seen()
    for (const { verb, path, body } of ROUTES) {
      if (verb === 'GET' || isOfListener({ path })) continue
      for (const target of pathsOf(path)) {
        await send(server, target, { method: verb, key, body })
      }
    }
    expect(await seen()).toEqual(before)
  })
})

describe('a key without a sandbox of its own', () => {
  it.each(ROUTES)('is refused by $verb $path', async ({ verb, path, body }) => {
    const [target = ''] = pathsOf(path)
    for (const key of [undefined, 'sk_test_demo', mine.id, '']) {
      const sent = key === undefined ? {} : { key }
      const { status } = await send(server, target, { method: verb, body, ...sent })
      expect([target, key, status]).toEqual([target, key, 401])
    }
  })
})
