import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MockServer } from '../src/index.ts'
import { KIND, known } from './kinds.ts'
import { createMockServer } from './mock.ts'
import { type Receiver, receiver } from './receiver.ts'
import { problem, TRAPS } from './support.ts'

describe('createMockServer', () => {
  let mock: MockServer
  let headers: Record<string, string>
  beforeAll(async () => {
    mock = await createMockServer()
    headers = { authorization: `Bearer ${mock.apiKey}` }
  })
  afterAll(() => mock.close())

  it('listens at a base URL without a version', async () => {
    expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const page = await (await fetch(`${mock.url}/v1/conversations`, { headers })).json()
    expect(page).toMatchObject({ data: expect.any(Array), next_cursor: null, has_more: false })
  })

  it('has a fetch that returns the same responses without a connection', async () => {
    const paths = ['/v1/conversations?status=open', '/v1/analytics', '/v1/nothing', '/reference']
    for (const path of paths) {
      const init = { headers: { ...headers, 'x-request-id': 'same' } }
      const [remote, local] = [await fetch(mock.url + path, init), await mock.fetch(path, init)]
      expect(local.status).toBe(remote.status)
      expect(await local.text()).toBe(await remote.text())
    }
  })

  it('has a fetch that accepts full URLs, requests and bodies', async () => {
    const url = `${mock.url}/v1/conversations/conv_01J2Z8M3VN/messages`
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"text":"Hello"}',
    }
    expect((await mock.fetch(url, init)).status).toBe(201)
    expect((await mock.fetch(new Request(url, init))).status).toBe(201)
    await problem(await mock.fetch(url, { ...init, body: '{}' }), 422)
  })

  it('has a fetch that can be aborted', async () => {
    const signal = AbortSignal.abort()
    await expect(mock.fetch('/v1/analytics', { headers, signal })).rejects.toThrow('aborted')
  })

  it('serves another contract', async () => {
    const other = await createMockServer({ contract: TRAPS })
    const response = await fetch(`${other.url}/v1/things/mine`)
    expect(await response.json()).toEqual({ mine: true })
    await other.close()
  })

  it('rejects where the port is taken or the contract is missing', async () => {
    const port = Number(new URL(mock.url).port)
    await expect(createMockServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await expect(createMockServer({ contract: '/nowhere.yaml' })).rejects.toThrow('/nowhere.yaml')
  })

  it('can be closed twice and then no longer listens', async () => {
    const other = await createMockServer()
    await Promise.all([other.close(), other.close()])
    await other.close()
    await expect(fetch(other.url)).rejects.toThrow()
  })

  it('gives only the relevant reason for an invalid union', async () => {
    const reasonsFor = async (body: object) => {
      const init = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
      const { errors } = await problem(await mock.fetch('/v1/knowledge/sources', init), 422)
      return errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code])
    }
    expect(await reasonsFor({ type: 'url' })).toEqual([['/url', 'required']])
    expect(await reasonsFor({ type: 'video' })).toEqual([['/type', 'enum']])
    expect(await reasonsFor({})).toEqual([['/type', 'required']])
  })
})

