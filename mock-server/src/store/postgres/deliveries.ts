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
import { decoded } from './free-text.ts'
import type { Notices } from './notices.ts'

interface DeliveryRow {
  number: number
  event_id: string
  kind: string
  endpoint_id: string
  state: State
  due_at: number | null
  cancelled: boolean
}

interface AttemptRow extends Omit<Attempt, 'headers' | 'sent'> {
  delivery: number
  headers: string
  sent: string | null
}

/** The reason of deliveries that were cancelled. */
const CANCELLED = 'cancelled'

export interface DeliveriesOptions {
  db: Database
  notices: Notices
  /** Called with endpoints that have something to attempt by now. */
  onDue: (endpoints: readonly number[]) => void
}

export class Deliveries implements DeliveryStore {
  readonly #options: DeliveriesOptions
  readonly #db: Database

  constructor(options: DeliveriesOptions) {
    this.#options = options
    this.#db = options.db
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
      ['e.revision IS NOT DISTINCT FROM ?', revision],
      ...ofEvents(filter),
    ])
    const newest = `SELECT ${LOGGED} FROM {events} e WHERE ${sql} ORDER BY e.number DESC LIMIT ?`
    return this.#db.rows<Logged>(newest, ...values, limit)
  }

  async eventOf(sandbox: Sandbox, delivery: string): Promise<Logged | null> {
    const sql = `SELECT ${LOGGED} FROM ${JOINED} WHERE d.number = ? AND d.sandbox = ?`
    return (await this.#db.row<Logged>(sql, numberOf(delivery), sandbox.id)) ?? null
  }

  async list(
    sandbox: Sandbox,
    filter: DeliveryFilter,
    limit: number,
    before?: string,
  ): Promise<Delivery[]> {
    const states = filter.state === undefined ? STATES : [filter.state]
    // One query for each state, since the index goes by it.
    const found = states.map((state) => {
      const { sql, values } = condition(sandbox, { ...filter, state }, before)
      const newest = `${SELECT} WHERE ${sql} ORDER BY d.number DESC LIMIT ?`
      return this.#db.rows<DeliveryRow>(newest, ...values, limit)
    })
    const rows = (await Promise.all(found)).flat().sort((a, b) => b.number - a.number)
    return this.#withAttempts(sandbox, rows.slice(0, limit))
  }

  async count(sandbox: Sandbox, filter: DeliveryFilter, most: number): Promise<number> {
    const { sql, values } = condition(sandbox, filter)
    const limited = `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${JOINED} WHERE ${sql} LIMIT ?) AS found`
    return (await this.#db.row<{ count: number }>(limited, ...values, most))?.count ?? 0
  }

  async statistics(sandbox: Sandbox, most: number): Promise<Statistics[]> {
    const found = new Map<string, Statistics>()
    for (const state of STATES) {
      const rows = await this.#db.rows<{ endpoint_id: string; count: number }>(
        `SELECT p.id AS endpoint_id, count(*)::int AS count FROM (
           SELECT endpoint FROM {deliveries} WHERE sandbox = ? AND state = ?
           ORDER BY number DESC LIMIT ?) AS d
         JOIN {endpoints} p ON p.number = d.endpoint GROUP BY p.id ORDER BY p.id`,
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
    const rows = await this.#db.rows<DeliveryRow>(sql, numberOf(id), sandbox.id)
    const [delivery = null] = await this.#withAttempts(sandbox, rows)
    return delivery
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
    const replayed = `WITH replayed AS (
      UPDATE {deliveries} SET state = 'pending', attempted = 0, cycle = cycle + 1, cancelled = false,
        hurried = false, due = ?::bigint + (SELECT clock_offset FROM {sandboxes} WHERE id = ?)
      WHERE sandbox = ? AND number IN (
        SELECT d.number FROM ${JOINED} WHERE ${sql} AND d.state <> 'pending' ORDER BY d.number FOR NO KEY UPDATE OF d)
      RETURNING endpoint)`
    return this.#made(replayed, 'replayed', sandbox, due, [due, sandbox.id, sandbox.id, ...values])
  }

  async cancel(sandbox: Sandbox, id: string): Promise<boolean> {
    const sql = `UPDATE {deliveries} SET state = 'dead', due = NULL, cancelled = true
      WHERE number = ? AND sandbox = ? AND state = 'pending'`
    const isCancelled = (await this.#db.run(sql, numberOf(id), sandbox.id)) === 1
    if (isCancelled) this.#options.notices.changed(sandbox.id)
    return isCancelled
  }

  async hurry(sandbox: Sandbox, id: string, due: number): Promise<boolean> {
    const hurried = `WITH hurried AS (
      UPDATE {deliveries} SET hurried = true,
        due = ?::bigint + (SELECT clock_offset FROM {sandboxes} WHERE id = ?)
      WHERE number = ? AND sandbox = ? AND state = 'pending'
        AND endpoint IN (SELECT number FROM {endpoints} WHERE sandbox = ? AND NOT disabled)
      RETURNING endpoint)`
    const { id: number } = sandbox
    const values = [due, number, numberOf(id), number, number]
    return (await this.#made(hurried, 'hurried', sandbox, due, values)) === 1
  }

  /** Makes deliveries due, and with them their endpoints. @returns how many deliveries. */
  async #made(
    cte: string,
    name: string,
    { id }: Sandbox,
    due: number,
    values: readonly unknown[],
  ): Promise<number> {
    const row = await this.#db.row<{ count: number; endpoints: number[] }>(
      `${cte}, woken AS (
         UPDATE {endpoints} SET due = ? WHERE sandbox = ? AND number IN (
           SELECT number FROM {endpoints} WHERE sandbox = ? AND number IN (SELECT endpoint FROM ${name})
             AND (due IS NULL OR due > ?) ORDER BY number FOR NO KEY UPDATE))
       SELECT count(*)::int AS count, array_agg(DISTINCT endpoint) AS endpoints FROM ${name}`,
      ...values,
      due,
      id,
      id,
      due,
    )
    this.#options.onDue(row?.endpoints ?? [])
    return row?.count ?? 0
  }

  async #withAttempts({ id }: Sandbox, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
    if (rows.length === 0) return []
    const attempts = await this.#db.rows<AttemptRow>(
      `SELECT delivery, at, status, reason, headers, body, sent, ms FROM {attempts}
       WHERE sandbox = ? AND delivery = ANY(?) ORDER BY delivery, number`,
      id,
      rows.map(({ number }) => number),
    )
    const byDelivery = new Map<number, Attempt[]>(rows.map(({ number }) => [number, []]))
    for (const attempt of attempts) byDelivery.get(attempt.delivery)?.push(attemptOf(attempt))
    return rows.map((row) => deliveryOf(row, byDelivery.get(row.number) ?? []))
  }
}

