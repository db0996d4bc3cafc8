/** A start that fails ends: exit 1, one message, no port held and nothing left behind. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startServer } from '../src/server.ts'
import { made } from '../src/store/data-dir.ts'
import { SqliteStore } from '../src/store/sqlite/index.ts'
import { Commands } from './command.ts'
import { SILENT } from './support.ts'

let commands: Commands
let taken: Server
let port: number
beforeEach(async () => {
  commands = new Commands()
  taken = createServer()
  port = await new Promise((resolve) => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port))
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  commands.close()
  await new Promise((resolve) => taken.close(resolve))
})

const inFolder = (name: string) => join(commands.folder, name)
/** A store with this many events, in the folder `data`. */
async function stored(events: number): Promise<string> {
  mkdirSync(inFolder('data'))
  const file = inFolder('data/mock.db')
  await new SqliteStore(file).close()
  const db = new DatabaseSync(file)
  db.exec(`INSERT INTO sandboxes (key, used_at) VALUES ('key', 0);
    INSERT INTO endpoints (sandbox, id, url, secret) VALUES (1, 'ep_1', 'http://127.0.0.1:9/', 's');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${events})
    INSERT INTO events (sandbox, id, kind, occurred_at, body, recorded_at)
    SELECT 1, 'evt_' || i, 'kind', 0, hex(zeroblob(500)), 0 FROM n;
    INSERT INTO deliveries (sandbox, event, endpoint, state, due)
    SELECT 1, number, 1, 'pending', 0 FROM events`)
  db.close()
  return file
}

describe('a start', () => {
  it.each<[what: string, reason: RegExp, prepare: () => Promise<string[]> | string[]]>([
    ['a port that is taken', /^Port \d+ on 127\.0\.0\.1 is already in use/, () => []],
    [
      'an address of another machine',
      /is not an address of this machine/,
      () => ['--host', '192.0.2.1', '--stateless'],
    ],
    ['a folder in /proc', /^The folder .* cannot be written/, () => ['--data-dir', '/proc/x/y']],
    [
      'a folder under a file',
      /^The folder .* cannot be written \(ENOTDIR\)/,
      () => {
        writeFileSync(inFolder('file'), '')
        return ['--data-dir', 'file/data']
      },
    ],
    ['a contract that is missing', /none\.yaml/, () => ['--contract', 'none.yaml']],
    ['a seed that is missing', /none\.yaml/, () => ['--seed', 'none.yaml']],
    [
      'a recording that is something else',
      /^--record: /,
      () => {
        writeFileSync(inFolder('notes.txt'), 'my notes')
        return ['--record', 'notes.txt']
      },
    ],
    [
      'a file that is no database',
      /is not a database/,
      () => {
        mkdirSync(inFolder('data'))
        writeFileSync(inFolder('data/mock.db'), 'notes'.repeat(1000))
        return ['--data-dir', 'data']
      },
    ],
    [
      'a file that was cut',
      /is damaged/,
      async () => {
        const file = await stored(2000)
        truncateSync(file, readFileSync(file).length / 2)
        return ['--data-dir', 'data']
      },
    ],
    [
      'a file with damaged pages in the middle',
      /is damaged/,
      async () => {
        const file = await stored(2000)
        const bytes = readFileSync(file)
        // All but the first pages, where the schema is.
        bytes.fill(0xff, 40 * 4096)
        writeFileSync(file, bytes)
        return ['--data-dir', 'data']
      },
    ],
  ])('fails with %s', async (what, reason, prepare) => {
    const args = await prepare()
    const wanted = what.startsWith('a port') ? String(port) : '0'
    const before = readdirSync(commands.folder)
    const { code, stdout, stderr } = await commands.run(['serve', '--port', wanted, ...args])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(reason)
    expect(stderr).not.toMatch(/^ +at /m)
    expect(readdirSync(commands.folder)).toEqual(before)
  })

  it('refuses a folder for data that it keeps in memory, or nowhere', async () => {
    for (const other of ['--memory', '--stateless']) {
      const run = await commands.run(['serve', '--port', '0', other, '--data-dir', 'data'])
      expect(run).toMatchObject({ code: 2, stdout: '' })
      expect(run.stderr).toContain("'--data-dir <dir>'")
    }
    expect(existsSync(inFolder('data'))).toBe(false)
  })
})

describe('a step of the start that throws', () => {
  const failure = new Error('disk I/O error')
  const throwing = () => Promise.reject(failure)
  const PARTS = {
    'the revisions cannot be read': () =>
      vi.spyOn(SqliteStore.prototype, 'revisions').mockImplementation(throwing),
    'pending deliveries cannot be read': async () => {
      const { Outbox } = await import('../src/store/sqlite/outbox.ts')
      vi.spyOn(Outbox.prototype, 'endpointNumbers').mockImplementation(throwing)
    },
    'a migration fails': () =>
      vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
        this: DatabaseSync,
        sql: string,
      ) {
        if (sql.includes('CREATE TABLE')) throw failure
        this.prepare(sql).run()
      }),
  }
  it.each(Object.entries(PARTS))(
    'as %s: the port and the file are free again',
    async (_, spoil) => {
      const free = await new Promise<number>((resolve) => {
        const probe = createServer().listen(0, '127.0.0.1', () => {
          const { port } = probe.address() as { port: number }
          probe.close(() => resolve(port))
        })
      })
      await spoil()
      const options = {
        port: free,
        host: '127.0.0.1',
        contract: undefined,
        log: SILENT,
        sandbox: { store: { file: inFolder('new/folder/mock.db') }, allowPrivate: true },
      }
      await expect(startServer(options)).rejects.toThrow('disk I/O error')
      await expect(
        new Promise((resolve, reject) =>
          connect(free, '127.0.0.1', () => resolve(0)).on('error', reject),
        ),
      ).rejects.toThrow('ECONNREFUSED')
      vi.restoreAllMocks()
      await (await startServer(options)).close()
    },
  )

  it('leaves no folder that was not there before', () => {
    const full = () => {
      throw failure
    }
    expect(() => made(inFolder('new/folder/mock.db'), full)).toThrow(failure)
    expect(existsSync(inFolder('new'))).toBe(false)
    mkdirSync(inFolder('own'))
    chmodSync(inFolder('own'), 0o700)
    expect(() => made(inFolder('own/mock.db'), full)).toThrow(failure)
    expect(existsSync(inFolder('own'))).toBe(true)
  })
})
