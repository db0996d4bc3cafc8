/** Deliveries and sources that wait for their time. */
import { idOf } from '../delivery-ids.ts'
import type { Leases } from '../leases.ts'
import { type SandboxRow, sandboxOf } from '../rows.ts'
import type { Backlog, OutboxStore } from '../store.ts'
import type { Attempt, Due, Event, Job, Outcome, Sandbox, Source } from '../types.ts'
import { type Database, PRUNED } from './database.ts'
import { type EndpointRow, endpointOf } from './endpoints.ts'
import type { Targets } from './targets.ts'

/** An endpoint and its sandbox. */
interface TargetRow extends EndpointRow {
  sandbox: number
  clock_offset: number
  generation: number
  paused: number
}

interface JobRow {
  number: number
  attempted: number
  id: string
  kind: string
  body: string
  revision: string | null
}

/** How many due deliveries are counted. */
const MOST_DUE = 10_000

export class Outbox implements OutboxStore {
  readonly #db: Database
  readonly #leases: Leases
  readonly #targets: Targets
  readonly #now: () => number

  constructor(db: Database, leases: Leases, targets: Targets, now: () => number) {
    this.#db = db
    this.#leases = leases
    this.#targets = targets
    this.#now = now
  }

  async endpointNumbers(sandbox?: Sandbox): Promise<number[]> {
    if (sandbox && !this.#targets.mayExist(sandbox)) return []
    const rows = sandbox
      ? this.#db.rows<{ number: number }>(
          'SELECT number FROM endpoints WHERE sandbox = ?',
          sandbox.id,
        )
      : this.#db.rows<{ number: number }>('SELECT number FROM endpoints')
    return rows.map(({ number }) => number).filter((number) => this.#leases.isAttended(number))
  }

  async firstDue(endpoint: number): Promise<number | null> {
    if (!this.#leases.isAttended(endpoint)) return null
    const row = this.#db.row<{ due: number }>(
      `SELECT d.due - s.clock_offset AS due FROM deliveries d
         JOIN endpoints p ON p.number = d.endpoint JOIN sandboxes s ON s.id = d.sandbox
       WHERE d.endpoint = ? AND d.state = 'pending' AND p.disabled = 0
         AND (s.paused = 0 OR d.hurried = 1)
         AND d.number NOT IN (SELECT value FROM json_each(?))
       ORDER BY d.due LIMIT 1`,
      endpoint,
      JSON.stringify(this.#leases.claimed(endpoint)),
    )
    return row?.due ?? null
  }

  async claim(endpoint: number, now: number, limit: number): Promise<Job[]> {
    if (!this.#leases.isAttended(endpoint)) return []
    const row = this.#db.row<TargetRow>(TARGET, endpoint)
    if (!row || row.disabled === 1) return []
    const rows = this.#db.rows<JobRow>(
      `SELECT d.number, d.attempted, e.id, e.kind, e.body, e.revision, e.trace
       FROM deliveries d JOIN events e ON e.number = d.event
       WHERE d.endpoint = ? AND d.state = 'pending' AND d.due <= ?
         ${row.paused === 1 ? 'AND d.hurried = 1' : ''}
         AND d.number NOT IN (SELECT value FROM json_each(?))
       ORDER BY d.due LIMIT ?`,
      endpoint,
      now + row.clock_offset,
      JSON.stringify(this.#leases.claimed(endpoint)),
      limit,
    )
    const numbers = rows.map(({ number }) => number)
    this.#leases.claim(endpoint, numbers)
    const { sandbox, clock_offset: offset, generation } = row
    const target = endpointOf(row)
    return rows.map(({ number, attempted, ...event }) => ({
      id: idOf(number),
      delivery: number,
      sandbox: { id: sandbox, offset, generation },
      endpoint: target,
      event,
      attempted,
      cycle: 0,
    }))
  }

  async backlog(): Promise<Backlog> {
    const row = this.#db.row<{ due: number }>(
      `SELECT count(*) AS due FROM (SELECT 1 FROM deliveries d
         JOIN endpoints p ON p.number = d.endpoint JOIN sandboxes s ON s.id = d.sandbox
       WHERE d.state = 'pending' AND p.disabled = 0 AND (s.paused = 0 OR d.hurried = 1)
         AND d.due <= ? + s.clock_offset LIMIT ${MOST_DUE})`,
      this.#now(),
    )
    // The only process works on every endpoint.
    return { due: row?.due ?? 0, lag: 0 }
  }

  // This process is the only one.
  readonly isPresent = true
  async leave(): Promise<void> {}
  watch(): void {}
  async haveOthersSettled(): Promise<boolean> {
    return true
  }

  async record(outcomes: readonly Outcome[]): Promise<void> {
    this.#db.transaction(() => this.#record(outcomes))
    this.#leases.release(outcomes.map(({ job }) => job.delivery))
  }

  async release(deliveries: readonly number[]): Promise<void> {
    this.#leases.release(deliveries)
  }

  async firstSourceDue(): Promise<number | null> {
    const sql = 'SELECT min(due) AS due FROM sources WHERE due IS NOT NULL'
    return this.#db.row<{ due: number | null }>(sql)?.due ?? null
  }

  async dueSources(now: number, limit: number) {
    const rows = this.#db.rows<SandboxRow & { source: string; json: string; due: number }>(
      `SELECT s.id, s.clock_offset, s.generation, c.id AS source, c.json, c.due
       FROM sources c JOIN sandboxes s ON s.id = c.sandbox WHERE c.due <= ? ORDER BY c.due LIMIT ?`,
      now,
      limit,
    )
    return rows.map((row) => ({
      sandbox: sandboxOf(row),
      source: { id: row.source, json: row.json, due: row.due } satisfies Source,
    }))
  }

  #record(outcomes: readonly Outcome[]): void {
    for (const { job, attempt, state, due } of outcomes) {
      const { delivery } = job
      // After a reset or the removal of an endpoint there is no row to write to.
      const { changes } = this.#db.run(
        `UPDATE deliveries SET state = iif(cancelled, state, ?), attempted = attempted + 1, hurried = 0,
           due = iif(cancelled, NULL, ?)
             + (SELECT clock_offset FROM sandboxes WHERE id = deliveries.sandbox)
         WHERE number = ? AND endpoint IN (SELECT number FROM endpoints)`,
        state,
        due,
        delivery,
      )
      if (changes === 1) this.#writeAttempt(delivery, attempt)
    }
  }

  /** Adds events, as a part of a transaction. Each is due at once for every endpoint that wants its kind. */
  emit(sandbox: Sandbox, events: readonly Event[], now: number): void {
    for (const event of events) {
      const { id, kind, occurredAt, body, revision = null, trace = null } = event
      const { others = [], copies = 1 } = event
      const { inserted } = this.#db.run(
        `INSERT INTO events (sandbox, id, kind, occurred_at, body, recorded_at, revision, trace)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        sandbox.id,
        id,
        kind,
        occurredAt,
        body,
        now,
        revision,
        trace,
      )
      if (!this.#targets.mayExist(sandbox)) continue
      const values = [inserted, now, sandbox.id, kind]
      for (let copy = 0; copy < copies; copy++) {
        if (revision !== null) this.#db.run(`${EMIT} AND p.revision = ?5`, ...values, revision)
        else if (others.length === 0) this.#db.run(EMIT, ...values)
        else this.#db.run(`${EMIT} ${NOT_OF}`, ...values, JSON.stringify(others))
      }
    }
  }

  /** When the next delivery of each endpoint is due, or of these. */
  dues(sandbox: Sandbox, endpoints?: readonly number[]): Due[] {
    const values = [JSON.stringify(this.#leases.unattended), sandbox.id]
    return endpoints
      ? this.#db.rows<Due>(`${DUES} ${OF_THESE}`, ...values, JSON.stringify(endpoints))
      : this.#db.rows<Due>(`${DUES} AND p.sandbox = ?2`, ...values)
  }

  /** Removes old events whose deliveries have all succeeded, step by step. */
  *pruning(before: number): Generator<number> {
    let last = { at: 0, number: 0 }
    for (;;) {
      const old = this.#db.rows<{ at: number; number: number }>(
        `SELECT recorded_at AS at, number FROM events
         WHERE (recorded_at, number) > (?, ?) AND recorded_at < ?
         ORDER BY recorded_at, number LIMIT ?`,
        last.at,
        last.number,
        before,
        PRUNED,
      )
      last = old.at(-1) ?? last
      yield this.#db.run(
        `DELETE FROM events WHERE number IN (SELECT value FROM json_each(?)) AND NOT EXISTS (
           SELECT 1 FROM deliveries d WHERE d.event = events.number AND d.state <> 'succeeded')`,
        JSON.stringify(old.map(({ number }) => number)),
      ).changes
      if (old.length < PRUNED) return
    }
  }

  #writeAttempt(delivery: number, attempt: Attempt): void {
    const { at, status, reason, headers, body, sent, ms = null } = attempt
    this.#db.run(
      `INSERT INTO attempts (delivery, number, at, status, reason, headers, body, sent, ms)
       VALUES (?1, 1 + coalesce((SELECT max(number) FROM attempts WHERE delivery = ?1), 0),
         ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
      delivery,
      at,
      status,
      reason,
      JSON.stringify(headers),
      body,
      sent ? JSON.stringify(sent) : null,
      ms,
    )
  }
}

