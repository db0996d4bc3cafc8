import { readdirSync, readFileSync } from 'node:fs'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { SQLITE_MIGRATIONS } from '../../assets.ts'
import { StoreError } from '../types.ts'
import { type Connection, DatabaseSync } from './module.ts'

/** How many rows are removed at once. */
export const PRUNED = 1000

const PROBE = `CREATE TABLE probe (bytes BLOB);
  INSERT INTO probe VALUES (zeroblob(65536));
  DROP TABLE probe`

type Row = Record<string, unknown>

/** A SQLite file of which this process is the only user. */
export class Database {
  readonly #db: Connection
  readonly #file: string
  readonly #statements = new Map<string, StatementSync>()
  /** Whether the file failed since the last transaction that succeeded. */
  #isFailing = false

  /**
   * @param file A path, or `:memory:`.
   * @param isDurable Whether committed data also survives a power failure.
   * @throws {StoreError} where the file is in use, is no database or comes from a newer version.
   */
  constructor(file: string, isDurable: boolean) {
    this.#file = file
    this.#db = this.#explained(() => new DatabaseSync(file))
    try {
      // Held until the process ends, however it ends.
      this.#db.exec('PRAGMA locking_mode = EXCLUSIVE')
      this.#db.exec('PRAGMA journal_mode = WAL')
      this.#db.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`)
      this.#db.exec('PRAGMA foreign_keys = ON')
      this.#db.exec('PRAGMA wal_autocheckpoint = 10000')
      this.#db.exec('PRAGMA cache_size = -65536')
      this.#migrate()
    } catch (error) {
      this.close()
      throw explained(error, file)
    }
  }

  #migrate(): void {
    const files = readdirSync(SQLITE_MIGRATIONS)
      .filter((name) => name.endsWith('.sql'))
      .sort()
    const version = Number(this.row('PRAGMA user_version')?.user_version)
    if (version > files.length) {
      throw new StoreError(
        'The data comes from a newer version of this mock server. Update it, or name another --data-dir.',
      )
    }
    this.transaction(() => {
      for (const name of files.slice(version)) {
        this.#db.exec(readFileSync(fileURLToPath(new URL(name, SQLITE_MIGRATIONS)), 'utf8'))
      }
      this.#db.exec(`PRAGMA user_version = ${files.length}`)
    })
  }

  row<T = Row>(sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.#explained(() => this.#prepared(sql).get(...values) as T | undefined)
  }

  rows<T = Row>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#explained(() => this.#prepared(sql).all(...values) as T[])
  }

  /** @returns How many rows were changed, and the number of the last new one. */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; inserted: number } {
    const { changes, lastInsertRowid } = this.#explained(() => this.#prepared(sql).run(...values))
    return { changes: Number(changes), inserted: Number(lastInsertRowid) }
  }

  /** Runs work as a transaction. One within another is a part of that. */
  transaction<T>(work: () => T): T {
    if (this.#db.isTransaction) return work()
    return this.#explained(() => {
      this.#db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        this.#db.exec('COMMIT')
        this.#isFailing = false
        return result
      } finally {
        // SQLite rolls some failed transactions back by itself.
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      }
    })
  }

  /** @throws {StoreError} where the file cannot be read, or could not be written and still cannot. */
  check(): void {
    this.row('SELECT 1 FROM sandboxes LIMIT 1')
    if (!this.#isFailing) return
    // As large as what a request writes.
    this.transaction(() => this.#db.exec(PROBE))
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close()
  }

  /** @throws {StoreError} where the file is the reason. */
  #explained<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const cause = explained(error, this.#file)
      if (cause instanceof StoreError) this.#isFailing = true
      throw cause
    }
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

const ELSEWHERE = 'start with another --data-dir (or --memory)'

/** What is wrong with the file and what to do, by SQLite's primary result code. */
const CAUSES: Record<number, string> = {
  5: `is in use by another mock server. Stop that one, or ${ELSEWHERE}.`,
  8: `cannot be written. Allow this user to write it, or ${ELSEWHERE}.`,
  10: `cannot be read or written. Check the disk, or ${ELSEWHERE}.`,
  11: `is damaged. Move it away, or ${ELSEWHERE}.`,
  13: `cannot grow: the disk is full. Free some space, or ${ELSEWHERE}.`,
  14: `cannot be opened. Name a folder that can be written, or ${ELSEWHERE}.`,
  26: `is not a database. Move it away, or ${ELSEWHERE}.`,
}

/** The error as it is, where the file is not the reason. */
function explained(error: unknown, file: string): unknown {
  const { errcode = 0 } = error as { errcode?: number }
  const cause = CAUSES[errcode & 0xff]
  return cause ? new StoreError(`${file} ${cause}`, { cause: error }) : error
}
