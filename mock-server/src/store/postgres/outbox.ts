/** Deliveries and sources that wait for their time. */
import { idOf } from '../delivery-ids.ts'
import type { Leases } from '../leases.ts'
import { type SandboxRow, sandboxOf } from '../rows.ts'
import type { Backlog, Observer, OutboxStore } from '../store.ts'
import type { Job, Outcome, Sandbox, Source } from '../types.ts'
import type { Database } from './database.ts'
import { ELIGIBLE, FIRST_DUE } from './due.ts'
import type { EndpointRow, Endpoints } from './endpoints.ts'
import { encoded } from './free-text.ts'
import type { Notices } from './notices.ts'
import { alive, free, type Replicas } from './replicas.ts'

interface JobRow extends EndpointRow {
  number: number
  attempted: number
  cycle: number
  event: string
  kind: string
  body: string
  followed: string | null
  trace: string | null
  sandbox: number
  clock_offset: number
  generation: number
}

export interface OutboxOptions {
  db: Database
  leases: Leases
  replicas: Replicas
  notices: Notices
  endpoints: Endpoints
  /** Whether this process delivers to endpoints, besides its own listeners. */
  delivers: boolean
  /** How often to look for what no notice told of, in milliseconds. @default 1,000 */
  poll?: number | undefined
  now: () => number
}

/** How many deliveries are read at once: what was read is not what is true for long. */
const MOST_JOBS = 50
/** How many due deliveries are counted. */
const MOST_DUE = 10_000
/** How many endpoints one look takes, so that each process gets its share. */
const SHARE = 6
/** How often to look for what no notice told of, in milliseconds. */
const POLL = 1_000

