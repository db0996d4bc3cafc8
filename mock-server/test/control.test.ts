/** The control API: who may use it, and that it responds as control.yaml describes. */
import { eventKinds } from '@support-chat/sdk/webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../src/server.ts'
import { createMockServer } from './mock.ts'
import { KEY, type Sandboxed, sandboxed } from './sandboxed.ts'
import { place } from './stores.ts'
import { problem, SILENT } from './support.ts'

const NOWHERE = 'http://127.0.0.1:9/hooks'
let mock: Sandboxed
beforeAll(async () => {
  mock = await sandboxed({ allowPrivate: false })
})
afterAll(() => mock.close())

let keys = 0
/** A key that no test has used. */
const fresh = () => ({ key: `sk_test_${keys++}` })

/** A delivery that is dead, since nothing may be sent to this machine. */
async function deadDelivery(one: { key: string }) {
  await mock.post('/_mock/endpoints', { url: NOWHERE }, one)
  await mock.create(undefined, one)
  await mock.sandboxes.settled(await mock.sandboxes.of(one.key))
  const [delivery] = (await mock.get('/_mock/deliveries', one)).body.data
  expect(delivery.state).toBe('dead')
  return delivery
}

describe('every operation', () => {
  it('with a body refuses an invalid one', async () => {
    const refused: [path: string, body: unknown][] = [
      ['reset', { all: true }],
      ['reset', []],
      ['clock', {}],
      ['clock', { advance: '24h' }],
      ['clock', { advance: 'P' }],
      ['clock', { advance: 'PT' }],
      ['clock', { advance: '-PT1H' }],
      ['conversations', { text: '' }],
      ['conversations', { colour: 'red' }],
      ['conversations/conv_1/messages', {}],
      ['conversations/conv_1/handoff', { reason: '' }],
      ['conversations/conv_1/csat', { rating: 0 }],
      ['conversations/conv_1/csat', { rating: 6 }],
      ['conversations/conv_1/csat', { rating: 4.5 }],
      ['endpoints', { url: 'ftp://a/' }],
      ['endpoints', { url: '/hooks' }],
      ['endpoints', { url: NOWHERE, events: [] }],
      ['endpoints', { url: NOWHERE, events: ['message.created'] }],
      ['endpoints', { url: NOWHERE, secret: ' ' }],
      ['trigger', { kind: 'message.created' }],
      ['trigger', { kind: 'conversation.csat', data: [] }],
      ['replay', { state: 'pending' }],
    ]
    for (const [path, body] of refused) {
      const response = await mock.post(`/_mock/${path}`, body)
      expect([response.status, response.body.code], path).toEqual([422, 'validation_failed'])
      expect(response.body.errors.length).toBeGreaterThan(0)
    }
    expect((await mock.get('/_mock/deliveries?state=lost')).status).toBe(422)
    expect((await mock.get('/_mock/deliveries?stat=dead')).status).toBe(422)
  })

  it('acts on the sandbox of the key, else on that of sk_test_demo', async () => {
    const one = fresh()
    const id = await mock.create('Mine.', one)
    expect((await mock.get(`/v1/conversations/${id}`, one)).status).toBe(200)
    expect((await mock.get(`/v1/conversations/${id}`, fresh())).status).toBe(404)
    const anonymous = { headers: { authorization: '' } }
    const before = (await mock.events({ key: KEY })).length
    await mock.post('/_mock/trigger', { kind: 'conversation.csat' }, anonymous)
    expect(await mock.events({ key: KEY })).toHaveLength(before + 1)
  })
})

