import type { Sandbox } from '../types.ts'
import { type Database, PRUNED } from './database.ts'

/** Where the next step starts. */
interface Position {
  state: string
  number: number
}

/** Removes endpoints at once, and their deliveries little by little. */
export class Removals {
  readonly #db: Database
  /** The sandboxes of endpoints whose deliveries are still to be removed. */
  readonly #open: Map<number, number>

  constructor(db: Database) {
    this.#db = db
    const sql = 'SELECT number, sandbox FROM removed_endpoints'
    const rows = db.rows<{ number: number; sandbox: number }>(sql)
    this.#open = new Map(rows.map(({ number, sandbox }) => [number, sandbox]))
  }

  /** Removes an endpoint. Nothing finds its deliveries from now on. @returns its number, if there is one */
  add(sandbox: Sandbox, id: string): number | undefined {
    const number = this.#db.transaction(() => {
      const gone = 'DELETE FROM endpoints WHERE sandbox = ? AND id = ? RETURNING number'
      const row = this.#db.row<{ number: number }>(gone, sandbox.id, id)
      const open = 'INSERT INTO removed_endpoints (sandbox, number) VALUES (?, ?)'
      if (row) this.#db.run(open, sandbox.id, row.number)
      return row?.number
    })
    if (number !== undefined) this.#open.set(number, sandbox.id)
    return number
  }

  /** Keeps endpoints that a snapshot has brought back. */
  forget(endpoints: readonly number[]): void {
    const sql = 'DELETE FROM removed_endpoints WHERE number IN (SELECT value FROM json_each(?))'
    this.#db.run(sql, JSON.stringify(endpoints))
    for (const number of endpoints) this.#open.delete(number)
  }

  /** Removes the deliveries step by step. */
  *steps(): Generator<number> {
    for (const [endpoint, sandbox] of this.#open) {
      // Their only index goes by state, which does not change any more.
      let last: Position | undefined = { state: '', number: 0 }
      while (last) {
        const found: Position[] = this.#db.rows<Position>(
          `SELECT state, number FROM deliveries WHERE sandbox = ? AND (state, number) > (?, ?)
           ORDER BY state, number LIMIT ?`,
          sandbox,
          last.state,
          last.number,
          PRUNED,
        )
        yield this.#db.run(
          'DELETE FROM deliveries WHERE endpoint = ? AND number IN (SELECT value FROM json_each(?))',
          endpoint,
          JSON.stringify(found.map(({ number }) => number)),
        ).changes
        last = found.at(-1)
      }
      const done = 'DELETE FROM removed_endpoints WHERE sandbox = ? AND number = ?'
      this.#db.run(done, sandbox, endpoint)
      this.#open.delete(endpoint)
    }
  }
}
