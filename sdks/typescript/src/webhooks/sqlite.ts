import { BaseError } from '../generated/names.js'
import {
  SQLITE_BEGIN,
  SQLITE_DONE,
  SQLITE_ONCE,
  SQLITE_PRUNE,
  SQLITE_RELEASE,
  SQLITE_SCHEMA,
  SQLITE_TABLE,
} from '../generated/stores.js'
import type { DedupeLease, DedupeStore } from './dedupe.js'
import {
  type DedupeSettings,
  type DedupeTableOptions,
  forTable,
  leaseOf,
  newToken,
  requireClient,
  settingsOf,
} from './settings.js'

export type { DedupeStoreOptions, DedupeTableOptions } from './settings.js'

/** A database of better-sqlite3, or a `DatabaseSync` of node:sqlite. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  /** Of better-sqlite3. */
  readonly inTransaction?: boolean | undefined
  /** Of node:sqlite. */
  readonly isTransaction?: boolean | undefined
}

/** A prepared statement of either library. */
export interface SqliteStatement {
  run(parameters: Record<string, string | number>): unknown
  /** The first row, or undefined. */
  get(parameters: Record<string, string | number>): unknown
}

/** The options of a `SqliteDedupeStore`. */
export type SqliteDedupeStoreOptions = DedupeTableOptions

const STATEMENTS = {
  schema: SQLITE_SCHEMA,
  prune: SQLITE_PRUNE,
  begin: SQLITE_BEGIN,
  done: SQLITE_DONE,
  release: SQLITE_RELEASE,
  once: SQLITE_ONCE,
}
type Name = keyof typeof STATEMENTS

/**
 * Remembers events in a table of SQLite 3.35 or newer, for all processes of a machine that share the
 * file. `begin` deletes rows that have expired, a few at a time.
 *
 * Let the database wait for other processes: `new DatabaseSync(file, { timeout: 5000 })` of
 * node:sqlite. better-sqlite3 waits by default.
 */
export class SqliteDedupeStore implements DedupeStore {
  /** The statements that create the table and its index where they are missing, for a migration. */
  readonly schema: string
  readonly #database: SqliteDatabase
  readonly #statements: Readonly<Record<Name, string>>
  readonly #settings: DedupeSettings
  readonly #prepared = new Map<Name, SqliteStatement>()

  /**
   * @param database Yours. The store never closes it.
   * @throws {Error} for a name that no table can have, and for a time below 0
   */
  constructor(database: SqliteDatabase, options: SqliteDedupeStoreOptions = {}) {
    requireClient(database, 'prepare', 'better-sqlite3 or node:sqlite')
    this.#database = database
    this.#statements = forTable(options.table ?? SQLITE_TABLE, STATEMENTS)
    this.#settings = settingsOf(options)
    this.schema = this.#statements.schema
  }

  /** Creates the table where it is missing. */
  setup(): void {
    this.#database.exec(this.schema)
  }

  begin(id: string): DedupeLease {
    const { lease, holder } = this.#settings
    const token = newToken()
    this.#prepare('prune').run({})
    const row = this.#prepare('begin').get(numbered(id, token, holder, lease))
    const [state, known] = Object.values(row ?? {})
    return leaseOf(state, known, token)
  }

  done(id: string, token: string): void {
    this.#prepare('done').run(numbered(id, token, this.#settings.keep))
  }

  release(id: string, token: string): void {
    this.#prepare('release').run(numbered(id, token))
  }

  /**
   * Marks an event as handled in a transaction of yours, which also holds your work. Both are
   * committed, or neither.
   *
   * For a handler. Give the receiver no store then.
   *
   * @param database The one on which you called BEGIN.
   * @returns Whether the event is new to you. If not, do nothing.
   * @throws {Error} outside of a transaction, where the event would be marked even if your work fails
   */
  once(id: string, database: SqliteDatabase = this.#database): boolean {
    if ((database.inTransaction ?? database.isTransaction) === false) {
      throw new BaseError('Call once() in a transaction of yours.')
    }
    const statement = database.prepare(this.#statements.once)
    return !!statement.get(numbered(id, this.#settings.keep))
  }

  #prepare(name: Name): SqliteStatement {
    const known = this.#prepared.get(name)
    if (known) return known
    const statement = this.#database.prepare(this.#statements[name])
    this.#prepared.set(name, statement)
    return statement
  }
}

/** The values of `?1`, `?2` and so on, which both libraries take as names. */
function numbered(...values: Array<string | number>): Record<string, string | number> {
  return Object.fromEntries(values.map((value, position) => [`${position + 1}`, value]))
}
