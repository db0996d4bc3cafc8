// Sandboxes that nobody uses: archived, brought back by the next request, and removed in the end.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Cipher } from '../../src/hosted/cipher.ts'
import type { Server } from '../../src/server.ts'
import { ADMIN_TOKEN, admin, Hosted, issue, send } from './hosted.ts'

const DAY = 24 * 3_600_000
const cipher = new Cipher([Buffer.alloc(32, 1).toString('base64')])
let hosted: Hosted
let now: number
let server: Server
let other: Server

beforeEach(async () => {
  hosted = new Hosted()
  now = Date.parse('2027-01-15T12:00:00Z')
  // Longer than these tests take, so that events stay.
  const retention = 1000 * DAY
  const options = { now: () => now, cipher, idle: 30 * DAY, archive: 365 * DAY, retention }
  server = await hosted.start({}, options)
  other = await hosted.start({}, options)
})
afterEach(() => hosted.close())

const call = (key: string, path: string, body?: object, of = server) =>
  send(of, `/_mock/${path}`, { key, ...(body && { body }) })

/** What the integrator sees of a sandbox. */
async function seen(key: string, of = server): Promise<unknown[]> {
  const paths = ['/v1/conversations', '/_mock/endpoints', '/_mock/events', '/_mock/snapshots']
  const all = []
  for (const path of [...paths, '/_mock/faults', '/_mock/deliveries']) {
    const { status, body } = await send(of, path, { key })
    all.push([path, status, body])
  }
  return all
}

async function filled(): Promise<{ id: string; key: string; endpoint: string }> {
  const issued = await issue(server)
  const { key } = issued
  await call(key, 'conversations', { text: 'Hello \0 there' })
  await call(key, 'snapshots', { name: 'first' })
  await call(key, 'faults', { path: '/v1/analytics', status: 503 })
  const { body } = await call(key, 'endpoints', { url: 'http://127.0.0.1:9' })
  return { ...issued, endpoint: body.id }
}

const prune = (of = server) => of.sandboxes?.prune()
const archivedAt = async (id: string) => (await admin(server, `keys/${id}`)).body.archived_at
const rowsOf = async (table: string, id: string) => {
  const sql = `SELECT t.* FROM {${table}} t JOIN {sandboxes} s ON s.id = t.sandbox WHERE s.key LIKE '%${id}'`
  return hosted.schema.run(sql)
}

it('is archived when nobody has used it, and comes back as it was', async () => {
  const { id, key } = await filled()
  const before = await seen(key)
  now += 29 * DAY
  await prune()
  expect(await archivedAt(id)).toBeNull()
  now += 2 * DAY
  await Promise.all([prune(), prune(other)])
  expect(await archivedAt(id)).toBe(new Date(now).toISOString())
  for (const table of ['conversations', 'messages', 'events', 'endpoints', 'notes', 'counts']) {
    expect([table, await rowsOf(table, id)]).toEqual([table, []])
  }
  const page = await send(server, '/dashboard/admin', {
    headers: { host: 'sandbox.test', cookie: `mock_admin=${ADMIN_TOKEN}` },
  })
  expect(page.body).toContain('archived <time')
  now += 300 * DAY
  await prune()
  // Both at once: one brings it back, and the other one waits.
  const both = await Promise.all([seen(key), seen(key, other)])
  expect(both).toEqual([before, before])
  expect(await archivedAt(id)).toBeNull()
  expect((await send(other, '/v1/analytics', { key })).status).toBe(503)
  expect((await call(key, 'conversations', { text: 'Again' })).status).toBe(201)
})

it('keeps its secrets as they are encrypted', async () => {
  const { id, key, endpoint } = await filled()
  const [row] = await rowsOf('endpoints', id)
  now += 31 * DAY
  await prune()
  const rows = JSON.stringify(await rowsOf('snapshots', id))
  expect(rows).toContain(endpoint)
  expect(rows).not.toContain('whsec_')
  await call(key, 'endpoints')
  expect(await rowsOf('endpoints', id)).toEqual([row])
})

it('stays while a delivery is pending', async () => {
  const { id, key, endpoint } = await filled()
  await call(key, 'trigger', { kind: 'conversation.resolved' })
  await call(key, `endpoints/${endpoint}/disable`, {})
  now += 31 * DAY
  await prune()
  expect(await archivedAt(id)).toBeNull()
})

it('is removed after its retention, and its key then gets a new one', async () => {
  const { id, key } = await filled()
  now += 31 * DAY
  await prune()
  now += 366 * DAY
  await prune()
  expect(await rowsOf('snapshots', id)).toEqual([])
  expect((await call(key, 'endpoints')).body.data).toEqual([])
  expect((await call(key, 'snapshots')).body.data).toEqual([])
})

it('takes the place of one that a process of an older version could not find', async () => {
  const { id, key } = await filled()
  now += 31 * DAY
  await prune()
  await hosted.schema.run(`INSERT INTO {sandboxes} (key, used_at) VALUES ('${id}', ${now})`)
  now += 31 * DAY
  await prune()
  expect(
    await hosted.schema.run(`SELECT id FROM {sandboxes} WHERE key LIKE '%${id}'`),
  ).toHaveLength(1)
  expect((await call(key, 'endpoints')).body.data).toEqual([])
})
