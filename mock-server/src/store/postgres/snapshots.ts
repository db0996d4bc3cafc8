import type { Leases } from '../leases.ts'
import type { SnapshotStore } from '../store.ts'
import type { Endpoint, Sandbox, Snapshot } from '../types.ts'
import type { Database, Queries } from './database.ts'
import type { EndpointRow, Endpoints, Seal } from './endpoints.ts'
import type { Notices } from './notices.ts'
import { CONTENTS, type Sandboxes } from './sandboxes.ts'
import { keepingSpent } from './spent.ts'

export interface SnapshotsOptions {
  db: Database
  sandboxes: Sandboxes
  endpoints: Endpoints
  leases: Leases
  notices: Notices
  now: () => number
}

/** The rows of tables where not all that have the sandbox's number belong to it. */
const OF_ENDPOINTS = `SELECT d.* FROM {deliveries} d JOIN {endpoints} p ON p.number = d.endpoint WHERE d.sandbox = ?`
const ROWS: Readonly<Record<string, string>> = {
  deliveries: OF_ENDPOINTS,
  attempts: `SELECT a.* FROM {attempts} a JOIN (${OF_ENDPOINTS}) d ON d.number = a.delivery AND d.sandbox = a.sandbox`,
  // A request that runs has no response to keep.
  remembered: 'SELECT * FROM {remembered} WHERE sandbox = ? AND status IS NOT NULL',
}
/** With what a reset removes, and a snapshot does not bring back. */
const ALL = [...CONTENTS, 'notes']
const OWN = 'SELECT clock_offset, paused, numbers FROM {sandboxes} WHERE id = ?'

type Rows = { endpoints: EndpointRow[] }

/** The rows of a sandbox as JSON. They stay in the database. */
export class Snapshots implements SnapshotStore {
  readonly #options: SnapshotsOptions
  readonly #db: Database

  constructor(options: SnapshotsOptions) {
    this.#options = options
    this.#db = options.db
  }

  async take({ id }: Sandbox, name: string): Promise<Snapshot> {
    return { name, at: await this.#pack(this.#db, id, name, CONTENTS) }
  }

  /** Keeps the rows of a sandbox, as a part of a transaction, also those that a restore leaves as they are. */
  async pack(queries: Queries, { id }: Pick<Sandbox, 'id'>, name: string): Promise<void> {
    await this.#pack(queries, id, name, ALL)
  }

  /** Brings back what was packed, as a part of a transaction. */
  async unpack(queries: Queries, sandbox: Sandbox, name: string): Promise<void> {
    await this.#restore(queries, sandbox, name, [], ALL)
  }

  async #pack(queries: Queries, id: number, name: string, tables: readonly string[]) {
    const at = this.#options.now()
    const parts = tables.map((table) => {
      const rows = ROWS[table] ?? `SELECT * FROM {${table}} WHERE sandbox = ?`
      return `'${table}', coalesce((SELECT json_agg(t) FROM (${rows}) AS t), '[]')`
    })
    // One statement, so that all rows are of one moment.
    await queries.run(
      `INSERT INTO {snapshots} (sandbox, name, taken_at, rows) SELECT ?::bigint, ?, ?::bigint, json_build_object(
         'own', (SELECT row_to_json(t) FROM (${OWN}) AS t), ${parts.join(', ')})
       ON CONFLICT (sandbox, name) DO UPDATE SET taken_at = excluded.taken_at, rows = excluded.rows`,
      id,
      name,
      at,
      id,
      ...tables.map(() => id),
    )
    return at
  }

  async list({ id }: Sandbox): Promise<Snapshot[]> {
    const sql =
      'SELECT name, taken_at AS at FROM {snapshots} WHERE sandbox = ? ORDER BY taken_at, name'
    return this.#db.rows<Snapshot>(sql, id)
  }

