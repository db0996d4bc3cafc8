import type {
  Attempt,
  Delivery,
  DeliveryFilter,
  Endpoint,
  Event,
  Job,
  Logged,
  Outcome,
  Sandbox,
  State,
} from '../types.ts'
import { isListener, LISTENER_SCHEME, STATES } from '../types.ts'
import { type Database, PRUNED } from './database.ts'

interface EndpointRow {
  id: string
  url: string
  kinds: string | null
  secret: string
}

/** An endpoint and its sandbox. */
interface PlaceRow extends EndpointRow {
  sandbox: number
  clock_offset: number
  generation: number
}

interface JobRow {
  number: number
  attempted: number
  id: string
  kind: string
  body: string
}

interface DeliveryRow {
  number: number
  event_id: string
  kind: string
  endpoint_id: string
  state: State
  due_at: number | null
}

const PREFIX = 'dlv_'

/** Endpoints, events, their deliveries and every attempt. */
export class Outbox {
  readonly #db: Database
  /** What this process works on, by endpoint. No other one can have the file. */
  readonly #claimed = new Map<number, Set<number>>()
  readonly #endpointOf = new Map<number, number>()
  /** Listeners without a consumer. */
  readonly #unattended = new Set<number>()

  constructor(db: Database) {
    this.#db = db
    const sql = `SELECT number FROM endpoints WHERE url LIKE '${LISTENER_SCHEME}%'`
    for (const { number } of db.rows<{ number: number }>(sql)) this.#unattended.add(number)
  }