describe('clock', () => {
  it.each([
    ['PT24H', '2026-11-22T12:00:00Z'],
    ['P1DT1H1M1.5S', '2026-11-22T13:01:01.500Z'],
    ['PT0S', '2026-11-21T12:00:00Z'],
    ['P9999D', '2054-04-07T12:00:00Z'],
  ])('advances by %s', async (advance, now) => {
    expect((await mock.post('/_mock/clock', { advance }, fresh())).body).toEqual({ now })
  })

  it('dates all later events', async () => {
    const one = fresh()
    await mock.post('/_mock/clock', { advance: 'P1D' }, one)
    const id = await mock.create('Hello?', one)
    const { body } = await mock.get(`/v1/conversations/${id}`, one)
    expect(body.created_at).toBe('2026-11-22T12:00:00Z')
  })
})

describe('endpoints', () => {
  it('show their secret when they are created and rotated, and never again', async () => {
    const one = fresh()
    const made = await mock.post('/_mock/endpoints', { url: NOWHERE, secret: 'hush-hush' }, one)
    expect(made.body).toMatchObject({ url: NOWHERE, events: null, secret: 'hush-hush' })
    const other = await mock.post(
      '/_mock/endpoints',
      { url: NOWHERE, events: ['conversation.created'] },
      one,
    )
    expect(other.body.secret).toMatch(/^whsec_.{20,}$/)
    const rotated = await mock.post(`/_mock/endpoints/${made.body.id}/rotate`, {}, one)
    expect(rotated.body).toEqual({ ...made.body, secret: rotated.body.secret })
    expect(rotated.body.secret).not.toBe('hush-hush')
    const { body } = await mock.get('/_mock/endpoints', one)
    expect(body.data).toEqual([
      { id: made.body.id, url: NOWHERE, events: null, disabled: false },
      { id: other.body.id, url: NOWHERE, events: ['conversation.created'], disabled: false },
    ])
  })

  it('of another sandbox cannot be rotated', async () => {
    const { body } = await mock.post('/_mock/endpoints', { url: NOWHERE }, fresh())
    for (const id of [body.id, 'ep_nothing']) {
      const response = await mock.post(`/_mock/endpoints/${id}/rotate`, {}, fresh())
      expect([response.status, response.body.code]).toEqual([404, 'endpoint_not_found'])
    }
  })
})

describe('an endpoint that is removed', () => {
  const remove = (id: string, one: { key: string }) =>
    mock.call('DELETE', `/_mock/endpoints/${id}`, one)

  it('is removed with its deliveries. The events stay', async () => {
    const one = fresh()
    const { id, endpoint_id } = await deadDelivery(one)
    const kept = await mock.post('/_mock/endpoints', { url: NOWHERE }, one)
    expect((await remove(endpoint_id, one)).status).toBe(204)
    const { body } = await mock.get('/_mock/endpoints', one)
    expect(body.data).toMatchObject([{ id: kept.body.id }])
    expect((await mock.get('/_mock/deliveries', one)).body.data).toEqual([])
    expect((await mock.post(`/_mock/deliveries/${id}/replay`, {}, one)).status).toBe(404)
    expect(await mock.events(one)).toMatchObject([{ event: 'conversation.created' }])
  })

  it('may be a listener without a consumer', async () => {
    const one = fresh()
    const { body } = await mock.post('/_mock/listeners', { url: NOWHERE }, one)
    expect((await remove(body.id, one)).status).toBe(204)
    const poll = { consumer: 'me', holding: [], limit: 1 }
    const response = await mock.post(`/_mock/listeners/${body.id}/poll`, poll, one)
    expect([response.status, response.body.code]).toEqual([404, 'listener_not_found'])
    const again = await mock.post('/_mock/listeners', { url: NOWHERE }, one)
    expect(again.body).toEqual(body)
  })

  it('must exist in the sandbox of the key', async () => {
    const one = fresh()
    const { body } = await mock.post('/_mock/endpoints', { url: NOWHERE }, one)
    expect((await remove(body.id, fresh())).body.code).toBe('endpoint_not_found')
    expect((await remove(body.id, one)).status).toBe(204)
    for (const id of [body.id, 'ep_nothing']) {
      const response = await remove(id, one)
      expect([response.status, response.body.code]).toEqual([404, 'endpoint_not_found'])
    }
  })

  it('needs no body, and refuses a page of another origin', async () => {
    const one = fresh()
    const { body } = await mock.post('/_mock/endpoints', { url: NOWHERE }, one)
    const path = `/_mock/endpoints/${body.id}`
    const refused = async (options: object) =>
      (await mock.call('DELETE', path, { ...one, ...options })).status
    expect(await refused({ body: {} })).toBe(415)
    expect(await refused({ headers: { origin: 'https://evil.example' } })).toBe(403)
    expect(await refused({ headers: { origin: 'null' } })).toBe(403)
    expect((await mock.get('/_mock/endpoints', one)).body.data).toHaveLength(1)
  })
})

