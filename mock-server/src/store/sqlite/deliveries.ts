/** Events and deliveries as they are shown. */
import { idOf, numberOf } from '../delivery-ids.ts'
import type { DeliveryStore } from '../store.ts'
import {
  type Attempt,
  type Delivery,
  type DeliveryFilter,
  type EventFilter,
  type Logged,
  type Sandbox,
  STATES,
  type State,
  type Statistics,
} from '../types.ts'
import type { Database } from './database.ts'

interface DeliveryRow {
  number: number
  event_id: string
  kind: string
  endpoint_id: string
  state: State
  due_at: number | null
  cancelled: number
}

/** The reason of deliveries that were cancelled. */
const CANCELLED = 'cancelled'

export class Deliveries implements DeliveryStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async events(
    sandbox: Sandbox,
    limit: number,
    before = Number.MAX_SAFE_INTEGER,
    revision: string | null = null,
    filter: EventFilter = {},
  ): Promise<Logged[]> {
    const { sql, values } = joined([
      ['e.sandbox = ?', sandbox.id],
      ['e.number < ?', before],
      ['e.revision IS ?', revision],
      ...ofEvents(filter),
    ])
    const newest = `SELECT ${LOGGED} FROM events e WHERE ${sql} ORDER BY e.number DESC LIMIT ?`
    return this.#db.rows<Logged>(newest, ...values, limit)
  }

  async eventOf(sandbox: Sandbox, delivery: string): Promise<Logged | null> {
    const sql = `SELECT ${LOGGED} FROM deliveries d JOIN events e ON e.number = d.event
      JOIN endpoints p ON p.number = d.endpoint WHERE d.number = ? AND d.sandbox = ?`
    return this.#db.row<Logged>(sql, numberOf(delivery), sandbox.id) ?? null
  }

  async list(
    sandbox: Sandbox,
    filter: DeliveryFilter,
    limit: number,
    before?: string,
  ): Promise<Delivery[]> {
    const states = filter.state === undefined ? STATES : [filter.state]
    // One query for each state, since the index goes by it.
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

  async count(sandbox: Sandbox, filter: DeliveryFilter, most: number): Promise<number> {
    const { sql, values } = condition(sandbox, filter)
    const limited = `SELECT count(*) AS count FROM (
      SELECT 1 FROM deliveries d JOIN events e ON e.number = d.event
      JOIN endpoints p ON p.number = d.endpoint WHERE ${sql} LIMIT ?)`
    return this.#db.row<{ count: number }>(limited, ...values, most)?.count ?? 0
  }

  async statistics(sandbox: Sandbox, most: number): Promise<Statistics[]> {
    const found = new Map<string, Statistics>()
    for (const state of STATES) {
      const rows = this.#db.rows<{ endpoint_id: string; count: number }>(
        `SELECT p.id AS endpoint_id, count(*) AS count FROM (
           SELECT endpoint FROM deliveries WHERE sandbox = ? AND state = ?
           ORDER BY number DESC LIMIT ?) AS d
         JOIN endpoints p ON p.number = d.endpoint GROUP BY p.id`,
        sandbox.id,
        state,
        most,
      )
      for (const { endpoint_id, count } of rows) {
        const none = { endpoint_id, pending: 0, succeeded: 0, dead: 0 }
        found.set(endpoint_id, { ...(found.get(endpoint_id) ?? none), [state]: count })
      }
    }
    return [...found.values()]
  }

  async get(sandbox: Sandbox, id: string): Promise<Delivery | null> {
    const sql = `${SELECT} WHERE d.number = ? AND d.sandbox = ?`
    const row = this.#db.row<DeliveryRow>(sql, numberOf(id), sandbox.id)
    return row ? this.#deliveryOf(row) : null
  }

  async replay(
    sandbox: Sandbox,
    which: DeliveryFilter | { id: string },
    due: number,
  ): Promise<number> {
    const { sql, values } =
      'id' in which
        ? { sql: 'd.sandbox = ? AND d.number = ?', values: [sandbox.id, numberOf(which.id)] }
        : condition(sandbox, which)
    return this.#db.run(
      `UPDATE deliveries SET state = 'pending', attempted = 0, cancelled = 0, hurried = 0,
         due = ? + (SELECT clock_offset FROM sandboxes WHERE id = deliveries.sandbox)
       WHERE number IN (SELECT d.number FROM deliveries d
         JOIN events e ON e.number = d.event JOIN endpoints p ON p.number = d.endpoint
         WHERE ${sql} AND d.state <> 'pending')`,
      due,
      ...values,
    ).changes
  }

  async cancel(sandbox: Sandbox, id: string): Promise<boolean> {
    const sql = `UPDATE deliveries SET state = 'dead', due = NULL, cancelled = 1
      WHERE number = ? AND sandbox = ? AND state = 'pending'`
    return this.#db.run(sql, numberOf(id), sandbox.id).changes === 1
  }

  async hurry(sandbox: Sandbox, id: string, due: number): Promise<boolean> {
    const sql = `UPDATE deliveries SET hurried = 1,
        due = ? + (SELECT clock_offset FROM sandboxes WHERE id = deliveries.sandbox)
      WHERE number = ? AND sandbox = ? AND state = 'pending'
        AND endpoint IN (SELECT number FROM endpoints WHERE disabled = 0)`
    return this.#db.run(sql, due, numberOf(id), sandbox.id).changes === 1
  }

  #deliveryOf({ number, cancelled, ...delivery }: DeliveryRow): Delivery {
    const attempts = this.#db
      .rows<Omit<Attempt, 'headers' | 'sent'> & { headers: string; sent: string | null }>(
        `SELECT at, status, reason, headers, body, sent, ms FROM attempts
         WHERE delivery = ? ORDER BY number`,
        number,
      )
      .map(({ headers, sent, ...attempt }) => ({
        ...attempt,
        headers: JSON.parse(headers),
        sent: sent === null ? null : JSON.parse(sent),
      }))
    const isDead = delivery.state === 'dead'
    const reason = cancelled === 1 ? CANCELLED : (attempts.at(-1)?.reason ?? null)
    return { id: idOf(number), ...delivery, reason: isDead ? reason : null, attempts }
  }
}

