/** Counts the deliveries of a day, also those whose rows are gone. */
import type { Queries } from './database.ts'

const DAY = 24 * 3_600_000

/** When the day (UTC) of a time began. */
export function dayOf(now: number): number {
  return now - (now % DAY)
}

/** How many deliveries of a sandbox `s` a day has, by their rows. Wants the beginning of the day. */
export const COUNTED = `(SELECT count(*)::int FROM {deliveries} d WHERE d.sandbox = s.id AND d.event >= (
  SELECT number FROM {events} e WHERE e.recorded_at >= ? ORDER BY e.recorded_at, e.number LIMIT 1))`

/** How many there were besides. Wants the beginning of the day. */
export const SPENT = 'CASE WHEN s.spent_on = ? THEN s.spent ELSE 0 END'

/** Does work that removes or brings back deliveries, as a part of a transaction. The day has no fewer afterwards. */
export async function keepingSpent<T>(
  queries: Queries,
  { id }: { id: number },
  now: number,
  work: () => Promise<T>,
): Promise<T> {
  const day = dayOf(now)
  const sql = `SELECT ${COUNTED} + ${SPENT} AS used FROM {sandboxes} s WHERE id = ?`
  const { used = 0 } = (await queries.row<{ used: number }>(sql, day, day, id)) ?? {}
  const result = await work()
  if (used > 0) {
    const keep = `UPDATE {sandboxes} s SET spent = greatest(0, ? - ${COUNTED}), spent_on = ? WHERE id = ?`
    await queries.run(keep, used, day, day, id)
  }
  return result
}
