/** Events and deliveries as they are shown. */
import type { DeliveryStore } from '../store.ts'
import {
  type Attempt,
  type Delivery,
  type DeliveryFilter,
  type Logged,
  type Sandbox,
  STATES,
  type State,
} from '../types.ts'
import type { Database } from './database.ts'

interface DeliveryRow {
  number: number
  event_id: string
  kind: string
  endpoint_id: string
  state: State
  due_at: number | null
}

const PREFIX = 'dlv_'

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
  ): Promise<Logged[]> {
    const sql = `SELECT ${LOGGED} FROM events e
      WHERE e.sandbox = ? AND e.number < ? AND e.revision IS ? ORDER BY e.number DESC LIMIT ?`
    return this.#db.rows<Logged>(sql, sandbox.id, before, revision, limit)
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

  async count(sandbox: Sandbox, state: State, most: number): Promise<number> {
    const sql = `SELECT count(*) AS count FROM (
      SELECT 1 FROM deliveries d JOIN endpoints p ON p.number = d.endpoint
      WHERE d.sandbox = ? AND d.state = ? LIMIT ?)`
    return this.#db.row<{ count: number }>(sql, sandbox.id, state, most)?.count ?? 0
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
      `UPDATE deliveries SET state = 'pending', attempted = 0,
         due = ? + (SELECT clock_offset FROM sandboxes WHERE id = deliveries.sandbox)
       WHERE number IN (SELECT d.number FROM deliveries d
         JOIN events e ON e.number = d.event JOIN endpoints p ON p.number = d.endpoint
         WHERE ${sql} AND d.state <> 'pending')`,
      due,
      ...values,
    ).changes
  }

  #deliveryOf({ number, ...delivery }: DeliveryRow): Delivery {
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
    return { id: idOf(number), ...delivery, attempts }
  }
}

/** The id of a delivery. */
export function idOf(number: number): string {
  return `${PREFIX}${number}`
}

const LOGGED = 'e.number AS position, e.id, e.kind, e.occurred_at AS occurredAt, e.body'

const SELECT = `SELECT d.number, e.id AS event_id, e.kind, p.id AS endpoint_id, d.state,
  d.due AS due_at
  FROM deliveries d JOIN events e ON e.number = d.event JOIN endpoints p ON p.number = d.endpoint`

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
