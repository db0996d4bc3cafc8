// Tenants on PostgreSQL: keys, claims, limits, use and audit.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PostgresStore } from '../../src/store/postgres/index.ts'
import type { AuditEntry, NewTenant } from '../../src/store/tenants.ts'
import { Schema } from '../postgres.ts'
import { conversation, EMPTY, endpoint } from './world.ts'

const schema = new Schema()
const DAY = 24 * 3_600_000
let now = Date.parse('2027-01-15T12:00:00Z')
let store: PostgresStore

beforeAll(async () => {
  store = await schema.open({ now: () => now })
})
afterAll(async () => {
  await store.close()
  await schema.drop()
})

let made = 0
function tenant(more: Partial<NewTenant> = {}): NewTenant {
  const id = `key_${++made}`
  const key = { digest: `digest of ${id}`, hint: 'abcd' }
  return {
    id,
    name: 'Shop',
    createdAt: now,
    expiresAt: null,
    limits: {},
    claim: null,
    key,
    ...more,
  }
}

function entry(tenant: string, action = 'key.issued'): AuditEntry {
  return { at: now, actor: 'admin', action, tenant, detail: { name: 'Shop' } }
}

async function added(more: Partial<NewTenant> = {}): Promise<NewTenant> {
  const one = tenant(more)
  await store.tenants.add(one, entry(one.id))
  return one
}

it('a tenant is found by its key and by its id, with whatever name', async () => {
  const one = await added({ name: 'A\0B "Ada"', limits: { endpoints: 3 } })
  const found = await store.tenants.byKey(one.key.digest, now)
  expect(found).toEqual(await store.tenants.get(one.id))
  expect(found).toEqual({
    id: one.id,
    name: 'A\0B "Ada"',
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    archivedAt: null,
    limits: { endpoints: 3 },
    keys: [{ hint: 'abcd', createdAt: now, expiresAt: null }],
  })
  expect(await store.tenants.byKey('another', now)).toBeNull()
  expect(await store.tenants.get('key_0')).toBeNull()
})

it('a change leaves what it does not name, and is audited with it', async () => {
  const one = await added({ limits: { endpoints: 3 } })
  expect(await store.tenants.change(one.id, { name: 'Other' }, entry(one.id, 'key.changed'))).toBe(
    true,
  )
  expect(await store.tenants.get(one.id)).toMatchObject({ name: 'Other', limits: { endpoints: 3 } })
  await store.tenants.change(one.id, { revokedAt: now }, entry(one.id, 'key.revoked'))
  expect(await store.tenants.get(one.id)).toMatchObject({ name: 'Other', revokedAt: now })
  const mine = (await store.tenants.audit(1000)).filter(({ tenant }) => tenant === one.id)
  expect(mine.map(({ action }) => action)).toEqual(['key.revoked', 'key.changed', 'key.issued'])
  expect(mine[0]).toEqual(entry(one.id, 'key.revoked'))
  expect(await store.tenants.change('key_0', { name: 'x' }, entry('key_0', 'none'))).toBe(false)
  expect((await store.tenants.audit(1000)).some(({ action }) => action === 'none')).toBe(false)
})

it('a new key ends the others after a grace period, and never later than they ended anyway', async () => {
  const one = await added()
  const key = { digest: `second of ${one.id}`, hint: 'efgh' }
  now += 1
  await store.tenants.addKey(one.id, key, now + 1000, entry(one.id, 'key.rotated'))
  const third = { digest: `third of ${one.id}`, hint: 'ijkl' }
  now += 1
  await store.tenants.addKey(one.id, third, now + DAY, entry(one.id, 'key.rotated'))
  expect((await store.tenants.get(one.id))?.keys.map(({ hint }) => hint)).toEqual([
    'ijkl',
    'efgh',
    'abcd',
  ])
  const works = async (digest: string, at: number) =>
    (await store.tenants.byKey(digest, at)) !== null
  expect(await works(one.key.digest, now + 998)).toBe(true)
  expect(await works(one.key.digest, now + 999)).toBe(false)
  expect(await works(key.digest, now + DAY - 1)).toBe(true)
  expect(await works(key.digest, now + DAY)).toBe(false)
  expect(await works(third.digest, now + 365 * DAY)).toBe(true)
  expect(await store.tenants.addKey('key_0', key, now, entry('key_0'))).toBe(false)
})

