// The keys of a hosted server: issued, limited, replaced, revoked and claimed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Server } from '../../src/server.ts'
import { receiver as startReceiver } from '../receiver.ts'
import { documentOf, NEW, OLD } from '../revisions/pairs.ts'
import { ADMIN_TOKEN, admin, Hosted, issue, PUBLIC_URL, send } from './hosted.ts'

const hosted = new Hosted()
const DAY = 24 * 3_600_000
let now = Date.parse('2027-01-15T12:00:00Z')
let server: Server

beforeAll(async () => {
  server = await hosted.start({}, { now: () => now })
})
afterAll(() => hosted.close())

const list = (key?: string) => send(server, '/v1/conversations', key === undefined ? {} : { key })

const start = (key: string, text = 'Hello') =>
  send(server, '/_mock/conversations', { key, body: { text } })

describe('a key', () => {
  it('is needed, and only one that was issued works', async () => {
    expect((await list()).status).toBe(401)
    const unknown = await list('sk_test_demo')
    expect([unknown.status, unknown.body.detail]).toEqual([
      401,
      'There is no such key. Get one from the operator of this server.',
    ])
    const control = await send(server, '/_mock/deliveries')
    expect([control.status, control.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await list((await issue(server)).key)).status).toBe(200)
  })

  it('is told once, and its hint from then on', async () => {
    const { id, key } = await issue(server)
    expect(key).toMatch(/^sk_test_[\w-]{32}$/)
    const shown = await admin(server, `keys/${id}`)
    expect(shown.body).toMatchObject({ name: 'Shop', revoked_at: null, expires_at: null })
    expect(shown.body.keys).toEqual([expect.objectContaining({ hint: key.slice(-4) })])
    expect(JSON.stringify([shown.body, (await admin(server, 'keys')).body])).not.toContain(key)
    const stored = await hosted.schema.run('SELECT * FROM {tenant_keys}')
    expect(JSON.stringify(stored)).not.toContain(key)
  })

  it('has a sandbox of its own, which stays when the key is replaced', async () => {
    const { id, key } = await issue(server)
    await send(server, '/_mock/conversations', {
      key,
      body: { visitor_name: 'Ada', text: 'Hello' },
    })
    const before = (await list(key)).body.data.length
    const { body } = await admin(server, `keys/${id}/rotate`, { body: { grace: 'PT1H' } })
    expect((await list(body.key)).body.data).toHaveLength(before)
    expect((await list(key)).status).toBe(200)
    now += 3_600_001
    // A key is remembered for some seconds.
    await expect.poll(async () => (await list(key)).status).toBe(401)
    expect((await list(body.key)).status).toBe(200)
  })

  it('ends when it is revoked, in every process', async () => {
    const { id, key } = await issue(server)
    const other = await hosted.start({}, { now: () => now })
    const there = () => send(other, '/v1/conversations', { key })
    expect((await there()).status).toBe(200)
    await admin(server, `keys/${id}/revoke`, { body: {} })
    const here = await list(key)
    expect([here.status, here.body.detail]).toEqual([401, 'The key was revoked.'])
    await expect.poll(async () => (await there()).status, { timeout: 20_000 }).toBe(401)
    await other.close()
  })

  it('is renamed and limited, and all of it is audited', async () => {
    const { id } = await issue(server)
    const changed = await admin(server, `keys/${id}`, {
      method: 'PATCH',
      body: { name: 'Other', limits: { endpoints: 1 } },
    })
    expect(changed.body).toMatchObject({
      name: 'Other',
      limits: { endpoints: 1, conversations: 10_000 },
    })
    await admin(server, `keys/${id}/revoke`, { body: {} })
    const { body } = await admin(server, 'audit')
    const mine = body.data.filter(({ key_id }: { key_id: string }) => key_id === id)
    expect(
      mine.map(({ actor, action, detail }: Record<string, unknown>) => [actor, action, detail]),
    ).toEqual([
      ['admin', 'key.revoked', {}],
      ['admin', 'key.changed', { name: 'Other', limits: { endpoints: 1 } }],
      ['admin', 'key.issued', { name: 'Shop' }],
    ])
  })
})