const DUES = `SELECT p.number AS endpoint, d.due - s.clock_offset AS due
  FROM endpoints p JOIN sandboxes s ON s.id = p.sandbox
  JOIN deliveries d ON d.number = (
    SELECT number FROM deliveries WHERE endpoint = p.number AND state = 'pending'
      AND (s.paused = 0 OR hurried = 1) ORDER BY due LIMIT 1)
  WHERE p.disabled = 0 AND p.number NOT IN (SELECT value FROM json_each(?1))`

// The plus keeps the planner from reading all endpoints of the sandbox.
const OF_THESE = 'AND +p.sandbox = ?2 AND p.number IN (SELECT value FROM json_each(?3))'

/** Adds the deliveries of an event: one for each endpoint that wants its kind. */
const EMIT = `INSERT INTO deliveries (sandbox, event, endpoint, state, due)
  SELECT p.sandbox, ?1, p.number, 'pending', ?2 + s.clock_offset
  FROM endpoints p JOIN sandboxes s ON s.id = p.sandbox
  WHERE p.sandbox = ?3 AND p.disabled = 0
    AND (kinds IS NULL OR EXISTS (SELECT 1 FROM json_each(kinds) WHERE value = ?4))`

const NOT_OF = 'AND (p.revision IS NULL OR p.revision NOT IN (SELECT value FROM json_each(?5)))'

const TARGET = `SELECT p.id, p.url, p.kinds, p.secret, p.revision, p.disabled, p.sandbox,
  s.clock_offset, s.generation, s.paused
  FROM endpoints p JOIN sandboxes s ON s.id = p.sandbox WHERE p.number = ?`
