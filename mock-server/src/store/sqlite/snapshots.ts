import type { SQLInputValue } from 'node:sqlite'
import type { Leases } from '../leases.ts'
import type { SnapshotStore } from '../store.ts'
import { type Endpoint, isListener, type Sandbox, type Snapshot } from '../types.ts'
import type { Database } from './database.ts'
import type { Endpoints } from './endpoints.ts'
import type { Numbers } from './numbers.ts'
import type { Removals } from './removals.ts'
import type { State } from './state.ts'
import type { Targets } from './targets.ts'

export interface SnapshotsOptions {
  db: Database
  state: State
  endpoints: Endpoints
  leases: Leases
  numbers: Numbers
  removals: Removals
  targets: Targets
  /** Reads a sandbox again. */
  refresh: (sandbox: Sandbox) => Sandbox
  now: () => number
}

type Row = Record<string, SQLInputValue>

/** The rows of a sandbox, by what they are selected with. Those that others refer to come first. */
const TABLES: Readonly<Record<string, string>> = {
  conversations: 'SELECT * FROM conversations WHERE sandbox = ?',
  counts: 'SELECT * FROM counts WHERE sandbox = ?',
  messages: 'SELECT * FROM messages WHERE sandbox = ?',
  sources: 'SELECT * FROM sources WHERE sandbox = ?',
  remembered: 'SELECT * FROM remembered WHERE sandbox = ?',
  endpoints: 'SELECT * FROM endpoints WHERE sandbox = ? ORDER BY number',
  events: 'SELECT * FROM events WHERE sandbox = ? ORDER BY number',
  deliveries: `SELECT d.* FROM deliveries d JOIN endpoints p ON p.number = d.endpoint
    WHERE d.sandbox = ? ORDER BY d.number`,
  attempts: `SELECT a.* FROM attempts a JOIN deliveries d ON d.number = a.delivery
    JOIN endpoints p ON p.number = d.endpoint WHERE d.sandbox = ? ORDER BY a.delivery, a.number`,
}
const OWN = 'SELECT clock_offset, paused, numbers FROM sandboxes WHERE id = ?'

export class Snapshots implements SnapshotStore {
  readonly #options: SnapshotsOptions
  readonly #db: Database

  constructor(options: SnapshotsOptions) {
    this.#options = options
    this.#db = options.db
  }

  async take({ id }: Sandbox, name: string): Promise<Snapshot> {
    const at = this.#options.now()
    this.#db.transaction(() => {
      const tables = Object.entries(TABLES).map(([table, sql]) => [table, this.#db.rows(sql, id)])
      const rows = JSON.stringify({ own: this.#db.row(OWN, id), ...Object.fromEntries(tables) })
      const sql =
        'INSERT OR REPLACE INTO snapshots (sandbox, name, taken_at, rows) VALUES (?, ?, ?, ?)'
      this.#db.run(sql, id, name, at, rows)
    })
    return { name, at }
  }

  async list({ id }: Sandbox): Promise<Snapshot[]> {
    const sql =
      'SELECT name, taken_at AS at FROM snapshots WHERE sandbox = ? ORDER BY taken_at, name'
    return this.#db.rows<Snapshot>(sql, id)
  }

  async restore(sandbox: Sandbox, name: string, kept: readonly Endpoint[]): Promise<boolean> {
    const { leases, numbers, refresh } = this.#options
    const sql = 'SELECT rows FROM snapshots WHERE sandbox = ? AND name = ?'
    const found = this.#db.row<{ rows: string }>(sql, sandbox.id, name)
    if (!found) return false
    const { own, ...tables } = JSON.parse(found.rows) as Record<string, Row[]> & { own: Row }
    const replaced = this.#numbersOf(sandbox)
    this.#db.transaction(() => {
      this.#clear(sandbox)
      this.#fill(sandbox, tables, kept)
      const { clock_offset = 0, paused = 0, numbers = 0 } = own
      const sql = `UPDATE sandboxes SET clock_offset = ?, paused = ?, numbers = ?,
        generation = generation + 1 WHERE id = ?`
      this.#db.run(sql, clock_offset, paused, numbers, sandbox.id)
    })
    leases.drop(replaced)
    numbers.drop(sandbox.id)
    for (const number of this.#numbersOf(sandbox, true)) leases.attend(number, false)
    refresh(sandbox)
    return true
  }

  async remove({ id }: Sandbox, name: string): Promise<boolean> {
    const sql = 'DELETE FROM snapshots WHERE sandbox = ? AND name = ?'
    return this.#db.run(sql, id, name).changes === 1
  }

  #clear(sandbox: Sandbox): void {
    this.#options.state.clear(sandbox)
    for (const table of ['endpoints', 'events']) {
      this.#db.run(`DELETE FROM ${table} WHERE sandbox = ?`, sandbox.id)
    }
  }

  #fill(sandbox: Sandbox, tables: Record<string, Row[]>, kept: readonly Endpoint[]): void {
    const { endpoints, removals } = this.#options
    // The number of an event may be another sandbox's by now.
    const events = new Map<SQLInputValue, number>()
    for (const table of Object.keys(TABLES)) {
      for (const row of tables[table] ?? []) {
        if (table === 'events') {
          const { number = 0, ...event } = row
          events.set(number, this.#insert(table, event))
        } else if (table === 'deliveries') {
          this.#insert(table, { ...row, event: events.get(row.event ?? 0) ?? 0 })
        } else {
          this.#insert(table, row)
        }
      }
    }
    const restored = tables.endpoints ?? []
    if (restored.length > 0) this.#options.targets.expect(sandbox)
    removals.forget(restored.map(({ number }) => Number(number)))
    for (const endpoint of kept) {
      if (!restored.some(({ id }) => id === endpoint.id)) endpoints.insert(sandbox, endpoint)
    }
  }

  #insert(table: string, row: Row): number {
    const names = Object.keys(row)
    const sql = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
    return this.#db.run(sql, ...Object.values(row)).inserted
  }

  /** The numbers of all endpoints, or of the listeners. */
  #numbersOf({ id }: Sandbox, onlyListeners = false): number[] {
    const sql = 'SELECT number, url FROM endpoints WHERE sandbox = ?'
    return this.#db
      .rows<{ number: number; url: string }>(sql, id)
      .filter((one) => !onlyListeners || isListener(one))
      .map(({ number }) => number)
  }
}
