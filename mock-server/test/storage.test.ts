/** A sandbox whose file fails. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Server, startServer } from '../src/server.ts'
import { dataFile, made } from '../src/store/data-dir.ts'
import { SqliteStore } from '../src/store/sqlite/index.ts'
import { StoreError } from '../src/store/types.ts'
import { type Receiver, receiver } from './receiver.ts'
import { spawned } from './spawned.ts'
import { AUTH, problem, SILENT } from './support.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mock-storage-'))
  file = join(folder, 'mock.db')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

describe('a file', () => {
  it('that another server uses is refused with both cures', { timeout: 120_000 }, async () => {
    const store = new SqliteStore(file)
    await expect(spawned(file)).rejects.toMatchObject({
      exitCode: 1,
      message: `${file} is in use by another mock server. Stop that one, or start with another --data-dir (or --memory).\n`,
    })
    await store.close()
    const server = await spawned(file)
    expect(() => new SqliteStore(file)).toThrow('is in use by another mock server')
    await server.kill()
    await new SqliteStore(file).close()
  })

  it('that is not a database is refused and stays as it is', () => {
    writeFileSync(file, 'my shopping list, which is not to be lost'.repeat(100))
    const before = readFileSync(file)
    const open = () => new SqliteStore(file)
    expect(open).toThrow(StoreError)
    expect(open).toThrow('is not a database. Move it away')
    expect(readFileSync(file)).toEqual(before)
  })

  it('that is damaged is refused', async () => {
    await new SqliteStore(file).close()
    const bytes = readFileSync(file)
    bytes.fill(0xff, 100, 4096)
    writeFileSync(file, bytes)
    const open = () => new SqliteStore(file)
    expect(open).toThrow(StoreError)
    expect(open).toThrow('is damaged. Move it away')
  })

  it('of a newer version is refused and stays as it is', async () => {
    await new SqliteStore(file).close()
    const db = new DatabaseSync(file)
    db.exec('PRAGMA user_version = 999')
    db.close()
    const open = () => new SqliteStore(file)
    expect(open).toThrow(StoreError)
    expect(open).toThrow('comes from a newer version')
    const again = new DatabaseSync(file)
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 999 })
    again.close()
  })

  it('in a folder that is missing is refused', () => {
    const open = () => new SqliteStore(join(folder, 'missing', 'mock.db'))
    expect(open).toThrow(StoreError)
    expect(open).toThrow('cannot be opened. Name a folder that can be written')
  })

  it('that is empty becomes a store', async () => {
    writeFileSync(file, '')
    await new SqliteStore(file).close()
    expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3')
  })
})

describe('the folder of a server', () => {
  const make = (dir: string) => made(dataFile(dir), () => dataFile(dir))
  const mode = (path: string) => statSync(path).mode & 0o777

  it('is created for this user alone, and kept out of git', () => {
    const dir = join(folder, 'a', '.support-chat-mock')
    expect(make(dir)).toBe(join(dir, 'mock.db'))
    expect(mode(dir)).toBe(0o700)
    expect(mode(join(dir, 'mock.db'))).toBe(0o600)
    expect(readFileSync(join(dir, '.gitignore'), 'utf8')).toBe('*\n')
  })

  it('is not changed where it existed before, except for the permissions of the file', () => {
    chmodSync(folder, 0o755)
    writeFileSync(file, 'kept')
    chmodSync(file, 0o644)
    expect(make(folder)).toBe(file)
    expect(mode(folder)).toBe(0o755)
    expect(mode(file)).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toBe('kept')
    expect(() => statSync(join(folder, '.gitignore'))).toThrow('ENOENT')
  })

  it('can be used again', async () => {
    const dir = join(folder, 'data')
    await new SqliteStore(make(dir)).close()
    await new SqliteStore(make(dir)).close()
    expect(mode(make(dir))).toBe(0o600)
  })

  it('is refused where it is a file', () => {
    writeFileSync(file, '')
    for (const path of [file, join(file, 'inside')]) {
      expect(() => make(path)).toThrow(StoreError)
      expect(() => make(path)).toThrow('Name another one with --data-dir, or start with --memory')
    }
  })

  it('is refused where it cannot be written', () => {
    const dir = join(folder, 'locked')
    mkdirSync(dir)
    chmodSync(folder, 0o755)
    chmodSync(dir, 0o555)
    const user = process.geteuid?.()
    // root may write everywhere.
    if (user === 0) process.seteuid?.(65534)
    try {
      expect(() => make(dir)).toThrow('cannot be written (EACCES)')
      expect(() => make(join(dir, 'inside'))).toThrow('cannot be written (EACCES)')
    } finally {
      if (user === 0) process.seteuid?.(user)
    }
  })
})

describe('while the disk is full', () => {
  let server: Server
  let target: Receiver
  let db: DatabaseSync
  const errors: Array<[string, object?]> = []
  beforeEach(async () => {
    errors.length = 0
    const { exec } = DatabaseSync.prototype
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
      this: DatabaseSync,
      sql: string,
    ) {
      db = this
      return exec.call(this, sql)
    })
    target = await receiver()
    server = await startServer({
      port: 0,
      host: '127.0.0.1',
      contract: undefined,
      log: { error: (...line) => errors.push(line), warn() {}, info() {} },
      sandbox: { store: { file }, allowPrivate: true },
    })
    vi.restoreAllMocks()
    await post('/_mock/endpoints', { url: target.url })
  })
  afterEach(async () => {
    await server.close()
    await target.close()
  })

  const post = (path: string, body: object, headers = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { ...AUTH, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const get = async (path: string) => (await fetch(server.url + path, { headers: AUTH })).json()
  const OPEN = '/v1/conversations/conv_01J2Z8M3VN'
  const size = () => Number(db.prepare('PRAGMA page_count').get()?.page_count)
  const fill = () => db.exec(`PRAGMA max_page_count = ${size()}`)
  const free = () => db.exec('PRAGMA max_page_count = 1000000')
  /** Writes until a write fails. */
  async function writeUntilFull() {
    expect((await post(`${OPEN}/messages`, { text: 'Hello.' })).status).toBe(201)
    fill()
    for (let i = 0; i < 1000; i++) {
      const response = await post(`${OPEN}/messages`, { text: `${i} ${'x'.repeat(4000)}` })
      if (response.status !== 201) return response
    }
    throw new Error('the disk never was full')
  }

  it('writes return 503 and change nothing. Reads still work', async () => {
    const { code } = await problem(await writeUntilFull(), 503)
    expect(code).toBe('storage_failed')
    const before = await get(OPEN)
    const response = await post(`${OPEN}/messages`, { text: 'x'.repeat(9000) })
    expect(response.headers.get('retry-after')).toBe('1')
    await problem(response, 503)
    expect(await get(OPEN)).toEqual(before)
    const cause = 'cannot grow: the disk is full. Free some space'
    expect(JSON.stringify(errors)).toContain(cause)
    const health = () => fetch(`${server.url}/_mock/health`)
    expect([(await health()).status, await (await health()).json()]).toEqual([
      503,
      { status: 'failing', store: 'failing' },
    ])
    expect(JSON.stringify(errors)).not.toContain('xxxx')
    // Each stored message has its event, and each event its message.
    const { data } = await get('/_mock/events')
    const texts = data.map(
      (event: { data: { message: { text: string } } }) => event.data.message.text,
    )
    const kept = before.transcript.map(({ text }: { text: string }) => text)
    expect(texts).toContain('Hello.')
    expect([...texts].reverse()).toEqual(kept.slice(-texts.length))
    free()
    // Without another write.
    expect((await health()).status).toBe(200)
  })

  it('a request with an idempotency key can be retried once there is space', async () => {
    await writeUntilFull()
    const send = () =>
      post(`${OPEN}/messages`, { text: 'y'.repeat(9000) }, { 'idempotency-key': 'once' })
    await problem(await send(), 503)
    await problem(await send(), 503)
    free()
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await first.json()).toEqual(await second.json())
  })

  it('new keys get a 503, and a complete sandbox once there is space', async () => {
    await writeUntilFull()
    const path = '/v1/conversations'
    const headers = { authorization: 'Bearer sk_test_new' }
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        fetch(server.url + path, { headers: { authorization: `Bearer sk_test_${i}` } }),
      ),
    )
    expect(responses.map(({ status }) => status)).toContain(503)
    free()
    const { data } = await (await fetch(server.url + path, { headers })).json()
    expect(data.length).toBeGreaterThan(0)
    for (let i = 0; i < 40; i++) {
      const one = { authorization: `Bearer sk_test_${i}` }
      expect((await (await fetch(server.url + path, { headers: one })).json()).data).toEqual(data)
    }
  })

  it('attempts that were made are recorded once there is space', async () => {
    const full = Object.assign(new Error('database or disk is full'), {
      code: 'ERR_SQLITE_ERROR',
      errcode: 13,
    })
    const statement = db.prepare('SELECT 1')
    const { run } = Object.getPrototypeOf(statement)
    let isFull = true
    vi.spyOn(Object.getPrototypeOf(statement), 'run').mockImplementation(function (
      this: { sourceSQL: string },
      ...values: unknown[]
    ) {
      if (isFull && this.sourceSQL.includes('INTO attempts')) throw full
      return run.apply(this, values)
    })
    await post('/_mock/trigger', { kind: 'conversation.resolved' })
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    const pending = async () => (await get('/_mock/deliveries?state=pending')).data
    expect(await pending()).toMatchObject([{ attempts: [] }])
    isFull = false
    await expect.poll(pending).toEqual([])
    const { data } = await get('/_mock/deliveries')
    expect(data).toMatchObject([{ state: 'succeeded', attempts: [{ status: 204 }] }])
    expect(target.received).toHaveLength(1)
  })

  it('the server can still be closed', async () => {
    await writeUntilFull()
    await server.close()
  })
})

