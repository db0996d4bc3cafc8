import { BaseError } from '../generated/names.js'
import {
  POSTGRES_BEGIN,
  POSTGRES_DONE,
  POSTGRES_ONCE,
  POSTGRES_RELEASE,
  POSTGRES_SCHEMA,
  POSTGRES_TABLE,
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

/** A pool or a client of pg, or anything else with this method. */
export interface PgClient {
  query(text: string, values?: Array<string | number>): Promise<{ rows: object[] }>
}

/** The `sql` of postgres.js, or that of its `begin`. */
export interface PostgresJsClient {
  unsafe(
    text: string,
    values?: Array<string | number>,
    options?: { prepare?: boolean },
  ): PromiseLike<readonly object[]>
}

/** The options of a `PostgresDedupeStore`. */
export type PostgresDedupeStoreOptions = DedupeTableOptions

const STATEMENTS = {
  schema: POSTGRES_SCHEMA,
  begin: POSTGRES_BEGIN,
  done: POSTGRES_DONE,
  release: POSTGRES_RELEASE,
  once: POSTGRES_ONCE,
}

/**
 * Remembers events in a table of PostgreSQL 13 or newer, for all processes that share it. Rows expire
 * by the clock of PostgreSQL, and `begin` deletes them, a few at a time.
 */
export class PostgresDedupeStore implements DedupeStore {
  /** The statements that create the table and its index where they are missing, for a migration. */
  readonly schema: string
  readonly #client: PgClient | PostgresJsClient
  readonly #statements: Readonly<Record<keyof typeof STATEMENTS, string>>
  readonly #settings: DedupeSettings

  /**
   * @param client Yours, connected. The store never closes it.
   * @throws {Error} for a name that no table can have, and for a time below 0
   */
  constructor(client: PgClient | PostgresJsClient, options: PostgresDedupeStoreOptions = {}) {
    const method = typeof client === 'function' ? 'unsafe' : 'query'
    requireClient(client, method, 'pg or postgres.js')
    this.#client = client
    this.#statements = forTable(options.table ?? POSTGRES_TABLE, STATEMENTS)
    this.#settings = settingsOf(options)
    this.schema = this.#statements.schema
  }

  /** Creates the table where it is missing. Processes may call it at the same time. */
  async setup(): Promise<void> {
    for (const statement of this.schema.split(';')) {
      if (statement.trim()) await this.#create(statement)
    }
  }

  async #create(statement: string): Promise<void> {
    try {
      await query(this.#client, statement)
    } catch (error) {
      // `IF NOT EXISTS` does not see what another transaction is about to create.
      if (!EXISTS.includes((error as { code?: unknown } | null)?.code)) throw error
      await query(this.#client, statement)
    }
  }

  async begin(id: string): Promise<DedupeLease> {
    const { lease, holder } = this.#settings
    const token = newToken()
    const [row] = await query(this.#client, this.#statements.begin, id, token, holder, lease)
    const [state, known] = Object.values(row ?? {})
    return leaseOf(state, known, token)
  }

  async done(id: string, token: string): Promise<void> {
    await query(this.#client, this.#statements.done, id, token, this.#settings.keep)
  }

  async release(id: string, token: string): Promise<void> {
    await query(this.#client, this.#statements.release, id, token)
  }

  /**
   * Marks an event as handled in a transaction of yours, which also holds your work. Both are
   * committed, or neither. A concurrent call for the same event waits for the end of the transaction.
   *
   * For a handler. Give the receiver no store then.
   *
   * @param transaction The client on which you called BEGIN, or the `sql` of postgres.js's `begin`.
   * @returns Whether the event is new to you. If not, do nothing.
   * @throws {Error} for a pool, on which the event would be marked even if your work fails
   */
  async once(id: string, transaction: PgClient | PostgresJsClient): Promise<boolean> {
    // A pool of pg counts its clients, and the `sql` of postgres.js begins transactions.
    if (!transaction || 'totalCount' in transaction || 'begin' in transaction) {
      throw new BaseError('Pass once() the connection of your transaction, not the pool.')
    }
    const rows = await query(transaction, this.#statements.once, id, this.#settings.keep)
    return rows.length > 0
  }
}

/** `unique_violation` of a catalogue, `duplicate_object` of a row type, and `duplicate_table`. */
const EXISTS: readonly unknown[] = ['23505', '42710', '42P07']

async function query(
  client: PgClient | PostgresJsClient,
  text: string,
  ...values: Array<string | number>
): Promise<readonly object[]> {
  // What creates a table runs once, so it is not worth preparing.
  if (values.length === 0) {
    return 'unsafe' in client ? await client.unsafe(text) : (await client.query(text)).rows
  }
  // As postgres.js does with its templates, unless the connection is set up without it.
  return 'unsafe' in client
    ? await client.unsafe(text, values, { prepare: true })
    : (await client.query(text, values)).rows
}