describe('trigger', () => {
  it.each(eventKinds)('sends a complete %s', async (kind) => {
    const one = fresh()
    const { body } = await mock.post('/_mock/trigger', { kind }, one)
    expect(body).toMatchObject({ event: kind, occurred_at: '2026-11-21T12:00:00Z' })
    mock.contract.event(body)
    expect(await mock.events(one)).toEqual([body])
  })

  it('merges data deeply into that of the example', async () => {
    const example = await mock.post('/_mock/trigger', { kind: 'conversation.message' }, fresh())
    const data = { message: { text: 'Mine.', author: { name: 'Ada' } }, extra: [1] }
    const { body } = await mock.post(
      '/_mock/trigger',
      { kind: 'conversation.message', data },
      fresh(),
    )
    const { message } = example.body.data
    expect(body.data).toEqual({
      ...example.body.data,
      message: { ...message, text: 'Mine.', author: { ...message.author, name: 'Ada' } },
      extra: [1],
    })
  })

  it('changes no state', async () => {
    const one = fresh()
    const before = (await mock.get('/v1/conversations', one)).body
    for (const kind of eventKinds) await mock.post('/_mock/trigger', { kind }, one)
    expect((await mock.get('/v1/conversations', one)).body).toEqual(before)
  })
})

describe('a delivery', () => {
  it('that is dead can be replayed by its id, but not in another sandbox', async () => {
    const one = fresh()
    const { id } = await deadDelivery(one)
    const path = `/_mock/deliveries/${id}/replay`
    const foreign = await mock.post(path, {}, fresh())
    expect([foreign.status, foreign.body.code]).toEqual([404, 'delivery_not_found'])
    const { status, body } = await mock.post(path, {}, one)
    expect([status, body.id]).toEqual([202, id])
    await mock.sandboxes.settled(await mock.sandboxes.of(one.key))
    const [delivery] = (await mock.get('/_mock/deliveries', one)).body.data
    expect(delivery.attempts).toHaveLength(2)
  })
})

const startWithToken = (host: string) =>
  startServer({
    port: 0,
    host,
    contract: undefined,
    sandbox: { store: place(), allowPrivate: false, token: 'sesame' },
    log: SILENT,
  })

