// A newer version starts beside processes of this one, over a migration. docs/operating.md says how.
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { receiver as startReceiver } from '../receiver.ts'
import { Hosted, issue, send } from './hosted.ts'

const MIGRATIONS = new URL('../../src/store/postgres/migrations/', import.meta.url)
const files = readdirSync(MIGRATIONS).sort()

let hosted: Hosted
beforeEach(() => {
  hosted = new Hosted()
})
afterEach(() => hosted.close())

/** What the first process of a newer version does: each table gets a column, in one transaction. */
async function upgrade({ schema }: Hosted): Promise<void> {
  const tables = await schema.run(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 AND table_name <> 'migrations'`,
    [schema.name],
  )
  const added = tables.map(({ name }) => `ALTER TABLE {${name}} ADD COLUMN added integer DEFAULT 0`)
  const version = `INSERT INTO {migrations} (version, applied_at) VALUES (${files.length + 1}, now())`
  await schema.run(['BEGIN', ...added, version, 'COMMIT'].join(';'))
}

it('processes of this version continue over a migration, and lose nothing', async () => {
  const receiver = await startReceiver()
  const [api] = await Promise.all([hosted.start({ role: 'api' }), hosted.start({ role: 'worker' })])
  const { key } = await issue(api)
  await send(api, '/_mock/endpoints', { key, body: { url: receiver.url } })
  const trigger = () =>
    send(api, '/_mock/trigger', { key, body: { kind: 'conversation.resolved' } })
  const statuses: number[] = []
  for (let sent = 0; sent < 10; sent++) {
    if (sent === 5) await upgrade(hosted)
    statuses.push((await trigger()).status)
  }
  await send(api, '/_mock/clock', { key, body: { advance: 'PT0S' } })
  expect(statuses).toEqual(Array.from({ length: 10 }, () => 201))
  expect(receiver.received).toHaveLength(10)
  const { body } = await send(api, '/_mock/deliveries?state=succeeded', { key })
  expect(body.data).toHaveLength(10)
  // What copies whole rows, too.
  const options = { key, body: { name: 'kept' } }
  expect((await send(api, '/_mock/snapshots', options)).status).toBeLessThan(300)
  const restored = await send(api, '/_mock/snapshots/kept/restore', { key, body: {} })
  expect(restored.status).toBeLessThan(300)
  await receiver.close()
})

it('no process of this version starts on the tables of a newer one', async () => {
  await hosted.start()
  await upgrade(hosted)
  await expect(hosted.start()).rejects.toThrow(
    'The data in the database comes from a newer version of this mock server.',
  )
})

it.each(files.slice(1))('%s only adds, so that the version before it continues', (file) => {
  const sql = readFileSync(new URL(file, MIGRATIONS), 'utf8').replace(/--.*$/gm, '')
  for (const statement of sql.split(';').map((text) => text.trim())) {
    expect(statement).toMatch(/^(?:|CREATE (?:TABLE|INDEX)\b.*|ALTER TABLE \S+ ADD COLUMN\b.*)$/s)
    expect(statement).not.toMatch(/^ALTER(?!.*DEFAULT).*NOT NULL/s)
  }
})