export class Outbox implements OutboxStore {
  readonly #options: OutboxOptions
  readonly #db: Database
  /** The deliveries that this process has claimed, of the endpoints that it owns. */
  readonly #leases: Leases
  readonly #owned = new Set<number>()
  /** Whether there may be more endpoints with something due than the last look took. */
  #hasMore = false
  /** Whether this process may work on an endpoint `p`, in SQL. A listener belongs to the process that has its consumers. */
  readonly #attended: string
  /** Endpoints that this process gave something to attempt, and whose owner may not know. */
  readonly #given = new Set<number>()
  #observer: Observer | undefined
  #poll: NodeJS.Timeout | undefined

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#db = options.db
    this.#leases = options.leases
    this.#attended = options.delivers ? ATTENDED : OWN_LISTENER
  }

  get isPresent(): boolean {
    return this.#options.replicas.isPresent
  }

  get observer(): Observer | undefined {
    return this.#observer
  }

  watch(observer: Observer): void {
    this.#observer = observer
    const { poll = POLL } = this.#options
    this.#poll = setInterval(() => void this.look(), poll).unref()
  }

  stop(): void {
    clearInterval(this.#poll)
  }

  /** Looks for what no notice told of. */
  async look(): Promise<void> {
    try {
      const found = await this.endpointNumbers()
      if (found.length > 0) this.#observer?.due(found)
    } catch {
      // The heartbeat fails too, and says so.
    }
  }

  /** Frees all that this process has. */
  async leaveAll(): Promise<void> {
    await this.leave([...this.#owned])
  }

  /** Forgets what it has, as others may have it now. */
  lose(): void {
    this.#leases.drop([...this.#owned])
    this.#owned.clear()
    void this.look()
  }

  /** Notes endpoints that this process gave something to attempt. */
  give(endpoints: readonly number[]): void {
    const { delivers, notices } = this.#options
    if (!this.#observer || !delivers) notices.due(endpoints)
    else for (const endpoint of endpoints) this.#given.add(endpoint)
  }

  /** Frees what dead processes had, and finds what they committed without looking at it. */
  async inherit(replicas: readonly string[]): Promise<void> {
    await this.#db.run(
      `UPDATE {endpoints} p SET owner = NULL, due = ${FIRST_DUE}
       WHERE owner = ANY(?) OR (owner IS NULL AND due IS NULL AND EXISTS (
         SELECT 1 FROM {deliveries} d WHERE d.endpoint = p.number AND d.state = 'pending'))`,
      replicas,
    )
    await this.look()
  }

  async endpointNumbers(sandbox?: Sandbox): Promise<number[]> {
    const { replicas, now } = this.#options
    if (!sandbox) {
      const found = await this.#db.rows<{ number: number }>(
        `SELECT p.number FROM {endpoints} p
         WHERE p.due <= ? AND NOT p.disabled AND ${this.#attended} AND p.number <> ALL(?)
           AND ${free('p.owner')} ORDER BY p.due LIMIT ${SHARE}`,
        now(),
        replicas.id,
        [...this.#owned],
        replicas.id,
      )
      this.#hasMore = found.length === SHARE
      return [...this.#owned, ...found.map(({ number }) => number)]
    }
    const sql = `SELECT number FROM {endpoints} p WHERE sandbox = ? AND ${this.#attended}`
    const rows = await this.#db.rows<{ number: number }>(sql, sandbox.id, replicas.id)
    return rows.map(({ number }) => number)
  }

  async firstDue(endpoint: number): Promise<number | null> {
    const { replicas } = this.#options
    if (!this.isPresent) return null
    const row = await this.#db.row<{ due: number }>(
      `SELECT d.due - s.clock_offset AS due FROM {deliveries} d
         JOIN {endpoints} p ON p.number = d.endpoint JOIN {sandboxes} s ON s.id = d.sandbox
       WHERE d.endpoint = ? AND ${ELIGIBLE} AND ${this.#attended} AND ${free('p.owner')}
         AND d.number <> ALL(?) ORDER BY d.due LIMIT 1`,
      endpoint,
      replicas.id,
      replicas.id,
      this.#leases.claimed(endpoint),
    )
    return row?.due ?? null
  }

  async claim(endpoint: number, now: number, limit: number): Promise<Job[]> {
    if (!this.isPresent) return []
    const wasOwned = this.#owned.has(endpoint)
    if (!(await this.#own(endpoint))) return []
    const jobs = await this.#read(endpoint, now, limit)
    // Another process may have reset the sandbox, which freed the endpoint.
    if (jobs.length > 0 || !wasOwned || (await this.#isOwner(endpoint))) return jobs
    this.#owned.delete(endpoint)
    return (await this.#own(endpoint)) ? this.#read(endpoint, now, limit) : []
  }

  async #read(endpoint: number, now: number, limit: number): Promise<Job[]> {
    const rows = await this.#db.rows<JobRow>(
      `SELECT d.number, d.attempted, d.cycle, e.id AS event, e.kind, e.body, e.revision AS followed, e.trace,
         p.id, p.url, p.kinds, p.secret, p.revision, p.disabled, s.id AS sandbox, s.clock_offset, s.generation
       FROM {deliveries} d JOIN {endpoints} p ON p.number = d.endpoint AND p.owner = ?
         JOIN {sandboxes} s ON s.id = d.sandbox
         JOIN {events} e ON e.sandbox = d.sandbox AND e.number = d.event
       WHERE d.endpoint = ? AND ${ELIGIBLE} AND ${this.#attended} AND d.due <= ?::bigint + s.clock_offset
         AND d.number <> ALL(?) ORDER BY d.due, d.number LIMIT ?`,
      this.#options.replicas.id,
      endpoint,
      this.#options.replicas.id,
      now,
      this.#leases.claimed(endpoint),
      Math.min(MOST_JOBS, limit),
    )
    this.#leases.claim(
      endpoint,
      rows.map(({ number }) => number),
    )
    return rows.map((row) => this.#jobOf(row))
  }

  async leave(endpoints: readonly number[]): Promise<void> {
    const left = endpoints.filter((endpoint) => this.#owned.has(endpoint))
    if (left.length === 0) return
    const { replicas, now } = this.#options
    await this.#db.run(
      `UPDATE {endpoints} p SET owner = NULL, due = ${FIRST_DUE} WHERE number = ANY(?) AND owner = ?`,
      left,
      replicas.id,
    )
    // What was committed while the statement ran is seen by the next one only. Whoever committed it found an owner.
    const missed = await this.#db.rows<{ number: number }>(
      `UPDATE {endpoints} p SET due = ? WHERE number = ANY(?) AND (due IS NULL OR due > ?)
         AND ${FIRST_DUE} <= ? RETURNING number`,
      now(),
      left,
      now(),
      now(),
    )
    // Only now: where a statement failed, both are repeated.
    for (const endpoint of left) this.#owned.delete(endpoint)
    if (missed.length > 0) this.#observer?.due(missed.map(({ number }) => number))
    if (this.#hasMore) await this.look()
  }

  async record(outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length > 0) await this.#record(outcomes)
    await this.release(outcomes.map(({ job }) => job.delivery))
  }

  async release(deliveries: readonly number[]): Promise<void> {
    this.#leases.release(deliveries)
  }

  async haveOthersSettled(sandbox?: Sandbox): Promise<boolean> {
    const { now } = this.#options
    const row = await this.#db.row(
      `SELECT 1 FROM {endpoints} p JOIN {sandboxes} s ON s.id = p.sandbox
       WHERE (?::bigint IS NULL OR p.sandbox = ?) AND ${ATTENDED_BY_ANY}
         AND EXISTS (SELECT 1 FROM {deliveries} d
           WHERE d.endpoint = p.number AND ${ELIGIBLE} AND d.due <= ?::bigint + s.clock_offset) LIMIT 1`,
      sandbox?.id ?? null,
      sandbox?.id ?? null,
      now(),
    )
    return row === undefined
  }

  async backlog(): Promise<Backlog> {
    const { now } = this.#options
    const row = await this.#db.row<{ due: number; first: number | null }>(
      `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM {endpoints} p JOIN {sandboxes} s ON s.id = p.sandbox
           JOIN {deliveries} d ON d.endpoint = p.number
         WHERE ${ELIGIBLE} AND ${ATTENDED_BY_ANY} AND d.due <= ?::bigint + s.clock_offset
         LIMIT ${MOST_DUE}) AS all_due) AS due,
         (SELECT min(p.due) FROM {endpoints} p WHERE p.due <= ? AND NOT p.disabled AND NOT p.listener
           AND (p.owner IS NULL OR NOT ${alive('p.owner')})) AS first`,
      now(),
      now(),
    )
    const { due = 0, first = null } = row ?? {}
    return { due, lag: first === null ? 0 : Math.max(0, now() - first) }
  }

  async firstSourceDue(): Promise<number | null> {
    const sql = 'SELECT min(due) AS due FROM {sources} WHERE due IS NOT NULL'
    return (await this.#db.row<{ due: number | null }>(sql))?.due ?? null
  }

  async dueSources(now: number, limit: number) {
    const rows = await this.#db.rows<SandboxRow & { source: string; json: string; due: number }>(
      `SELECT s.id, s.clock_offset, s.generation, c.id AS source, c.json, c.due
       FROM {sources} c JOIN {sandboxes} s ON s.id = c.sandbox WHERE c.due <= ? ORDER BY c.due LIMIT ?`,
      now,
      limit,
    )
    return rows.map((row) => ({
      sandbox: sandboxOf(row),
      source: { id: row.source, json: row.json, due: row.due } satisfies Source,
    }))
  }

  /** Takes an endpoint that nobody else works on. */
  async #own(endpoint: number): Promise<boolean> {
    const { replicas, notices } = this.#options
    const isGiven = this.#given.delete(endpoint)
    if (this.#owned.has(endpoint)) return true
    const taken = await this.#db.run(
      `UPDATE {endpoints} p SET owner = ? WHERE number = ? AND NOT disabled AND ${this.#attended} AND ${free('p.owner')}`,
      replicas.id,
      endpoint,
      replicas.id,
      replicas.id,
    )
    if (taken === 1) this.#owned.add(endpoint)
    else if (isGiven) notices.due([endpoint])
    return taken === 1
  }

  async #isOwner(endpoint: number): Promise<boolean> {
    const sql = 'SELECT 1 FROM {endpoints} WHERE number = ? AND owner = ?'
    return (await this.#db.row(sql, endpoint, this.#options.replicas.id)) !== undefined
  }

  async #record(outcomes: readonly Outcome[]): Promise<void> {
    const column = <T>(of: (outcome: Outcome) => T) => outcomes.map(of)
    // An outcome finds its delivery only as it was claimed: not after a reset, a replay, or another process's attempt.
    await this.#db.run(
      `WITH o AS (
         SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::integer[], ?::integer[], ?::text[],
           ?::bigint[], ?::bigint[], ?::integer[], ?::text[], ?::text[], ?::text[], ?::text[], ?::float8[])
           AS o (sandbox, delivery, generation, attempted, cycle, state, due, at, status, reason, headers,
             body, sent, ms)),
       locked AS (
         SELECT d.sandbox, d.number FROM {deliveries} d JOIN o ON d.sandbox = o.sandbox AND d.number = o.delivery
         ORDER BY d.number FOR NO KEY UPDATE OF d),
       recorded AS (
         UPDATE {deliveries} d SET state = CASE WHEN d.cancelled THEN d.state ELSE o.state END,
           attempted = d.attempted + 1, hurried = false,
           due = CASE WHEN d.cancelled THEN NULL ELSE o.due + s.clock_offset END
         FROM o, locked l, {sandboxes} s
         WHERE l.sandbox = o.sandbox AND l.number = o.delivery AND d.sandbox = l.sandbox AND d.number = l.number
           AND s.id = o.sandbox AND s.generation = o.generation
           AND d.attempted = o.attempted AND d.cycle = o.cycle AND (d.state = 'pending' OR d.cancelled)
           AND EXISTS (SELECT 1 FROM {endpoints} p WHERE p.number = d.endpoint)
         RETURNING o.*)
       INSERT INTO {attempts} (sandbox, delivery, number, at, status, reason, headers, body, sent, ms)
       SELECT sandbox, delivery, 1 + coalesce((SELECT max(a.number) FROM {attempts} a
           WHERE a.sandbox = r.sandbox AND a.delivery = r.delivery), 0),
         at, status, reason, headers, body, sent, ms FROM recorded r`,
      column(({ job }) => job.sandbox.id),
      column(({ job }) => job.delivery),
      column(({ job }) => job.sandbox.generation),
      column(({ job }) => job.attempted),
      column(({ job }) => job.cycle),
      column(({ state }) => state),
      column(({ due }) => due),
      column(({ attempt }) => attempt.at),
      column(({ attempt }) => attempt.status),
      column(({ attempt }) => encoded(attempt.reason)),
      column(({ attempt }) => JSON.stringify(attempt.headers)),
      column(({ attempt }) => encoded(attempt.body)),
      column(({ attempt: { sent } }) => (sent ? JSON.stringify(sent) : null)),
      column(({ attempt: { ms = null } }) => ms),
    )
  }

  #jobOf({ number, attempted, cycle, event, kind, body, followed, trace, ...row }: JobRow): Job {
    const { sandbox, clock_offset: offset, generation } = row
    return {
      id: idOf(number),
      delivery: number,
      sandbox: { id: sandbox, offset, generation },
      endpoint: this.#options.endpoints.of(row),
      event: { id: event, kind, body, revision: followed, trace },
      attempted,
      cycle,
    }
  }
}

const ATTENDED = '(NOT p.listener OR p.attendant = ?)'
const OWN_LISTENER = '(p.listener AND p.attendant = ?)'
const ATTENDED_BY_ANY = `(NOT p.listener OR ${alive('p.attendant')})`
