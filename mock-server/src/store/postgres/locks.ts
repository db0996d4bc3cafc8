/** Work that only one process does at a time. */
import { setTimeout as delay } from 'node:timers/promises'
import { KeyedMutex } from '../keyed-mutex.ts'
import type { Sandbox } from '../types.ts'
import type { Database } from './database.ts'
import { free, type Replicas } from './replicas.ts'

/** How long to wait before a lock that another process has is tried again, in milliseconds. */
const RETRY = 25

export class Locks {
  readonly #db: Database
  readonly #replicas: Replicas
  /** Within this process, in the order of the calls. */
  readonly #mutex = new KeyedMutex()

  constructor(db: Database, replicas: Replicas) {
    this.#db = db
    this.#replicas = replicas
  }

  exclusively<T>({ id }: Pick<Sandbox, 'id'>, name: string, work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(`${id} ${name}`, async () => {
      while (!(await this.#take(id, name))) await delay(RETRY)
      try {
        return await work()
      } finally {
        const sql = 'DELETE FROM {locks} WHERE sandbox = ? AND name = ? AND replica = ?'
        // The work is done either way. The lock ends with this process, which may take it again.
        await this.#db.run(sql, id, name, this.#replicas.id).catch(() => {})
      }
    })
  }

  async #take(sandbox: number, name: string): Promise<boolean> {
    const { id } = this.#replicas
    const taken = await this.#db.run(
      `INSERT INTO {locks} AS l (sandbox, name, replica) VALUES (?, ?, ?)
       ON CONFLICT (sandbox, name) DO UPDATE SET replica = excluded.replica
       WHERE ${free('l.replica')}`,
      sandbox,
      name,
      id,
      id,
    )
    return taken === 1
  }
}
