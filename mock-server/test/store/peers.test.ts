// What processes request of each other through PostgreSQL.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Cipher } from '../../src/hosted/cipher.ts'
import { PeerFailed, PeerGone } from '../../src/store/peers.ts'
import type { PostgresOptions, PostgresStore } from '../../src/store/postgres/index.ts'
import { Schema } from '../postgres.ts'

const QUICK = { heartbeat: 50, timeToLive: 500 }

let schema: Schema
let stores: PostgresStore[]
beforeEach(() => {
  schema = new Schema()
  stores = []
})
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  await schema.drop()
})

async function open(options: Partial<PostgresOptions> = {}): Promise<PostgresStore> {
  const store = await schema.open({ ...QUICK, ...options })
  stores.push(store)
  return store
}

/** Some processes that know of each other. */
async function several(count: number, options?: Partial<PostgresOptions>) {
  const all: PostgresStore[] = []
  for (let made = 0; made < count; made++) all.push(await open(options))
  await expect.poll(() => all.every(({ processes }) => processes === count)).toBe(true)
  return all as [PostgresStore, ...PostgresStore[]]
}

describe.each([
  ['with notices', {}],
  ['without notices', { directUrl: undefined }],
])('a process, %s,', (_, options) => {
  it('gets what another one responds, whatever the text', async () => {
    const [one, other] = await several(2, options)
    other?.peers.handle('double', async (text: string) => text + text)
    const id = other?.replicas.id ?? ''
    expect(await one.peers.request(id, 'double', 'é\0"')).toBe('é\0"é\0"')
    expect(await schema.run('SELECT * FROM {peer_requests}')).toEqual([])
  })

  it('asks all others at once', async () => {
    const [one, ...others] = await several(3, options)
    for (const { peers, replicas } of others) peers.handle('name', async () => replicas.id)
    const responses = await one.peers.requestAll<string>('name', null)
    expect(responses).toHaveLength(2)
    for (const { peer, response } of responses) expect(response).toBe(peer)
  })
})

it('many requests at once each get their own response', async () => {
  const [one, other] = await several(2)
  other?.peers.handle('same', async (number: number) => number)
  const numbers = Array.from({ length: 50 }, (_, index) => index)
  const responses = await Promise.all(
    numbers.map((number) => one.peers.request(other?.replicas.id ?? '', 'same', number)),
  )
  expect(responses).toEqual(numbers)
})

it('a failure is told, and so is a request that nobody knows', async () => {
  const [one, other] = await several(2)
  const id = other?.replicas.id ?? ''
  other?.peers.handle('fail', async () => {
    throw Object.assign(new Error('no'), { status: 404, code: 'not_found' })
  })
  const failed = await one.peers.request(id, 'fail', null).catch((error: PeerFailed) => error)
  expect(failed).toBeInstanceOf(PeerFailed)
  expect((failed as PeerFailed).detail).toMatchObject({
    message: 'no',
    status: 404,
    code: 'not_found',
  })
  await expect(one.peers.request(id, 'nothing', null)).rejects.toThrow(PeerFailed)
})

it('a process that dies meanwhile, or is dead, is not waited for', async () => {
  const [one, other] = await several(2)
  const id = other?.replicas.id ?? ''
  other?.peers.handle('never', () => new Promise(() => {}))
  const waiting = one.peers.request(id, 'never', null, { timeout: 60_000 })
  other?.replicas.fall()
  await expect(waiting).rejects.toThrow(PeerGone)
  await expect(one.peers.request(id, 'never', null)).rejects.toThrow(PeerGone)
  expect(await one.peers.requestAll('never', null)).toEqual([])
})

it('a wait can be ended', async () => {
  const [one, other] = await several(2)
  other?.peers.handle('never', () => new Promise(() => {}))
  const ending = new AbortController()
  const waiting = one.peers.request(other?.replicas.id ?? '', 'never', null, {
    signal: ending.signal,
  })
  ending.abort()
  await expect(waiting).rejects.toThrow(PeerGone)
})

it('what is said is encrypted in the database', async () => {
  const cipher = new Cipher([Buffer.alloc(32, 7).toString('base64')])
  const [one, other] = await several(2, { cipher })
  const seen: unknown[] = []
  other?.peers.handle('echo', async (text: string) => {
    seen.push(...(await schema.run('SELECT * FROM {peer_requests}')))
    return text
  })
  const keep = schema.run(
    `CREATE FUNCTION {keep}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO {kept} SELECT NEW.response; RETURN NEW; END $$`,
  )
  await schema.run('CREATE TABLE {kept} (response text)')
  await keep
  await schema.run(
    'CREATE TRIGGER keep BEFORE UPDATE ON {peer_requests} FOR EACH ROW EXECUTE FUNCTION {keep}()',
  )
  expect(await one.peers.request(other?.replicas.id ?? '', 'echo', 'whsec_secret')).toBe(
    'whsec_secret',
  )
  seen.push(...(await schema.run('SELECT * FROM {kept} WHERE response IS NOT NULL')))
  expect(seen).toHaveLength(2)
  expect(JSON.stringify(seen)).not.toContain('whsec_secret')
})
