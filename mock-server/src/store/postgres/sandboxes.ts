import { lastNumber } from '../ids.ts'
import type { Leases } from '../leases.ts'
import { type SandboxRow, sandboxOf } from '../rows.ts'
import type { SandboxStore } from '../store.ts'
import type { Due, Sandbox, Seed } from '../types.ts'
import type { Database, Queries } from './database.ts'
import { ELIGIBLE } from './due.ts'
import type { Endpoints } from './endpoints.ts'
import type { Notices } from './notices.ts'
import { alive } from './replicas.ts'
import { keepingSpent } from './spent.ts'
import type { State } from './state.ts'

export interface SandboxesOptions {
  db: Database
  state: State
  endpoints: Endpoints
  leases: Leases
  notices: Notices
  /** The most sandboxes that are kept. */
  capacity: number
  /** How exactly the time of their last use is known, in milliseconds. */
  precision: number
  now: () => number
  /** Brings a sandbox back that was archived. @returns whether there is one */
  revive: (key: string) => Promise<boolean>
}

/** The tables of a sandbox's contents, in the order in which they are emptied. */
export const CONTENTS = [
  'conversations',
  'counts',
  'messages',
  'sources',
  'remembered',
  'endpoints',
  'events',
  'deliveries',
  'attempts',
]

export const ROW = 'id, clock_offset, generation'

/** The key of an archived sandbox. No key that is sent has a space. */
export function archived(key: string): string {
  return `archived ${key}`
}

export class Sandboxes implements SandboxStore {
  readonly #options: SandboxesOptions
  readonly #db: Database

  constructor(options: SandboxesOptions) {
    this.#options = options
    this.#db = options.db
  }

  async count(): Promise<number> {
    const sql = 'SELECT count(*)::int AS count FROM {sandboxes}'
    return (await this.#db.row<{ count: number }>(sql))?.count ?? 0
  }

  async revision(key: string): Promise<string | null> {
    const sql = 'SELECT revision FROM {sandboxes} WHERE key = ?'
    const find = (key: string) => this.#db.row<{ revision: string | null }>(sql, key)
    return ((await find(key)) ?? (await find(archived(key))))?.revision ?? null
  }

  async choose({ id }: Sandbox, revision: string | null): Promise<void> {
    await this.#db.run('UPDATE {sandboxes} SET revision = ? WHERE id = ?', revision, id)
  }

  async get(key: string, seed: () => Seed): Promise<Sandbox | null> {
    const sql = `SELECT ${ROW}, used_at, EXISTS (SELECT 1 FROM {notes} n WHERE n.sandbox = s.id) AS notes
      FROM {sandboxes} s WHERE key = ?`
    const known = await this.#db.row<SandboxRow & { used_at: number }>(sql, key)
    const { now, precision, revive } = this.#options
    if (!known) return (await revive(key)) ? this.get(key, seed) : this.#create(key, seed())
    const isFresh = now() - known.used_at < precision
    return isFresh || (await this.#use(known.id)) ? sandboxOf(known) : this.get(key, seed)
  }

  async reset(sandbox: Sandbox, seed: Seed): Promise<void> {
    const { leases, notices, now } = this.#options
    const gone = await this.#db.transaction(async (queries) => {
      const sql = `UPDATE {sandboxes} SET clock_offset = 0, paused = false, numbers = 0,
        generation = generation + 1 WHERE id = ?`
      await queries.run(sql, sandbox.id)
      const empty = () => this.empty(queries, sandbox)
      const numbers = await keepingSpent(queries, sandbox, now(), empty)
      await this.#fill(queries, sandbox, seed)
      return numbers
    })
    leases.drop(gone)
    notices.changed(sandbox.id)
  }

