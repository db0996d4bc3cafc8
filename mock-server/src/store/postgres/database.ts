/** Statements on a pool of connections. None has a name, and no connection keeps a state: a pooler may stand in between. */
import pg, { type PoolClient, type PoolConfig, type QueryResult } from 'pg'
import type { Connections } from '../store.ts'
import { failureOf } from './failures.ts'

export type Row = Record<string, unknown>

/** In a statement, `{name}` is a table of the schema, and each `?` stands for the next value. */
export interface Queries {
  row<T = Row>(sql: string, ...values: readonly unknown[]): Promise<T | undefined>
  rows<T = Row>(sql: string, ...values: readonly unknown[]): Promise<T[]>
  /** @returns how many rows were changed. */
  run(sql: string, ...values: readonly unknown[]): Promise<number>
}

/** Errors after which the same work may succeed: PostgreSQL rolled it back in favour of another. */
const REPEATABLE = new Set(['40001', '40P01'])
const MAX_REPEATS = 5

export class Database implements Queries {
  readonly schema: string
  readonly #pool: pg.Pool
  readonly #onError: (error: Error) => void
  readonly #texts = new Map<string, string>()

  constructor(config: PoolConfig, schema: string, onError: (error: Error) => void) {
    this.schema = schema
    this.#onError = onError
    this.#pool = new pg.Pool({ ...config, types: { getTypeParser } })
    // An idle connection that ends, as when PostgreSQL restarts. The next statement gets another one.
    this.#pool.on('error', onError)
  }

  get connections(): Connections {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool
    return { active: total - idle, idle, waiting }
  }

  async row<T = Row>(sql: string, ...values: readonly unknown[]): Promise<T | undefined> {
    return (await this.rows<T>(sql, ...values))[0]
  }

  async rows<T = Row>(sql: string, ...values: readonly unknown[]): Promise<T[]> {
    if (values.some(isUnknown)) return []
    return (await this.#query(sql, values)).rows as T[]
  }

  async run(sql: string, ...values: readonly unknown[]): Promise<number> {
    if (values.some(isUnknown)) return 0
    return (await this.#query(sql, values)).rowCount ?? 0
  }

  /** Runs several statements without parameters. */
  async script(sql: string): Promise<void> {
    await told(() => this.#pool.query(this.#named(sql)))
  }

  /** Runs work as a transaction. It may run again, so it changes nothing but the database. */
  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return told(async () => {
      const client = await this.#pool.connect()
      // The pool does not listen while a connection is in use. One that ends between two statements must not end the process.
      client.on('error', this.#onError)
      let failure: Error | undefined
      try {
        await client.query('BEGIN')
        const result = await work(this.#on(client))
        await client.query('COMMIT')
        return result
      } catch (error) {
        failure = error as Error
        await client.query('ROLLBACK').then(
          () => (failure = undefined),
          () => {},
        )
        throw error
      } finally {
        if (!failure) client.off('error', this.#onError)
        // A connection that could not roll back is not used again.
        client.release(failure)
      }
    })
  }

  end(): Promise<void> {
    return this.#pool.end()
  }

  #on(client: PoolClient): Queries {
    const query = async (sql: string, values: readonly unknown[]): Promise<QueryResult | null> =>
      values.some(isUnknown) ? null : client.query(this.#named(sql), values as unknown[])
    return {
      row: async <T>(sql: string, ...values: readonly unknown[]) =>
        (await query(sql, values))?.rows[0] as T | undefined,
      rows: async <T>(sql: string, ...values: readonly unknown[]) =>
        ((await query(sql, values))?.rows ?? []) as T[],
      run: async (sql, ...values) => (await query(sql, values))?.rowCount ?? 0,
    }
  }

  #query(sql: string, values: readonly unknown[]): Promise<QueryResult> {
    return told(() => this.#pool.query(this.#named(sql), values as unknown[]))
  }

  /** The statement as PostgreSQL reads it. */
  #named(sql: string): string {
    const known = this.#texts.get(sql)
    if (known !== undefined) return known
    let parameter = 0
    const text = sql
      .replace(/\{(\w+)\}/g, (_, table: string) => `${quoted(this.schema)}.${table}`)
      .replace(/\?/g, () => `$${++parameter}`)
    this.#texts.set(sql, text)
    return text
  }
}

/** Whether no row can have a value: PostgreSQL stores no U+0000, and refuses a statement with one. */
function isUnknown(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0')
}

/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return pg.escapeIdentifier(name)
}

/** Repeats what may succeed then, and says which failures are those of the database. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await repeated(work)
  } catch (error) {
    throw failureOf(error)
  }
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await work()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!REPEATABLE.has(code) || repeats === MAX_REPEATS) throw error
    }
  }
}

/** The types of `bigint` and `bigint[]`. */
const BIGINT = 20
const BIGINTS = 1016

/** Numbers up to 2⁵³ are numbers. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const parse = pg.types.getTypeParser(oid, format as 'text')
  if (oid === BIGINT) return Number
  return oid === BIGINTS ? (text: string) => parse(text).map(Number) : parse
}