describe('the admin API', () => {
  it.each([undefined, 'wrong', `${ADMIN_TOKEN}x`])('refuses the token %s', async (token) => {
    const sent = token === undefined ? {} : { key: token }
    const { status, body } = await send(server, '/_mock/admin/keys', sent)
    expect(status).toBe(401)
    expect(JSON.stringify(body)).not.toContain(ADMIN_TOKEN)
  })

  it('refuses the key of an integrator', async () => {
    const { key } = await issue(server)
    expect((await send(server, '/_mock/admin/keys', { key })).status).toBe(401)
  })

  it('says what is wrong with a request', async () => {
    const none = await admin(server, 'keys/key_none')
    expect([none.status, none.body.code]).toEqual([404, 'key_not_found'])
    expect((await admin(server, 'keys', { body: { name: '' } })).status).toBe(422)
    const limit = await admin(server, 'keys', {
      body: { name: 'x', limits: { requests_per_second: 0 } },
    })
    expect(limit.status).toBe(422)
  })
})

describe('a limit', () => {
  it('of requests is the 429 of the contract, with the time to wait', async () => {
    const { key } = await issue(server, { requests_per_second: 1 })
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push(await list(key))
    const refused = statuses.find(({ status }) => status === 429)
    expect(statuses[0]?.status).toBe(200)
    expect(refused?.headers.get('content-type')).toBe('application/problem+json')
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.body).toMatchObject({ status: 429, code: 'rate_limited' })
  })

  it('of requests that wait leaves the others to other keys', async () => {
    const { key } = await issue(server, { requests_per_second: 10_000 })
    const headers = { 'x-mock-fault': 'delay=60s', authorization: `Bearer ${key}` }
    const stop = new AbortController()
    const wait = async () => {
      const options = { headers, signal: stop.signal }
      // The 429 is for a request that came while one of `list` had the last place.
      while ((await fetch(`${server.url}/v1/conversations`, options)).status === 429);
    }
    const waiting = Array.from({ length: 100 }, () => wait().catch(() => null))
    try {
      const status = async () => (await list(key)).status
      await expect.poll(status).toBe(429)
      expect((await list((await issue(server)).key)).status).toBe(200)
      stop.abort()
      await Promise.all(waiting)
      await expect.poll(status).toBe(200)
    } finally {
      stop.abort()
    }
  })

  it('of endpoints and conversations says what is over, and what to do', async () => {
    const { id, key } = await issue(server, { endpoints: 1 })
    const endpoint = () =>
      send(server, '/_mock/endpoints', { key, body: { url: 'http://127.0.0.1:9' } })
    expect((await endpoint()).status).toBe(201)
    const second = await endpoint()
    expect([second.status, second.body.code, second.body.detail]).toEqual([
      403,
      'quota_exceeded',
      'The key may have 1 endpoints. Remove some, reset the sandbox, or ask the operator for more.',
    ])
    const { conversations } = (await admin(server, `keys/${id}`)).body.usage
    await admin(server, `keys/${id}`, {
      method: 'PATCH',
      body: { limits: { conversations: conversations + 1 } },
    })
    expect((await start(key)).status).toBe(201)
    expect((await start(key)).status).toBe(403)
  })

  it('of stored bytes refuses what would be over, and a reset makes room', async () => {
    const { key } = await issue(server, { stored_bytes: 20_000 })
    const text = 'x'.repeat(1500)
    let status = 201
    for (let count = 0; count < 30 && status === 201; count++)
      status = (await start(key, text)).status
    expect(status).toBe(403)
    await send(server, '/_mock/reset', { key, body: {} })
    await expect.poll(async () => (await start(key, text)).status).toBe(201)
  })

  it('of deliveries a day ends with the day', async () => {
    const receiver = await startReceiver()
    const { key } = await issue(server, { deliveries_per_day: 3 })
    await send(server, '/_mock/endpoints', { key, body: { url: receiver.url } })
    const trigger = () =>
      send(server, '/_mock/trigger', { key, body: { kind: 'conversation.resolved' } })
    let refused = await trigger()
    for (let count = 0; count < 5 && refused.status === 201; count++) refused = await trigger()
    expect([refused.status, refused.body.code]).toEqual([429, 'quota_exceeded'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600)
    now += DAY
    await expect.poll(async () => (await trigger()).status).toBe(201)
    await receiver.close()
  })

  it('of deliveries a day counts what a reset or a restore removes, once', async () => {
    const { id, key } = await issue(server)
    const call = (path: string, body: object) => send(server, `/_mock/${path}`, { key, body })
    const used = async () => (await admin(server, `keys/${id}`)).body.usage.deliveries_per_day
    const trigger = () => call('trigger', { kind: 'conversation.resolved' })
    const add = () => call('endpoints', { url: 'http://127.0.0.1:9' })
    await add()
    const { body } = await add()
    await trigger()
    await call('snapshots', { name: 'two' })
    await trigger()
    expect(await used()).toBe(4)
    await call('reset', {})
    expect(await used()).toBe(4)
    await call('snapshots/two/restore', {})
    expect(await used()).toBe(4)
    await send(server, `/_mock/endpoints/${body.id}`, { key, method: 'DELETE' })
    await server.sandboxes?.prune()
    expect(await used()).toBe(4)
    now += DAY
    expect(await used()).toBe(0)
  })
})