  async advance(sandbox: Sandbox, ms: number): Promise<Sandbox> {
    const { notices } = this.#options
    const { current, endpoints } = await this.#db.transaction(async (queries) => {
      const moved = await queries.row<SandboxRow>(
        `UPDATE {sandboxes} SET clock_offset = clock_offset + ? WHERE id = ? AND generation = ?
         RETURNING ${ROW}`,
        ms,
        sandbox.id,
        sandbox.generation,
      )
      if (!moved) {
        const sql = `SELECT ${ROW} FROM {sandboxes} WHERE id = ?`
        return { current: await queries.row<SandboxRow>(sql, sandbox.id), endpoints: [] }
      }
      const sources = 'UPDATE {sources} SET due = due - ? WHERE sandbox = ? AND due IS NOT NULL'
      await queries.run(sources, ms, sandbox.id)
      const endpoints = await queries.rows<{ number: number }>(
        `UPDATE {endpoints} SET due = due - ? WHERE sandbox = ? AND due IS NOT NULL RETURNING number`,
        ms,
        sandbox.id,
      )
      return { current: moved, endpoints }
    })
    if (!current) throw new Error('the sandbox is gone')
    notices.due(endpoints.map(({ number }) => number))
    return sandboxOf(current)
  }

  async isPaused({ id }: Sandbox): Promise<boolean> {
    const sql = 'SELECT paused FROM {sandboxes} WHERE id = ?'
    return (await this.#db.row<{ paused: boolean }>(sql, id))?.paused === true
  }

  async pause(sandbox: Sandbox, isPaused: boolean): Promise<void> {
    const { endpoints, notices } = this.#options
    await this.#db.run('UPDATE {sandboxes} SET paused = ? WHERE id = ?', isPaused, sandbox.id)
    if (isPaused) notices.changed(sandbox.id)
    else await endpoints.refreshDue(sandbox)
  }

  async dues({ id }: Sandbox, endpoints?: readonly number[]): Promise<Due[]> {
    const sources = 'SELECT min(due) AS due FROM {sources} WHERE sandbox = ? AND due IS NOT NULL'
    const due = (await this.#db.row<{ due: number | null }>(sources, id))?.due ?? null
    const deliveries = await this.#db.rows<Due>(
      `SELECT p.number AS endpoint, d.due - s.clock_offset AS due
       FROM {endpoints} p JOIN {sandboxes} s ON s.id = p.sandbox
         CROSS JOIN LATERAL (SELECT due FROM {deliveries} d
           WHERE d.endpoint = p.number AND ${ELIGIBLE} ORDER BY d.due LIMIT 1) AS d
       WHERE p.sandbox = ? AND (NOT p.listener OR ${alive('p.attendant')})
         ${endpoints ? 'AND p.number = ANY(?)' : ''}`,
      id,
      ...(endpoints ? [endpoints] : []),
    )
    return [...(due === null ? [] : [{ endpoint: null, due }]), ...deliveries]
  }

  /** Removes the contents of a sandbox, as a part of a transaction. @returns the endpoints it had */
  async empty(queries: Queries, { id }: Pick<Sandbox, 'id'>): Promise<number[]> {
    const sql = 'SELECT number FROM {endpoints} WHERE sandbox = ? ORDER BY number FOR UPDATE'
    const endpoints = await queries.rows<{ number: number }>(sql, id)
    await queries.run('DELETE FROM {notes} WHERE sandbox = ?', id)
    for (const table of CONTENTS) {
      // A request that runs keeps its claim of an idempotency key.
      const which = table === 'remembered' ? 'AND status IS NOT NULL' : ''
      await queries.run(`DELETE FROM {${table}} WHERE sandbox = ? ${which}`, id)
    }
    return endpoints.map(({ number }) => number)
  }

  async #create(key: string, seed: Seed): Promise<Sandbox | null> {
    const { capacity, now } = this.#options
    return this.#db.transaction(async (queries) => {
      const sql = 'SELECT count(*)::int AS count FROM {sandboxes}'
      const isBounded = Number.isFinite(capacity)
      const { count = 0 } = (isBounded && (await queries.row<{ count: number }>(sql))) || {}
      if (count >= capacity && !(await this.#makeRoom(queries))) return null
      const added = await queries.row<SandboxRow>(
        `INSERT INTO {sandboxes} (key, used_at) VALUES (?, ?) ON CONFLICT (key) DO NOTHING RETURNING ${ROW}`,
        key,
        now(),
      )
      if (added) {
        await this.#fill(queries, sandboxOf(added), seed)
        return sandboxOf(added)
      }
      // Another process made it meanwhile.
      const other = await queries.row<SandboxRow>(
        `SELECT ${ROW} FROM {sandboxes} WHERE key = ?`,
        key,
      )
      return other ? sandboxOf(other) : null
    })
  }

  /** Removes the least recently used sandbox in which nothing waits. @returns whether there is one. */
  async #makeRoom(queries: Queries): Promise<boolean> {
    const least = await queries.row<{ id: number }>(
      `SELECT id FROM {sandboxes} s WHERE NOT EXISTS (
         SELECT 1 FROM {deliveries} d JOIN {endpoints} p ON p.number = d.endpoint
         WHERE d.sandbox = s.id AND d.state IN ('pending', 'dead'))
       ORDER BY used_at, uses LIMIT 1 FOR UPDATE`,
    )
    if (least) await this.remove(queries, least)
    return least !== undefined
  }

  /** Removes all that a sandbox has but its snapshots, as a part of a transaction. */
  async clear(queries: Queries, sandbox: Pick<Sandbox, 'id'>): Promise<void> {
    await this.empty(queries, sandbox)
    for (const table of ['remembered', 'removed_endpoints', 'locks']) {
      await queries.run(`DELETE FROM {${table}} WHERE sandbox = ?`, sandbox.id)
    }
  }

  /** Removes a sandbox with all that it has, as a part of a transaction. */
  async remove(queries: Queries, sandbox: Pick<Sandbox, 'id'>): Promise<void> {
    await this.clear(queries, sandbox)
    await queries.run('DELETE FROM {snapshots} WHERE sandbox = ?', sandbox.id)
    await queries.run('DELETE FROM {sandboxes} WHERE id = ?', sandbox.id)
  }

  /** @returns false where it has been archived meanwhile */
  async #use(id: number): Promise<boolean> {
    const sql = `UPDATE {sandboxes} SET used_at = ?,
      uses = nextval(pg_get_serial_sequence('{sandboxes}', 'uses')) WHERE id = ? AND archived_at IS NULL`
    return (await this.#db.run(sql, this.#options.now(), id)) === 1
  }

  async #fill(queries: Queries, sandbox: Sandbox, seed: Seed): Promise<void> {
    const { state, endpoints } = this.#options
    await state.seed(queries, sandbox, seed)
    await endpoints.insert(queries, sandbox, seed.endpoints)
    const sql = 'UPDATE {sandboxes} SET numbers = ? WHERE id = ?'
    await queries.run(sql, lastNumber(sandbox, seed), sandbox.id)
  }
}
