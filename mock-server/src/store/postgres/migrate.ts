/** Brings the schema of a database up to date, once for any number of processes that start together. */
import { readdirSync, readFileSync } from 'node:fs'
import { POSTGRES_MIGRATIONS } from '../../assets.ts'
import { StoreError } from '../types.ts'
import { type Database, quoted } from './database.ts'

/** The oldest one that has all that the statements need. */
const MIN_VERSION = 13

/** What two processes meet that create the same schema or table at once. */
const CREATED_MEANWHILE = new Set(['23505', '42710', '42P06', '42P07'])
const MAX_TRIES = 10

/** @throws {StoreError} where PostgreSQL is too old, or the data comes from a newer version. */
export async function migrate(db: Database): Promise<void> {
  await checkVersion(db)
  await prepare(db)
  const files = readdirSync(POSTGRES_MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  await db.transaction(async (queries) => {
    await queries.run('LOCK TABLE {migrations} IN ACCESS EXCLUSIVE MODE')
    const sql = 'SELECT coalesce(max(version), 0) AS version FROM {migrations}'
    const { version = 0 } = (await queries.row<{ version: number }>(sql)) ?? {}
    if (version > files.length) {
      throw new StoreError(
        'The data in the database comes from a newer version of this mock server. Update this one, or name another database.',
      )
    }
    for (const [index, name] of files.entries()) {
      if (index < version) continue
      await queries.run(readFileSync(new URL(name, POSTGRES_MIGRATIONS), 'utf8'))
      await queries.run(
        'INSERT INTO {migrations} (version, applied_at) VALUES (?, now())',
        index + 1,
      )
    }
  })
}

async function checkVersion(db: Database): Promise<void> {
  const { number = 0 } =
    (await db.row<{ number: number }>(
      "SELECT current_setting('server_version_num')::int AS number",
    )) ?? {}
  if (number >= MIN_VERSION * 10_000) return
  throw new StoreError(
    `The database is PostgreSQL ${Math.floor(number / 10_000)}. Use PostgreSQL ${MIN_VERSION} or newer.`,
  )
}

/** Makes the schema and the table of versions where there are none. */
async function prepare(db: Database): Promise<void> {
  const known = 'SELECT 1 FROM pg_namespace WHERE nspname = ?'
  for (let tries = 1; ; tries++) {
    try {
      // Whoever made the schema may allow this user no other one.
      if (!(await db.row(known, db.schema))) await db.script(`CREATE SCHEMA ${quoted(db.schema)}`)
      return await db.script(
        'CREATE TABLE IF NOT EXISTS {migrations} (version integer PRIMARY KEY, applied_at timestamptz NOT NULL)',
      )
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!CREATED_MEANWHILE.has(code) || tries === MAX_TRIES) throw error
    }
  }
}
