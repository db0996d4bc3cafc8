/** Calls everything that a document and the sandbox offer, and judges all of it by the document. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { Judge } from './judge.ts'
import type { Node } from './tools.ts'

type Call = (path: string, init?: RequestInit) => Promise<Response>

const HEADERS = { authorization: 'Bearer sk_test_demo', 'content-type': 'application/json' }

export interface Delivered {
  kind: string
  headers: Record<string, string | string[] | undefined>
  body: Node
}

/** @returns the deliveries, by the header that names the kind */
export async function journey(document: Node, call: Call): Promise<Delivered[]> {
  const judge = new Judge(document)
  const receiver = await receive(document)
  const control = async (path: string, body: object) => {
    const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(body) }
    const response = await call(`/_mock/${path}`, init)
    const text = await response.text()
    expect(response.status, `${path}: ${text}`).toBeLessThan(300)
    return { id: response.headers.get('x-mock-id') ?? '', body: text && JSON.parse(text) }
  }
  try {
    await control('endpoints', { url: receiver.url })
    const { id } = await control('conversations', { text: 'Where is my parcel?', name: 'Ada' })
    const { id: other } = await control('conversations', {})
    await control(`conversations/${other}/handoff`, { reason: 'A refund.' })
    await operations(document, call, judge, [id, other])
    await control(`conversations/${id}/messages`, { text: 'Hello?' })
    await control(`conversations/${id}/resolve`, {})
    await control(`conversations/${id}/csat`, { rating: 5 })
    await operations(document, call, judge, [id, other])
    for (const kind of Object.keys(document.webhooks ?? {})) {
      const { body } = await control('trigger', { kind })
      judge.event(kind, body)
    }
    const events = await (await call('/_mock/events', { headers: HEADERS })).json()
    for (const event of events.data) expect(Object.keys(document.webhooks)).toContain(event.event)
    await control('clock', { advance: 'PT1M' })
    for (const { kind, body } of receiver.received) judge.event(kind, body)
    for (const page of ['/', '/dashboard/contract', '/dashboard/endpoints', '/dashboard/events']) {
      expect((await call(page)).status, page).toBe(200)
    }
    expect((await call(`/dashboard/conversations/${id}`)).status).toBe(200)
    return receiver.received
  } finally {
    receiver.close()
  }
}

/** Every operation, for every conversation, without a key, and with a body that is wrong. */
async function operations(document: Node, call: Call, judge: Judge, ids: string[]) {
  for (const [path, item] of Object.entries<Node>(document.paths)) {
    for (const [method, operation] of Object.entries<Node>(item)) {
      if (!operation.responses) continue
      const content = operation.requestBody?.content['application/json']
      const input = content && Object.values<Node>(content.examples)[0].value
      const send = async (target: string, headers: object, body: unknown) => {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) }
        const response = await call(target, { method, headers: { ...headers }, ...sent })
        const { status } = response
        await judge.response(path, method, response)
        return status
      }
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(
        (one: Node) => (one.$ref ? judge.resolve(one.$ref) : one),
      )
      const query = new URLSearchParams(
        parameters
          .filter((one) => one.in === 'query' && one.required)
          .map((one) => [one.name, String(one.example)]),
      )
      // The sandbox has the conversations of this journey; what else there is, the examples name.
      const example = parameters.find((one) => one.in === 'path')?.example ?? ids[0]
      const known = String(example).startsWith('conv_') ? ids : [String(example)]
      for (const id of known) {
        const target = `${path.replace(/\{[^}]*\}/, id)}${query.size > 0 ? `?${query}` : ''}`
        const status = await send(target, HEADERS, input)
        // A conversation that is resolved takes no more messages.
        if (status !== 409) expect(status, `${method} ${target}`).toBeLessThan(300)
        if (!path.includes('{')) break
      }
      const target = path.replace(/\{[^}]*\}/, '4711')
      if (operation.responses.default) await send(target, HEADERS, content && { wrong: true })
      if (operation.responses.default)
        await send(target, { 'content-type': 'application/json' }, input)
    }
  }
}

async function receive(document: Node) {
  const received: Delivered[] = []
  const { event_header: header = 'x-service-event' } = document['x-webhook-signature']
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { headers } = request
    const body = JSON.parse(Buffer.concat(chunks).toString())
    received.push({ kind: String(headers[header]), headers, body })
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { received, url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
