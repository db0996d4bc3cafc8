import type { Sandbox } from '../types.ts'
import type { Database } from './database.ts'

/** Numbers for ids. The last one of a sandbox is stored in the same transaction as its use. */
export class Numbers {
  readonly #db: Database
  readonly #last = new Map<number, number>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Reserves numbers. @returns the first of `count` */
  reserve({ id }: Sandbox, count: number): number {
    const sql = 'SELECT numbers FROM sandboxes WHERE id = ?'
    const last = this.#last.get(id) ?? this.#db.row<{ numbers: number }>(sql, id)?.numbers ?? 0
    this.#last.set(id, last + count)
    return last + 1
  }

  /** Notes that a sandbox was used now, and its numbers with it. */
  use({ id }: Sandbox, now: number): void {
    const sql = 'UPDATE sandboxes SET used_at = ?, numbers = max(numbers, ?) WHERE id = ?'
    this.#db.run(sql, now, this.#last.get(id) ?? 0, id)
  }

  /** Drops the cached numbers of a sandbox that was reset or removed. */
  drop(sandbox: number): void {
    this.#last.delete(sandbox)
  }
}