describe('a sandbox without an account', () => {
  const offer = () => send(server, '/_mock/sandboxes', { body: {} })

  it('works at once, and ends after seven days', async () => {
    const { status, body } = await offer()
    expect(status).toBe(201)
    expect(body.claim_url).toMatch(`${PUBLIC_URL}/dashboard/claim?secret=`)
    expect((await list(body.key)).status).toBe(200)
    now += 7 * DAY
    const over = await list(body.key)
    expect([over.status, over.body.detail]).toEqual([
      401,
      'The sandbox has expired: no one claimed it in time. Create another one.',
    ])
  })

  it('stays when somebody claims it, once', async () => {
    const { body } = await offer()
    const claim = new URL(body.claim_url).searchParams.get('secret')
    const claimed = await send(server, '/_mock/sandboxes/claim', { body: { claim, name: 'Ada' } })
    expect(claimed.body).toMatchObject({ id: body.id, name: 'Ada', expires_at: null })
    const again = await send(server, '/_mock/sandboxes/claim', { body: { claim, name: 'Bea' } })
    expect([again.status, again.body.code]).toEqual([404, 'claim_not_found'])
    now += 8 * DAY
    expect((await list(body.key)).status).toBe(200)
  })

  it('is created only so often by one network', async () => {
    const statuses = []
    for (let count = 0; count < 12; count++) statuses.push((await offer()).status)
    expect(statuses.at(-1)).toBe(429)
  })

  it('is created no more often where the server has several contracts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'contracts-'))
    const contract = [OLD, NEW].map((version) => {
      const file = join(folder, `${version}.json`)
      writeFileSync(file, JSON.stringify(documentOf('nothing', version)))
      return file
    })
    const several = await hosted.start({}, { now: () => now, contract })
    const created = []
    for (let count = 0; count < 22; count++) {
      const revision = [OLD, NEW][count % 2] as string
      const headers = { 'x-mock-revision': revision }
      created.push((await send(several, '/_mock/sandboxes', { body: {}, headers })).status)
    }
    expect(created.filter((status) => status === 201)).toHaveLength(10)
    await several.close()
    rmSync(folder, { recursive: true })
  })
})
