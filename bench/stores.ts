// What a dedupe store costs in each language for each event: `begin` and `done`, one event after the
// other and 32 at once.
// The floor of a database is the two writes that anybody needs, by hand through the same client.

import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { type DedupeStore, MemoryDedupeStore } from '@support-chat/sdk/webhooks'
import { PostgresDedupeStore } from '@support-chat/sdk/webhooks/postgres'
import { RedisDedupeStore } from '@support-chat/sdk/webhooks/redis'
import { SqliteDedupeStore } from '@support-chat/sdk/webhooks/sqlite'
import BetterSqlite3 from 'better-sqlite3'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import postgres from 'postgres'
import { createClient } from 'redis'
import { startPostgres } from '../scripts/services/postgres.ts'
import { startRedis } from '../scripts/services/redis.ts'
import { programs as go } from '../scripts/toolchain/languages/go.ts'
import { tool } from '../scripts/toolchain/languages/python.ts'
import { programs as ruby } from '../scripts/toolchain/languages/ruby.ts'
import { median, noise, type Round, race } from './measure.ts'
import { type Budget, digits, percent, report, times } from './report.ts'

const AT_ONCE = 32

/** To two writes by hand. Where each statement is planned anew, the longer `begin` costs more. */
const LIMITS: Readonly<Record<string, number>> = {
  'Node: SQLite': 3,
  'Node: Redis': 2,
  'Node: PostgreSQL': 5,
  'Ruby: SQLite': 5,
  'Ruby: Redis': 2,
  'Ruby: PostgreSQL': 5,
  'Python: SQLite': 3,
  'Python: Redis': 2,
  'Python: PostgreSQL': 5,
  'Go: SQLite': 3,
  'Go: Redis': 2,
  'Go: PostgreSQL': 5,
}

/** Handles an event that is new. */
type Handle = () => unknown

let events = 0
const newId = () => `evt_${events++}`

function handled(store: DedupeStore): Handle {
  return async () => {
    const id = newId()
    const lease = await store.begin(id)
    if (lease.state !== 'new') throw new Error(`A new event is ${lease.state}.`)
    await store.done(id, lease.token)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'bench-stores-'))
chmodSync(folder, 0o755) // for the account of PostgreSQL
const folderOf = (name: string) => {
  mkdirSync(join(folder, name))
  return join(folder, name)
}
const redisServer = await startRedis(folderOf('redis'))
const postgresServer = await startPostgres(folderOf('postgres'))

const ioredis = new Redis(redisServer.url)
const nodeRedis = await createClient({ url: redisServer.url }).connect()
const pool = new Pool({ connectionString: postgresServer.url, max: 10 })
const sql = postgres(postgresServer.url, { max: 10 })
const better = new BetterSqlite3(join(folder, 'better.db'))
const node = new DatabaseSync(join(folder, 'node.db'))
for (const database of [better, node]) {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec('CREATE TABLE bare (id TEXT PRIMARY KEY, token TEXT)')
  new SqliteDedupeStore(database).setup()
}
await new PostgresDedupeStore(pool).setup()
await pool.query('CREATE TABLE bare (id text PRIMARY KEY, token text)')

const insert = 'INSERT INTO bare VALUES ($1, $2) ON CONFLICT DO NOTHING'
const update = 'UPDATE bare SET token = NULL WHERE id = $1'

function bareSqlite(database: typeof better | DatabaseSync): Handle {
  const begin = database.prepare('INSERT INTO bare VALUES (?, ?) ON CONFLICT DO NOTHING')
  const done = database.prepare('UPDATE bare SET token = NULL WHERE id = ?')
  return () => {
    const id = newId()
    begin.run(id, 'token')
    done.run(id)
  }
}

const stores = {
  '`MemoryDedupeStore`': handled(new MemoryDedupeStore()),
  'SQLite, better-sqlite3': handled(new SqliteDedupeStore(better)),
  'SQLite, node:sqlite': handled(new SqliteDedupeStore(node)),
  'Redis, ioredis': handled(new RedisDedupeStore(ioredis)),
  'Redis, node-redis': handled(new RedisDedupeStore(nodeRedis)),
  'PostgreSQL, a Pool of pg': handled(new PostgresDedupeStore(pool)),
  'PostgreSQL, postgres.js': handled(new PostgresDedupeStore(sql)),
}
type Name = keyof typeof stores
const names = Object.keys(stores) as Name[]