describe('the webhooks of createMockServer', () => {
  const SECRET = 'whsec_of_a_test'
  let target: Receiver
  let mock: MockServer
  beforeEach(async () => {
    target = await receiver()
  })
  afterEach(async () => {
    await mock.close()
    await target.close()
  })
  const kinds = async () => (await mock.deliveries()).map(({ kind }) => kind)

  it('are signed with the given secret and encoding', async () => {
    const webhooks = [{ url: target.url, secret: SECRET }]
    mock = await createMockServer({ webhooks, signatureEncoding: 'base64url' })
    expect(mock.endpoints).toEqual([{ id: expect.any(String), url: target.url, secret: SECRET }])
    const event = await mock.trigger(KIND, { later: 2 })
    expect(event).toMatchObject({ event: KIND, data: { later: 2 } })
    expect(await mock.deliveries()).toMatchObject([
      {
        event_id: event.id,
        kind: KIND,
        endpoint_id: mock.endpoints[0]?.id,
        state: 'succeeded',
        attempts: [{ at: expect.stringMatching(/^\d{4}-.*Z$/), status: 204, reason: null }],
      },
    ])
    const [received] = target.received
    const body = received?.body ?? ''
    expect(JSON.parse(body)).toEqual(event)
    const digest = createHmac('sha256', SECRET).update(body).digest('base64url')
    expect(received?.headers['x-service-signature']).toBe(`sha256=${digest}`)
  })

  it('go to the endpoints that want them, also to those added later', async () => {
    mock = await createMockServer({
      webhooks: [{ url: target.url, events: [KIND] }],
    })
    await mock.trigger('conversation.created')
    expect(await kinds()).toEqual([])
    const added = await mock.addEndpoint({ url: target.url, events: ['conversation.created'] })
    expect(added.secret).toMatch(/^whsec_/)
    expect(mock.endpoints).toHaveLength(2)
    await mock.trigger('conversation.created')
    expect(await mock.deliveries({ endpoint: added.id })).toHaveLength(1)
    expect(await mock.deliveries({ kind: KIND })).toEqual([])
  })

  it('follow from calls of the API', async () => {
    mock = await createMockServer({ webhooks: [{ url: target.url }], empty: true })
    const headers = { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' }
    const body = '{"type":"url","url":"https://example.com/help"}'
    await mock.fetch('/v1/knowledge/sources', { method: 'POST', headers, body })
    await mock.advance('PT1M')
    expect(await kinds()).toEqual(known(['knowledge.indexed']))
  })

  it('are retried when the clock is advanced, without waiting', async () => {
    const down = await receiver((response) => void response.writeHead(503).end())
    mock = await createMockServer({ webhooks: [{ url: down.url }] })
    await mock.trigger('conversation.created')
    const before = Date.now()
    const now = await mock.advance('PT24H')
    expect(now.getTime() - before).toBeGreaterThanOrEqual(24 * 3_600_000 - 1)
    expect(await mock.deliveries({ state: 'dead' })).toHaveLength(1)
    expect(down.received).toHaveLength(5)
    await expect(mock.advance('24 hours')).rejects.toThrow(
      '24 hours is not a duration. Use one such as PT24H.',
    )
    await down.close()
  })

  it('are sent again on demand', async () => {
    let status = 410
    const down = await receiver((response) => void response.writeHead(status).end())
    mock = await createMockServer({ webhooks: [{ url: down.url }] })
    const event = await mock.trigger('conversation.created')
    const [dead] = await mock.deliveries({ state: 'dead' })
    status = 204
    const replayed = await mock.replay(dead?.id ?? '')
    expect(replayed).toMatchObject({ id: dead?.id, event_id: event.id, state: 'succeeded' })
    expect(replayed.attempts.map((attempt) => attempt.status)).toEqual([410, 204])
    await expect(mock.replay('dlv_0')).rejects.toThrow('There is no delivery dlv_0.')
    await down.close()
  })

  it('that are listed by an unknown state are an error', async () => {
    mock = await createMockServer()
    const state = 'daed' as 'dead'
    await expect(mock.deliveries({ state })).rejects.toThrow('daed is not a state')
  })

  it('link to this server and to their conversation', async () => {
    mock = await createMockServer()
    const url = async (data?: Record<string, unknown>) => {
      const event = await mock.trigger('conversation.handoff', data)
      return (event.data as { transcript_url: string }).transcript_url
    }
    expect(await url()).toBe(`${mock.url}/v1/conversations/conv_01J2Z8M3VN`)
    expect(await url({ conversation_id: 'a b' })).toBe(`${mock.url}/v1/conversations/a%20b`)
    expect(await url({ transcript_url: 'https://b/' })).toBe('https://b/')
  })

  it('wait for a response until the given timeout', async () => {
    const silent = await receiver(() => {})
    mock = await createMockServer({ webhooks: [{ url: silent.url }], attemptTimeout: 20 })
    await mock.trigger('conversation.created')
    await mock.advance('PT24H')
    const [delivery] = await mock.deliveries({ state: 'dead' })
    expect(delivery?.attempts.map(({ reason }) => reason)).toEqual(
      Array(5).fill('no complete response within 0.02 s'),
    )
    await silent.close()
  })

  it('cannot be due beyond the largest valid date', async () => {
    mock = await createMockServer()
    const now = await mock.advance('P2900000D')
    expect(now.getUTCFullYear()).toBeGreaterThan(9900)
    await expect(mock.advance('P100000D')).rejects.toThrow('after the year 9999')
    expect((await mock.advance('PT1S')).getTime() - now.getTime()).toBeLessThan(60_000)
  })

  it('start over after a reset, with the first endpoints and their secrets', async () => {
    mock = await createMockServer({ webhooks: [{ url: target.url }] })
    const first = [...mock.endpoints]
    await mock.addEndpoint({ url: `${target.url}/second` })
    const before = await mock.trigger('conversation.created')
    await mock.reset()
    expect(await mock.deliveries()).toEqual([])
    expect(mock.endpoints.map(({ url, secret }) => [url, secret])).toEqual(
      first.map(({ url, secret }) => [url, secret]),
    )
    const after = await mock.trigger('conversation.created')
    expect(after.id).not.toBe(before.id)
    expect(await kinds()).toEqual(['conversation.created'])
  })

  it('must be valid from the start', async () => {
    mock = await createMockServer()
    const wrong = (webhook: object) => createMockServer({ webhooks: [webhook as { url: string }] })
    await expect(wrong({ url: 'localhost' })).rejects.toThrow('no valid URL')
    await expect(wrong({ url: 'http://a:99999/' })).rejects.toThrow('no valid URL')
    await expect(wrong({ url: 'http://ada:secret@a/' })).rejects.toThrow('a user name in its URL')
    await expect(wrong({ url: target.url, events: [] })).rejects.toThrow('Leave it out')
    await expect(wrong({ url: target.url, secret: ' ' })).rejects.toThrow('secret')
    await expect(wrong({ url: target.url, events: ['lost'] })).rejects.toThrow(
      'lost is not a kind of event',
    )
    await expect(mock.addEndpoint({ url: 'ftp://a' })).rejects.toThrow('has no HTTP URL')
    await expect(createMockServer({ seed: 'a.yaml', empty: true })).rejects.toThrow('not both')
  })
})