  addEndpoint(sandbox: Sandbox, { id, url, kinds, secret }: Endpoint): void {
    const { inserted } = this.#db.run(
      'INSERT INTO endpoints (sandbox, id, url, kinds, secret) VALUES (?, ?, ?, ?, ?)',
      sandbox.id,
      id,
      url,
      kinds && JSON.stringify(kinds),
      secret,
    )
    if (isListener({ url })) this.#unattended.add(inserted)
  }

  attend(sandbox: Sandbox, id: string, isAttended: boolean): void {
    const sql = 'SELECT number FROM endpoints WHERE sandbox = ? AND id = ?'
    for (const { number } of this.#db.rows<{ number: number }>(sql, sandbox.id, id)) {
      if (isAttended) this.#unattended.delete(number)
      else this.#unattended.add(number)
    }
  }

  endpoints(sandbox: Sandbox): Endpoint[] {
    const sql = 'SELECT id, url, kinds, secret FROM endpoints WHERE sandbox = ? ORDER BY number'
    return this.#db.rows<EndpointRow>(sql, sandbox.id).map(endpointOf)
  }

  changeSecret(sandbox: Sandbox, id: string, secret: string): boolean {
    const sql = 'UPDATE endpoints SET secret = ? WHERE sandbox = ? AND id = ?'
    return this.#db.run(sql, secret, sandbox.id, id).changes === 1
  }

  changeKinds(sandbox: Sandbox, id: string, kinds: string[] | null): void {
    const sql = 'UPDATE endpoints SET kinds = ? WHERE sandbox = ? AND id = ?'
    this.#db.run(sql, kinds && JSON.stringify(kinds), sandbox.id, id)
  }

  /** Records events, each due at once for every endpoint that wants its kind. */
  emit(sandbox: Sandbox, events: readonly Event[], now: number): void {
    for (const { id, kind, occurredAt, body } of events) {
      const { inserted } = this.#db.run(
        `INSERT INTO events (sandbox, id, kind, occurred_at, body, recorded_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
        sandbox.id,
        id,
        kind,
        occurredAt,
        body,
        now,
      )
      this.#db.run(
        `INSERT INTO deliveries (sandbox, event, endpoint, state, due)
         SELECT p.sandbox, ?1, p.number, 'pending', ?2 + s.clock_offset
         FROM endpoints p JOIN sandboxes s ON s.id = p.sandbox
         WHERE p.sandbox = ?3
           AND (kinds IS NULL OR EXISTS (SELECT 1 FROM json_each(kinds) WHERE value = ?4))`,
        inserted,
        now,
        sandbox.id,
        kind,
      )
    }
  }

  events(sandbox: Sandbox, limit: number, before = Number.MAX_SAFE_INTEGER): Logged[] {
    const sql = `SELECT ${LOGGED} FROM events e
      WHERE e.sandbox = ? AND e.number < ? ORDER BY e.number DESC LIMIT ?`
    return this.#db.rows<Logged>(sql, sandbox.id, before, limit)
  }

  eventOf(sandbox: Sandbox, delivery: string): Logged | null {
    const sql = `SELECT ${LOGGED} FROM deliveries d JOIN events e ON e.number = d.event
      JOIN endpoints p ON p.number = d.endpoint WHERE d.number = ? AND d.sandbox = ?`
    return this.#db.row<Logged>(sql, numberOf(delivery), sandbox.id) ?? null
  }

  deliveries(sandbox: Sandbox, filter: DeliveryFilter, limit: number, before?: string): Delivery[] {
    const states = filter.state === undefined ? STATES : [filter.state]
    // One question for each state, since the index goes by it.
    return states
      .flatMap((state) => {
        const { sql, values } = condition(sandbox, { ...filter, state }, before)
        const newest = `${SELECT} WHERE ${sql} ORDER BY d.number DESC LIMIT ?`
        return this.#db.rows<DeliveryRow>(newest, ...values, limit)
      })
      .sort((a, b) => b.number - a.number)
      .slice(0, limit)
      .map((row) => this.#deliveryOf(row))
  }

  countDeliveries(sandbox: Sandbox, state: State, most: number): number {
    const sql = `SELECT count(*) AS count FROM (
      SELECT 1 FROM deliveries d JOIN endpoints p ON p.number = d.endpoint
      WHERE d.sandbox = ? AND d.state = ? LIMIT ?)`
    return this.#db.row<{ count: number }>(sql, sandbox.id, state, most)?.count ?? 0
  }

  delivery(sandbox: Sandbox, id: string): Delivery | null {
    const sql = `${SELECT} WHERE d.number = ? AND d.sandbox = ?`
    const row = this.#db.row<DeliveryRow>(sql, numberOf(id), sandbox.id)
    return row ? this.#deliveryOf(row) : null
  }

  replay(sandbox: Sandbox, which: DeliveryFilter | { id: string }, due: number): number {
    const { sql, values } =
      'id' in which
        ? { sql: 'd.sandbox = ? AND d.number = ?', values: [sandbox.id, numberOf(which.id)] }
        : condition(sandbox, which)
    return this.#db.run(
      `UPDATE deliveries SET state = 'pending', attempted = 0,
         due = ? + (SELECT clock_offset FROM sandboxes WHERE id = deliveries.sandbox)
       WHERE number IN (SELECT d.number FROM deliveries d
         JOIN events e ON e.number = d.event JOIN endpoints p ON p.number = d.endpoint
         WHERE ${sql} AND d.state <> 'pending')`,
      due,
      ...values,
    ).changes
  }

  endpointNumbers(sandbox?: Sandbox): number[] {
    const rows = sandbox
      ? this.#db.rows<{ number: number }>(
          'SELECT number FROM endpoints WHERE sandbox = ?',
          sandbox.id,
        )
      : this.#db.rows<{ number: number }>('SELECT number FROM endpoints')
    return rows.map(({ number }) => number).filter((number) => !this.#unattended.has(number))
  }

  firstDue(endpoint: number): number | null {
    if (this.#unattended.has(endpoint)) return null
    const claimed = this.#claimed.get(endpoint) ?? []
    const row = this.#db.row<{ due: number }>(
      `SELECT d.due - s.clock_offset AS due FROM deliveries d
         JOIN endpoints p ON p.number = d.endpoint JOIN sandboxes s ON s.id = d.sandbox
       WHERE d.endpoint = ? AND d.state = 'pending'
         AND d.number NOT IN (SELECT value FROM json_each(?))
       ORDER BY d.due LIMIT 1`,
      endpoint,
      JSON.stringify([...claimed]),
    )
    return row?.due ?? null
  }

  claim(endpoint: number, now: number, limit: number): Job[] {
    if (this.#unattended.has(endpoint)) return []
    const place = this.#db.row<PlaceRow>(PLACE, endpoint)
    if (!place) return []
    const claimed = this.#claimed.get(endpoint) ?? new Set()
    const rows = this.#db.rows<JobRow>(
      `SELECT d.number, d.attempted, e.id, e.kind, e.body
       FROM deliveries d JOIN events e ON e.number = d.event
       WHERE d.endpoint = ? AND d.state = 'pending' AND d.due <= ?
         AND d.number NOT IN (SELECT value FROM json_each(?))
       ORDER BY d.due LIMIT ?`,
      endpoint,
      now + place.clock_offset,
      JSON.stringify([...claimed]),
      limit,
    )
    if (rows.length > 0) this.#claimed.set(endpoint, claimed)
    for (const { number } of rows) {
      claimed.add(number)
      this.#endpointOf.set(number, endpoint)
    }
    const { sandbox, clock_offset: offset, generation } = place
    const target = endpointOf(place)
    return rows.map(({ number, attempted, ...event }) => ({
      id: `${PREFIX}${number}`,
      delivery: number,
      sandbox: { id: sandbox, offset, generation },
      endpoint: target,
      event,
      attempted,
    }))
  }

  record(outcomes: readonly Outcome[]): void {
    for (const { delivery, attempt, state, due } of outcomes) {
      // Of a sandbox that was reset or an endpoint that was removed meanwhile nothing is left to write to.
      const { changes } = this.#db.run(
        `UPDATE deliveries SET state = ?, attempted = attempted + 1,
           due = ? + (SELECT clock_offset FROM sandboxes WHERE id = deliveries.sandbox)
         WHERE number = ? AND endpoint IN (SELECT number FROM endpoints)`,
        state,
        due,
        delivery,
      )
      if (changes === 1) this.#writeAttempt(delivery, attempt)
    }
  }

  /** Lets go of what was claimed, once it is recorded or never will be. */
  release(deliveries: Iterable<number>): void {
    for (const delivery of deliveries) {
      const endpoint = this.#endpointOf.get(delivery) ?? 0
      const claimed = this.#claimed.get(endpoint)
      this.#endpointOf.delete(delivery)
      claimed?.delete(delivery)
      if (claimed?.size === 0) this.#claimed.delete(endpoint)
    }
  }

  /** Lets go of endpoints that are no more, and of all that was claimed for them. */
  forget(endpoints: readonly number[]): void {
    for (const endpoint of endpoints) {
      this.release(this.#claimed.get(endpoint) ?? [])
      this.#unattended.delete(endpoint)
    }
  }

  nextDue(sandbox: Sandbox): number | null {
    const row = this.#db.row<{ due: number | null }>(
      `SELECT min((SELECT min(d.due) FROM deliveries d
                   WHERE d.endpoint = p.number AND d.state = 'pending')) - s.clock_offset AS due
       FROM endpoints p JOIN sandboxes s ON s.id = p.sandbox
       WHERE p.sandbox = ? AND p.number NOT IN (SELECT value FROM json_each(?))`,
      sandbox.id,
      JSON.stringify([...this.#unattended]),
    )
    return row?.due ?? null
  }

  clear(sandbox: Sandbox): void {
    for (const table of ['endpoints', 'events']) {
      this.#db.run(`DELETE FROM ${table} WHERE sandbox = ?`, sandbox.id)
    }
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

  #writeAttempt(delivery: number, { at, status, reason, headers, body }: Attempt): void {
    this.#db.run(
      `INSERT INTO attempts (delivery, number, at, status, reason, headers, body)
       SELECT ?1, 1 + coalesce(max(number), 0), ?2, ?3, ?4, ?5, ?6 FROM attempts WHERE delivery = ?1`,
      delivery,
      at,
      status,
      reason,
      JSON.stringify(headers),
      body,
    )
  }

  #deliveryOf({ number, ...delivery }: DeliveryRow): Delivery {
    const attempts = this.#db
      .rows<Omit<Attempt, 'headers'> & { headers: string }>(
        'SELECT at, status, reason, headers, body FROM attempts WHERE delivery = ? ORDER BY number',
        number,
      )
      .map((attempt) => ({ ...attempt, headers: JSON.parse(attempt.headers) }))
    return { id: `${PREFIX}${number}`, ...delivery, attempts }
  }
}

const LOGGED = 'e.number AS position, e.id, e.kind, e.occurred_at AS occurredAt, e.body'

const SELECT = `SELECT d.number, e.id AS event_id, e.kind, p.id AS endpoint_id, d.state,
  d.due AS due_at
  FROM deliveries d JOIN events e ON e.number = d.event JOIN endpoints p ON p.number = d.endpoint`

const PLACE = `SELECT p.id, p.url, p.kinds, p.secret, p.sandbox, s.clock_offset, s.generation
  FROM endpoints p JOIN sandboxes s ON s.id = p.sandbox WHERE p.number = ?`

function condition(sandbox: Sandbox, { state, kind, endpoint }: DeliveryFilter, before?: string) {
  const parts: Array<[string, string | number | undefined]> = [
    ['d.sandbox = ?', sandbox.id],
    ['d.state = ?', state],
    ['e.kind = ?', kind],
    ['p.id = ?', endpoint],
    ['d.number < ?', before === undefined ? undefined : numberOf(before)],
  ]
  const given = parts.filter((part): part is [string, string | number] => part[1] !== undefined)
  return { sql: given.map(([sql]) => sql).join(' AND '), values: given.map(([, value]) => value) }
}

/** Nothing has the number 0. */
function numberOf(id: string): number {
  return Number(/^dlv_(\d{1,15})$/.exec(id)?.[1] ?? 0)
}

function endpointOf({ id, url, kinds, secret }: EndpointRow): Endpoint {
  return { id, url, kinds: kinds === null ? null : JSON.parse(kinds), secret }
}
