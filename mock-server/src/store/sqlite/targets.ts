import type { Sandbox } from '../types.ts'
import type { Database } from './database.ts'

/** Which sandboxes may have endpoints. An event of any other needs no query for them. */
export class Targets {
  readonly #db: Database
  /** By the number of the sandbox. It stays true after the last endpoint is gone. */
  readonly #known = new Map<number, boolean>()

  constructor(db: Database) {
    this.#db = db
  }

  mayExist({ id }: Sandbox): boolean {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const sql = 'SELECT 1 FROM endpoints WHERE sandbox = ? LIMIT 1'
    const found = this.#db.row(sql, id) !== undefined
    this.#known.set(id, found)
    return found
  }

  /** Notes that a sandbox gets an endpoint. */
  expect({ id }: Sandbox): void {
    this.#known.set(id, true)
  }
}
