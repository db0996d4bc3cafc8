/**
 * Archives sandboxes that nobody uses: the rows of one become JSON in a single row, as those of a snapshot do. The
 * sandbox keeps its number, its clock and its snapshots, and comes back with the next request that wants it.
 */
import { type SandboxRow, sandboxOf } from '../rows.ts'
import type { Database, Queries } from './database.ts'
import { archived, ROW, type Sandboxes } from './sandboxes.ts'
import type { Snapshots } from './snapshots.ts'

export interface ArchivesOptions {
  db: Database
  sandboxes: Sandboxes
  snapshots: Snapshots
  now: () => number
  /** Called where one cannot be archived. It stays as it is. */
  onError: (error: Error) => void
}

/** Snapshots that integrators take have a name. */
const NAME = ''
/** How many sandboxes are looked at in a step. */
const STEP = 100
/** Those that may be archived: a pending delivery keeps a sandbox. */
const IDLE = `s.archived_at IS NULL AND s.used_at < ? AND NOT EXISTS (
  SELECT 1 FROM {deliveries} d WHERE d.sandbox = s.id AND d.state = 'pending')`

export class Archives {
  readonly #options: ArchivesOptions
  readonly #db: Database

  constructor(options: ArchivesOptions) {
    this.#options = options
    this.#db = options.db
  }

  /** Archives the sandboxes that nobody has used since a time. @returns how many */
  async archiveIdle(before: number): Promise<number> {
    if (before === Number.NEGATIVE_INFINITY) return 0
    const sql = `SELECT s.id, s.used_at FROM {sandboxes} s WHERE ${IDLE} AND (s.used_at, s.id) > (?, ?)
      ORDER BY s.used_at, s.id LIMIT ${STEP}`
    let last = { used_at: -1, id: -1 }
    for (let count = 0; ; ) {
      const idle = await this.#db.rows<typeof last>(sql, before, last.used_at, last.id)
      for (const { id } of idle) if (await this.#tryOne(id, before)) count += 1
      last = idle.at(-1) ?? last
      if (idle.length < STEP) return count
    }
  }

  /** Removes the sandboxes that were archived before a time, with their snapshots. @returns how many */
  async removeOld(before: number): Promise<number> {
    if (before === Number.NEGATIVE_INFINITY) return 0
    const removeOne = () =>
      this.#db.transaction(async (queries) => {
        const sql = `SELECT id FROM {sandboxes} WHERE archived_at < ?
          ORDER BY archived_at LIMIT 1 FOR UPDATE SKIP LOCKED`
        const old = await queries.row<{ id: number }>(sql, before)
        if (old) await this.#options.sandboxes.remove(queries, old)
        return old !== undefined
      })
    let removed = 0
    while (await removeOne()) removed += 1
    return removed
  }

  /** Brings a sandbox back. @returns whether it was archived */
  revive(key: string): Promise<boolean> {
    const { snapshots, now } = this.#options
    return this.#db.transaction(async (queries) => {
      // Another process that does the same waits here, and then finds none.
      const row = await queries.row<SandboxRow>(
        `UPDATE {sandboxes} SET key = ?, archived_at = NULL, used_at = ? WHERE key = ? RETURNING ${ROW}`,
        key,
        now(),
        archived(key),
      )
      if (!row) return false
      await snapshots.unpack(queries, sandboxOf(row), NAME)
      await queries.run('DELETE FROM {snapshots} WHERE sandbox = ? AND name = ?', row.id, NAME)
      return true
    })
  }

  /** One that fails keeps no other from being archived. */
  async #tryOne(id: number, before: number): Promise<boolean> {
    try {
      return await this.#db.transaction((queries) => this.#archive(queries, id, before))
    } catch (error) {
      const { message } = error as Error
      this.#options.onError(new Error(`a sandbox could not be archived: ${message}`))
      return false
    }
  }

  async #archive(queries: Queries, id: number, before: number): Promise<boolean> {
    const { sandboxes, snapshots, now } = this.#options
    const sql = `SELECT s.id, s.key FROM {sandboxes} s WHERE s.id = ? AND ${IDLE} FOR UPDATE OF s SKIP LOCKED`
    const idle = await queries.row<{ id: number; key: string }>(sql, id, before)
    if (!idle) return false
    // Made while a process of an older version did not find this one.
    const older = 'SELECT id FROM {sandboxes} WHERE key = ? FOR UPDATE'
    const replaced = await queries.row<{ id: number }>(older, archived(idle.key))
    if (replaced) await sandboxes.remove(queries, replaced)
    await snapshots.pack(queries, idle, NAME)
    await sandboxes.clear(queries, idle)
    const keep = 'UPDATE {sandboxes} SET key = ?, archived_at = ? WHERE id = ?'
    await queries.run(keep, archived(idle.key), now(), id)
    return true
  }
}
