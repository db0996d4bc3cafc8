/** Removes old data, and the rest of removed endpoints, a thousand rows at a time. */
import type { Database, Queries } from './database.ts'
import { keepingSpent } from './spent.ts'

const PRUNED = 1000

/** @returns how many rows that count as data: events, responses, and deliveries of removed endpoints. */
export async function prune(db: Database, before: number, now: number): Promise<number> {
  return (
    (await removeEndpoints(db, now)) + (await removeEvents(db, before)) + (await forget(db, before))
  )
}

async function removeEndpoints(db: Database, now: number): Promise<number> {
  let pruned = 0
  const open = 'SELECT sandbox, number FROM {removed_endpoints}'
  for (const one of await db.rows<{ sandbox: number; number: number }>(open)) {
    pruned += await removeDeliveries(db, one, now)
    const done = 'DELETE FROM {removed_endpoints} WHERE sandbox = ? AND number = ?'
    await db.run(done, one.sandbox, one.number)
  }
  return pruned
}

async function removeDeliveries(
  db: Database,
  { sandbox, number: endpoint }: { sandbox: number; number: number },
  now: number,
): Promise<number> {
  let pruned = 0
  for (let last = -1; ; ) {
    const found = await db.rows<{ number: number; endpoint: number }>(
      `SELECT number, endpoint FROM {deliveries} WHERE sandbox = ? AND number > ? ORDER BY number LIMIT ${PRUNED}`,
      sandbox,
      last,
    )
    const own = found.filter((one) => one.endpoint === endpoint).map(({ number }) => number)
    if (own.length > 0) {
      await db.transaction((queries) =>
        keepingSpent(queries, { id: sandbox }, now, () => removeAll(queries, sandbox, own)),
      )
    }
    pruned += own.length
    last = found.at(-1)?.number ?? last
    if (found.length < PRUNED) return pruned
  }
}

/** Removes deliveries with their attempts. */
async function removeAll(db: Queries, sandbox: number, numbers: readonly number[]): Promise<void> {
  await db.run(
    `WITH gone AS (DELETE FROM {deliveries} WHERE sandbox = ? AND number = ANY(?) RETURNING number)
     DELETE FROM {attempts} WHERE sandbox = ? AND delivery IN (SELECT number FROM gone)`,
    sandbox,
    numbers,
    sandbox,
  )
}

/** Removes old events whose deliveries have all succeeded, with those. */
async function removeEvents(db: Database, before: number): Promise<number> {
  let pruned = 0
  let last = { at: 0, number: 0 }
  for (;;) {
    const old = await db.rows<{ at: number; number: number; sandbox: number }>(
      `SELECT recorded_at AS at, number, sandbox FROM {events}
       WHERE (recorded_at, number) > (?, ?) AND recorded_at < ?
       ORDER BY recorded_at, number LIMIT ${PRUNED}`,
      last.at,
      last.number,
      before,
    )
    last = old.at(-1) ?? last
    const gone = await db.row<{ count: number }>(
      `WITH old AS (SELECT * FROM unnest(?::bigint[], ?::bigint[]) AS o (sandbox, number)),
       gone AS (
         DELETE FROM {events} e USING old o WHERE e.sandbox = o.sandbox AND e.number = o.number
           AND NOT EXISTS (SELECT 1 FROM {deliveries} d
             WHERE d.sandbox = e.sandbox AND d.event = e.number AND d.state <> 'succeeded')
         RETURNING e.sandbox, e.number),
       delivered AS (
         DELETE FROM {deliveries} d USING gone g WHERE d.sandbox = g.sandbox AND d.event = g.number
         RETURNING d.sandbox, d.number),
       attempted AS (
         DELETE FROM {attempts} a USING delivered d WHERE a.sandbox = d.sandbox AND a.delivery = d.number)
       SELECT count(*)::int AS count FROM gone`,
      old.map(({ sandbox }) => sandbox),
      old.map(({ number }) => number),
    )
    pruned += gone?.count ?? 0
    if (old.length < PRUNED) return pruned
  }
}

/** Forgets old responses to requests with an idempotency key. */
async function forget(db: Database, before: number): Promise<number> {
  const sql = `DELETE FROM {remembered} WHERE (sandbox, scope) IN (
    SELECT sandbox, scope FROM {remembered} WHERE at < ? LIMIT ${PRUNED})`
  let pruned = 0
  for (let changes = PRUNED; changes === PRUNED; pruned += changes) {
    changes = await db.run(sql, before)
  }
  return pruned
}