function deliveryOf(
  { number, cancelled, ...delivery }: DeliveryRow,
  attempts: Attempt[],
): Delivery {
  const reason = cancelled ? CANCELLED : (attempts.at(-1)?.reason ?? null)
  return {
    id: idOf(number),
    ...delivery,
    reason: delivery.state === 'dead' ? reason : null,
    attempts,
  }
}

function attemptOf({ delivery: _, reason, headers, body, sent, ...attempt }: AttemptRow): Attempt {
  return {
    ...attempt,
    reason: decoded(reason),
    headers: JSON.parse(headers),
    body: decoded(body),
    sent: sent === null ? null : JSON.parse(sent),
  }
}

const LOGGED = 'e.number AS position, e.id, e.kind, e.occurred_at AS "occurredAt", e.body'

const JOINED = `{deliveries} d JOIN {events} e ON e.sandbox = d.sandbox AND e.number = d.event
  JOIN {endpoints} p ON p.number = d.endpoint`

const SELECT = `SELECT d.number, e.id AS event_id, e.kind, p.id AS endpoint_id, d.state,
  d.due AS due_at, d.cancelled FROM ${JOINED}`

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
    ['position(? IN e.body) > 0', mention],
  ]
}

/** The parts that have a value. */
function joined(parts: readonly Part[]) {
  const given = parts.filter((part): part is [string, string | number | null] => {
    return part[1] !== undefined
  })
  return { sql: given.map(([sql]) => sql).join(' AND '), values: given.map(([, value]) => value) }
}