const LOGGED = 'e.number AS position, e.id, e.kind, e.occurred_at AS occurredAt, e.body'

const SELECT = `SELECT d.number, e.id AS event_id, e.kind, p.id AS endpoint_id, d.state,
  d.due AS due_at, d.cancelled
  FROM deliveries d JOIN events e ON e.number = d.event JOIN endpoints p ON p.number = d.endpoint`

function condition(sandbox: Sandbox, filter: DeliveryFilter, before?: string) {
  return joined([
    ['d.sandbox = ?', sandbox.id],
    ['d.state = ?', filter.state],
    ['p.id = ?', filter.endpoint],
    ['d.number = ?', filter.delivery === undefined ? undefined : numberOf(filter.delivery)],
    ['d.number < ?', before === undefined ? undefined : numberOf(before)],
    ...ofEvents(filter),
  ])
}

type Part = [sql: string, value: string | number | null | undefined]

function ofEvents({ kind, event, mention, since, until }: EventFilter): Part[] {
  return [
    ['e.kind = ?', kind],
    ['e.id = ?', event],
    ['e.occurred_at >= ?', since],
    ['e.occurred_at < ?', until],
    ['instr(e.body, ?) > 0', mention],
  ]
}

/** The parts that have a value. */
function joined(parts: readonly Part[]) {
  const given = parts.filter((part): part is [string, string | number | null] => {
    return part[1] !== undefined
  })
  return { sql: given.map(([sql]) => sql).join(' AND '), values: given.map(([, value]) => value) }
}