it('the newest are listed first, page by page', async () => {
  now += 1000
  const ids = []
  for (let count = 0; count < 5; count++) ids.push((await added()).id)
  const first = await store.tenants.list(2)
  const next = await store.tenants.list(3, first[1]?.id)
  // Of the same time, in some order that stays.
  expect([...first, ...next].map(({ id }) => id).sort()).toEqual(ids.sort())
})

it('one of two claims at once succeeds, in time', async () => {
  const one = await added({ expiresAt: now + DAY, claim: 'claim 1' })
  expect(await store.tenants.claim('another', 'Ada', now)).toBeNull()
  const both = await Promise.all(
    ['Ada', 'Bea'].map((name) => store.tenants.claim('claim 1', name, now)),
  )
  expect(both.filter((claimed) => claimed !== null)).toHaveLength(1)
  expect(await store.tenants.get(one.id)).toMatchObject({ expiresAt: null })
  await added({ expiresAt: now + DAY, claim: 'claim 2' })
  expect(await store.tenants.claim('claim 2', 'Ada', now + DAY)).toBeNull()
})

it('what nobody claimed is removed with its sandbox, and nothing else', async () => {
  const [gone, kept] = [await added({ expiresAt: now + DAY }), await added()]
  for (const { id } of [gone, kept]) await fill(id)
  expect(await store.tenants.removeExpired(now + DAY - 1)).toBe(0)
  expect(await store.tenants.removeExpired(now + DAY)).toBeGreaterThan(0)
  expect(await store.tenants.get(gone.id)).toBeNull()
  expect(await store.tenants.byKey(gone.key.digest, now)).toBeNull()
  const left = await schema.run('SELECT key FROM {sandboxes} WHERE key = ANY($1)', [
    [gone.id, kept.id],
  ])
  expect(left).toEqual([{ key: kept.id }])
  const [{ count } = {}] = await schema.run(
    'SELECT count(*)::int FROM {messages} WHERE sandbox NOT IN (SELECT id FROM {sandboxes})',
  )
  expect(count).toBe(0)
})

it('use is what the sandbox has, and the deliveries of this day', async () => {
  const { id } = await added()
  expect(await store.tenants.usage(id, now)).toEqual(used(0, 0, 0, 0))
  const sandbox = await fill(id)
  const emit = (at: string) => {
    now = Date.parse(at)
    const body = '{"id":"ü"}'
    const event = { id: `evt_${at}`, kind: 'a', occurredAt: now, body, copies: 2 }
    return store.state.commit(sandbox, { events: [event] })
  }
  const before = await store.tenants.usage(id, now)
  await emit('2027-02-01T23:59:59Z')
  await emit('2027-02-02T00:00:00Z')
  const usage = await store.tenants.usage(id, now)
  expect(usage).toEqual(used(1, before.stored_bytes + 22, 1, 2))
  expect((await store.tenants.usage(id, now - 1)).deliveries_per_day).toBe(4)
})

const used = (conversations: number, stored: number, endpoints: number, deliveries: number) => ({
  conversations,
  stored_bytes: stored,
  endpoints,
  deliveries_per_day: deliveries,
})

/** A sandbox with a conversation, a message and an endpoint. */
async function fill(key: string) {
  const sandbox = await store.sandboxes.get(key, () => EMPTY)
  if (!sandbox) throw new Error('There is no room for another sandbox.')
  await store.endpoints.add(sandbox, endpoint('end_1'))
  await store.state.commit(sandbox, {
    conversation: conversation('cnv_1', 1),
    before: null,
    messages: [{ id: 'msg_1', conversationId: 'cnv_1', json: '{"body":"Hi"}' }],
  })
  return sandbox
}