  async restore(sandbox: Sandbox, name: string, kept: readonly Endpoint[]): Promise<boolean> {
    const { leases, notices, endpoints, now } = this.#options
    const gone = await this.#db.transaction(async (queries) => {
      const sql = 'SELECT 1 FROM {snapshots} WHERE sandbox = ? AND name = ? FOR UPDATE'
      if (!(await queries.row(sql, sandbox.id, name))) return null
      const restore = () => this.#restore(queries, sandbox, name, kept, CONTENTS)
      return keepingSpent(queries, sandbox, now(), restore)
    })
    if (!gone) return false
    leases.drop(gone)
    await endpoints.refreshDue(sandbox)
    notices.changed(sandbox.id)
    return true
  }

  async remove({ id }: Sandbox, name: string): Promise<boolean> {
    const sql = 'DELETE FROM {snapshots} WHERE sandbox = ? AND name = ?'
    return (await this.#db.run(sql, id, name)) === 1
  }

  /** Seals the secrets in snapshots again that are not sealed as they would be now. */
  async reseal(cipher: Seal): Promise<void> {
    interface Row {
      sandbox: number
      name: string
      taken_at: number
      secrets: string[]
    }
    const all = await this.#db.rows<Row>(
      `SELECT sandbox, name, taken_at,
         ARRAY(SELECT e ->> 'secret' FROM json_array_elements(rows -> 'endpoints') AS e) AS secrets
       FROM {snapshots}`,
    )
    const own = 'sandbox = ? AND name = ? AND taken_at = ?'
    for (const { sandbox, name, taken_at: at, secrets } of all) {
      if (secrets.every((secret) => cipher.isCurrent(secret))) continue
      const sql = `SELECT rows FROM {snapshots} WHERE ${own}`
      const found = await this.#db.row<{ rows: Rows }>(sql, sandbox, name, at)
      if (!found) continue
      for (const endpoint of found.rows.endpoints) {
        endpoint.secret = cipher.seal(cipher.open(endpoint.secret))
      }
      const rows = JSON.stringify(found.rows)
      await this.#db.run(`UPDATE {snapshots} SET rows = ? WHERE ${own}`, rows, sandbox, name, at)
    }
  }

  async #restore(
    queries: Queries,
    sandbox: Sandbox,
    name: string,
    kept: readonly Endpoint[],
    tables: readonly string[],
  ): Promise<number[]> {
    const { sandboxes, endpoints } = this.#options
    await queries.run(
      `UPDATE {sandboxes} s SET clock_offset = o.clock_offset, paused = o.paused, numbers = o.numbers,
         generation = generation + 1
       FROM {snapshots} c, json_to_record(c.rows -> 'own')
         AS o (clock_offset bigint, paused boolean, numbers bigint)
       WHERE s.id = ? AND c.sandbox = s.id AND c.name = ?`,
      sandbox.id,
      name,
    )
    const gone = await sandboxes.empty(queries, sandbox)
    for (const table of tables) {
      await queries.run(
        `INSERT INTO {${table}} SELECT r.* FROM {snapshots} c,
           json_populate_recordset(NULL::{${table}}, c.rows -> '${table}') AS r
         WHERE c.sandbox = ? AND c.name = ? ON CONFLICT DO NOTHING`,
        sandbox.id,
        name,
      )
    }
    await queries.run(
      'UPDATE {endpoints} SET owner = NULL, attendant = NULL WHERE sandbox = ?',
      sandbox.id,
    )
    await queries.run(
      `DELETE FROM {removed_endpoints} WHERE sandbox = ?
         AND number IN (SELECT number FROM {endpoints} WHERE sandbox = ?)`,
      sandbox.id,
      sandbox.id,
    )
    const sql = 'SELECT id FROM {endpoints} WHERE sandbox = ?'
    const restored = new Set(
      (await queries.rows<{ id: string }>(sql, sandbox.id)).map(({ id }) => id),
    )
    await endpoints.insert(
      queries,
      sandbox,
      kept.filter(({ id }) => !restored.has(id)),
    )
    return gone
  }
}