describe('the guard', () => {
  const send = async (headers: Record<string, string>, method = 'POST', body = '{}') => {
    const response = await mock.server.handler({
      method,
      target: method === 'POST' ? '/_mock/reset' : '/_mock/events',
      headers: { 'content-length': String(body.length), ...headers },
      body: (async function* () {
        yield Buffer.from(body)
      })(),
    })
    const allowed = Object.keys(response.headers).filter((name) =>
      name.startsWith('access-control'),
    )
    expect(allowed).toEqual([])
    return response.status
  }
  const JSON_TYPE = { 'content-type': 'application/json' }
  const HERE = '127.0.0.1:4010'

  it.each<[what: string, headers: Record<string, string>, status: number]>([
    ['a program', { host: HERE }, 204],
    ['a program that says localhost', { host: 'localhost:4010' }, 204],
    ['a program that says LOCALHOST', { host: 'LOCALHOST' }, 204],
    ['a program on IPv6', { host: '[::1]:4010' }, 204],
    ['its own page', { host: HERE, origin: `http://${HERE}` }, 204],
    ['its own page by name', { host: 'localhost:4010', origin: 'http://localhost:4010' }, 204],
    ['a page elsewhere', { host: HERE, origin: 'https://evil.example' }, 403],
    ['a page on another port', { host: HERE, origin: 'http://127.0.0.1:3000' }, 403],
    ['a page that names this host alike', { host: HERE, origin: 'http://localhost:4010' }, 403],
    ['a page over TLS', { host: HERE, origin: `https://${HERE}` }, 403],
    ['a page in a sandboxed frame', { host: HERE, origin: 'null' }, 403],
    ['a page without a name', { host: HERE, origin: '' }, 403],
    ['a page behind a rebound name', { host: 'evil.example', origin: 'http://evil.example' }, 403],
    ['a rebound name that looks like ours', { host: '127.0.0.1.evil.example' }, 403],
    ['another rebound name', { host: 'localhost.evil.example:4010' }, 403],
    ['an address that is not loopback', { host: '192.168.1.5:4010' }, 403],
    ['no host at all', {}, 403],
    ['an empty host', { host: '' }, 403],
    ['a form', { host: HERE, 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a form of text', { host: HERE, 'content-type': 'text/plain' }, 415],
    ['a form with files', { host: HERE, 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ])('checks %s', async (_, headers, status) => {
    expect(await send({ ...JSON_TYPE, ...headers })).toBe(status)
  })

  it('refuses a rebound host name', async () => {
    expect(await send({ host: HERE }, 'GET', '')).toBe(200)
    expect(await send({ host: 'evil.example' }, 'GET', '')).toBe(403)
  })

  it('allows no page of another origin', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    for (const path of ['reset', 'events', 'trigger']) {
      const response = await fetch(`${mock.server.url}/_mock/${path}`, {
        method: 'OPTIONS',
        headers,
      })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(response.headers.get('access-control-allow-methods')).toBeNull()
    }
  })

  it('accepts any host name where it listens on every address, which requires a token', async () => {
    const server = await startWithToken('0.0.0.0')
    for (const host of ['mock:4010', '192.168.1.5:4010', HERE]) {
      const { status } = await server.handler({
        method: 'GET',
        target: '/_mock/events',
        headers: { host, 'x-mock-token': 'sesame' },
        body: (async function* () {})(),
      })
      expect(status).toBe(200)
    }
    await server.close()
  })

  it('requires the token if there is one, from every client', async () => {
    const server = await startWithToken('127.0.0.1')
    const get = (headers: Record<string, string>) =>
      fetch(`${server.url}/_mock/events`, { headers })
    for (const token of ['', 'Sesame', 'sesam', 'sesamesesame']) {
      const { detail } = await problem(await get({ 'x-mock-token': token }), 401)
      expect(detail).not.toContain('sesame')
    }
    await problem(await get({}), 401)
    await problem(await get({ authorization: 'Bearer sesame' }), 401)
    expect((await get({ 'x-mock-token': 'sesame' })).status).toBe(200)
    expect((await fetch(`${server.url}/_mock/health`)).status).toBe(200)
    await server.close()
  })
})

it('does the same as the functions in a test', async () => {
  const server = await createMockServer({ empty: true })
  const event = await server.trigger('conversation.csat', { rating: 2 })
  const list = await (await server.fetch('/_mock/events')).json()
  expect(list.data).toEqual([event])
  expect((await server.advance('PT1H')).getTime()).toBeGreaterThan(Date.now() + 3_500_000)
  await expect(server.advance('1 hour')).rejects.toThrow('PT24H')
  await server.reset()
  expect(await (await server.fetch('/_mock/events')).json()).toEqual({ data: [] })
  await server.close()
})
