// What one process of a hosted server has in memory, others show and use, too.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Cipher } from '../../src/hosted/cipher.ts'
import type { Server } from '../../src/server.ts'
import { Hosted, issue, send } from './hosted.ts'

const hosted = new Hosted()
let [one, other]: Server[] = []
let key: string

beforeAll(async () => {
  const cipher = new Cipher([Buffer.alloc(32, 7).toString('base64')])
  const options = { limits: { requests_per_second: 10_000 } }
  one = await hosted.start(options, { cipher })
  other = await hosted.start(options, { cipher })
  key = (await issue(one)).key
})
afterAll(() => hosted.close())

const on = (server: Server | undefined, path: string, body?: unknown, method?: string) =>
  send(server as Server, path, { key, body, method })

describe('the request log', () => {
  it('is the same everywhere, with bodies', async () => {
    await on(one, '/v1/knowledge/sources', { type: 'url', url: 'https://shop.test/first' })
    await on(other, '/v1/knowledge/sources', { type: 'url', url: 'https://shop.test/second' })
    const [here, there] = await Promise.all(
      [one, other].map((server) => on(server, '/_mock/requests')),
    )
    expect(here?.body).toEqual(there?.body)
    expect(here?.body.data.map(({ body }: { body: string }) => JSON.parse(body).url)).toEqual([
      'https://shop.test/second',
      'https://shop.test/first',
    ])
    for (const { id } of here?.body.data ?? []) {
      const found = await Promise.all(
        [one, other].map((server) => on(server, `/_mock/requests/${id}`)),
      )
      expect(found[0]?.body).toEqual(found[1]?.body)
      const har = await on(one, '/_mock/requests.har')
      expect(har.body.log.entries).toHaveLength(2)
    }
  })

  it('repeats what another process handled', async () => {
    const { body } = await on(other, '/v1/conversations')
    const [{ id }] = (await on(one, '/_mock/requests')).body.data
    const repeated = await on(one, `/_mock/requests/${id}/repeat`, {})
    expect(repeated.status).toBe(201)
    expect(JSON.parse(repeated.body.response.body)).toEqual(body)
  })

  it('shows nothing of others, not even what was refused without a key', async () => {
    const refused = await send(one as Server, '/v1/conversations', {
      headers: { 'x-request-id': 'refused-without-key' },
    })
    expect(refused.status).toBe(401)
    for (const server of [one, other]) {
      const { body } = await on(server, '/_mock/requests')
      expect(JSON.stringify(body)).not.toContain('refused-without-key')
    }
  })

  it('is cleared everywhere by a reset', async () => {
    await on(one, '/v1/conversations')
    await on(other, '/_mock/reset', {})
    expect((await on(one, '/_mock/requests')).body.data).toEqual([])
  })
})

describe('faults', () => {
  it('hold at once in every process, and are counted together', async () => {
    await on(one, '/_mock/faults', { path: '/v1/analytics', status: 503, times: 3 })
    const statuses = []
    for (let turn = 0; turn < 5; turn++) {
      statuses.push((await on(turn % 2 === 0 ? other : one, '/v1/analytics')).status)
    }
    expect(statuses).toEqual([503, 503, 503, 200, 200])
    const [rule] = (await on(other, '/_mock/faults')).body.data
    expect(rule).toMatchObject({ left: 0, failed: 3 })
    await on(other, '/_mock/faults', undefined, 'DELETE')
    expect((await on(one, '/_mock/faults')).body.data).toEqual([])
  })

  it('lose none of many that come at once', async () => {
    await on(one, '/_mock/faults', { path: '/v1/analytics', status: 503, times: 10 })
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, turn) => on(turn % 2 === 0 ? other : one, '/v1/analytics')),
    )
    expect(all.filter(({ status }) => status === 503)).toHaveLength(10)
    await on(one, '/_mock/reset', {})
  })

  it('of the header are counted together', async () => {
    const statuses = []
    for (let turn = 0; turn < 4; turn++) {
      const server = (turn % 2 === 0 ? other : one) as Server
      const headers = { 'x-mock-fault': 'status=503; times=2' }
      statuses.push((await send(server, '/v1/analytics', { key, headers })).status)
    }
    expect(statuses).toEqual([503, 503, 200, 200])
  })
})

describe('a listener', () => {
  const consumer = randomUUID()
  const poll = (server: Server | undefined, id: string, holding: string[] = []) =>
    on(server, `/_mock/listeners/${id}/poll`, { consumer, holding, limit: 10 })

  it('hands a delivery to a consumer, whichever process it reaches', async () => {
    const { body } = await on(one, '/_mock/listeners', { url: 'http://127.0.0.1:9/hooks' })
    const waiting = poll(other, body.id)
    await on(other, '/_mock/trigger', { kind: 'conversation.resolved' })
    const [delivery] = (await waiting).body.data
    expect(delivery.kind).toBe('conversation.resolved')
    const result = {
      id: delivery.id,
      status: 204,
      reason: null,
      retry: false,
      headers: {},
      body: '',
    }
    const reported = await on(other, `/_mock/listeners/${body.id}/results`, { results: [result] })
    expect(reported.body).toEqual({ recorded: 1 })
    await on(other, '/_mock/clock', { advance: 'PT0S' })
    const [shown] = (await on(other, '/_mock/deliveries')).body.data
    expect(shown).toMatchObject({ id: delivery.id, state: 'succeeded' })
  })

  it('keeps what a consumer holds, and gives the rest to the next poll', async () => {
    const { body } = await on(other, '/_mock/listeners', { url: 'http://127.0.0.1:9/hooks' })
    await on(one, '/_mock/trigger', { kind: 'conversation.resolved' })
    const [first] = (await poll(one, body.id)).body.data
    await on(one, '/_mock/trigger', { kind: 'conversation.resolved' })
    const [second] = (await poll(other, body.id, [first.id])).body.data
    expect(second.id).not.toBe(first.id)
    // Neither is held any more.
    const again = (await poll(one, body.id)).body.data
    expect(again.map(({ id }: { id: string }) => id).sort()).toEqual([first.id, second.id].sort())
  })

  it('refuses other kinds, outlives a reset, and is gone when it was removed', async () => {
    const { body } = await on(other, '/_mock/listeners', { url: 'http://127.0.0.1:9/hooks' })
    const taken = await on(other, '/_mock/listeners', {
      url: 'http://127.0.0.1:9/hooks',
      events: ['conversation.resolved'],
    })
    expect([taken.status, taken.body.code]).toEqual([409, 'listener_taken'])
    await on(other, '/_mock/reset', {})
    const waiting = poll(one, body.id)
    await on(other, '/_mock/trigger', { kind: 'conversation.resolved' })
    expect((await waiting).body.data).toHaveLength(1)
    await on(other, `/_mock/endpoints/${body.id}`, undefined, 'DELETE')
    expect((await poll(one, body.id)).status).toBe(404)
  })
})