const floors: Partial<Record<Name, Handle>> = {
  'SQLite, better-sqlite3': bareSqlite(better),
  'SQLite, node:sqlite': bareSqlite(node),
  'Redis, ioredis': async () => {
    const id = newId()
    await ioredis.set(id, 'token', 'PX', 300_000, 'NX')
    await ioredis.set(id, 'done', 'PX', 300_000)
  },
  'Redis, node-redis': async () => {
    const id = newId()
    const expiration = { type: 'PX', value: 300_000 } as const
    await nodeRedis.set(id, 'token', { expiration, condition: 'NX' })
    await nodeRedis.set(id, 'done', { expiration })
  },
  'PostgreSQL, a Pool of pg': async () => {
    const id = newId()
    await pool.query(insert, [id, 'token'])
    await pool.query(update, [id])
  },
  'PostgreSQL, postgres.js': async () => {
    const id = newId()
    await sql.unsafe(insert, [id, 'token'], { prepare: true })
    await sql.unsafe(update, [id], { prepare: true })
  },
}

const floorOf = (name: string) => `${name} floor` as const
const manyOf = (name: string) => `${name} at once` as const
const contenders: Record<string, Handle> = {}
for (const name of names) {
  const floor = floors[name]
  contenders[name] = stores[name]
  if (floor) contenders[floorOf(name)] = floor
  contenders[manyOf(name)] = () => Promise.all(Array.from({ length: AT_ONCE }, stores[name]))
}
const raced: Record<string, Round<string>[]> = {
  Node: await race(contenders, { rounds: 21, sliceMs: 40, unsettled: 3 }),
  Python: await inPython(),
  Ruby: await inRuby(),
  Go: await inGo(),
}

function inPython(): Promise<Round<string>[]> {
  const env = { PYTHONPATH: join(import.meta.dirname, '../sdks/python/src') }
  return from(
    tool('python'),
    [join(import.meta.dirname, 'python/stores.py'), join(folder, 'python.db')],
    env,
  )
}

function inRuby(): Promise<Round<string>[]> {
  const here = import.meta.dirname
  const program = ['-I', join(here, '../sdks/ruby/lib'), join(here, 'ruby/stores.rb')]
  return from(ruby.ruby, [...program, join(folder, 'ruby.db')])
}

function inGo(): Promise<Round<string>[]> {
  const module = join(import.meta.dirname, 'go/stores')
  return from(go.go, ['run', '-C', module, '.', join(folder, 'go.db')])
}

/** Runs a program of another language, which prints its rounds. */
async function from(
  program: string,
  args: readonly string[],
  extra: NodeJS.ProcessEnv = {},
): Promise<Round<string>[]> {
  const { stdout } = await promisify(execFile)(program, args, {
    env: { ...process.env, REDIS_URL: redisServer.url, POSTGRES_URL: postgresServer.url, ...extra },
    maxBuffer: 2 ** 24,
  })
  return JSON.parse(stdout)
}

const ORDER = ['`MemoryDedupeStore`', 'SQLite', 'Redis', 'PostgreSQL']
const placeOf = (name: string) => ORDER.findIndex((start) => name.startsWith(start))

const rows: string[][] = []
const budgets: Budget[] = []
for (const [language, rounds] of Object.entries(raced)) {
  const known = Object.keys(rounds[0] ?? {}).sort(
    (a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1),
  )
  for (const name of known.filter((name) => !/ (floor|at once)$/.test(name))) {
    const label = `${language}: ${name.replace(/, (?:a \w+ of )?(.*)/i, ', `$1`')}`
    const of = (name: string) => rounds.map((round) => Number(round[name]))
    const ratio = known.includes(floorOf(name))
      ? median(rounds.map((round) => Number(round[name]) / Number(round[floorOf(name)])))
      : undefined
    const together = known.includes(manyOf(name))
      ? (AT_ONCE * 1e6) / median(of(manyOf(name)))
      : undefined
    rows.push([
      label,
      digits(median(of(name))),
      percent(noise(of(name))),
      ratio === undefined ? '' : times(ratio),
      together === undefined ? '' : digits(together),
    ])
    if (ratio === undefined) continue
    const limit = LIMITS[label.split(',', 1)[0] ?? ''] ?? 0
    budgets.push({ what: `${label}, to two writes by hand`, actual: ratio, limit, keep: 'at most' })
  }
}
report(
  ['per event', 'µs', 'noise', 'to two writes by hand', `a second, ${AT_ONCE} at once`],
  rows,
  budgets,
)

ioredis.disconnect()
nodeRedis.destroy()
await pool.end()
await sql.end()
await redisServer.stop()
await postgresServer.stop()
rmSync(folder, { recursive: true })