it('the deliveries of a removed endpoint are removed from the file', async () => {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    contract: undefined,
    log: SILENT,
    sandbox: { store: { file }, allowPrivate: false },
  })
  const headers = { 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${server.url}/_mock/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { id } = await (await post('endpoints', { url: 'http://127.0.0.1:9/' })).json()
  await post('trigger', { kind: 'conversation.resolved' })
  await post('clock', { advance: 'PT24H' })
  await fetch(`${server.url}/_mock/endpoints/${id}`, { method: 'DELETE' })
  await server.close()
  const db = new DatabaseSync(file)
  const counts = ['events', 'deliveries', 'attempts'].map(
    (table) => db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count,
  )
  expect(counts).toEqual([1, 0, 0])
  db.close()
})

describe('old data', () => {
  it('is removed after its retention when the server starts', async () => {
    const DAY = 86_400_000
    let now = Date.parse('2026-11-21T12:00:00Z')
    const start = (retention?: number) =>
      startServer({
        port: 0,
        host: '127.0.0.1',
        contract: undefined,
        log: { error() {}, warn() {}, info() {} },
        sandbox: { store: { file }, allowPrivate: true, now: () => now, retention },
      })
    const events = async ({ url }: Server) =>
      (await (await fetch(`${url}/_mock/events`)).json()).data.length
    const first = await start()
    await fetch(`${first.url}/_mock/trigger`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"kind":"conversation.resolved"}',
    })
    await first.close()
    for (const [days, retention, left] of [
      [29, undefined, 1],
      [1, 31 * DAY, 1],
      [1, undefined, 0],
    ] as const) {
      now += days * DAY
      const server = await start(retention)
      expect(await events(server)).toBe(left)
      await server.close()
    }
  })
})
