import { setImmediate as immediate } from 'node:timers/promises'
import { KeyedMutex } from '../keyed-mutex.ts'
import { Leases } from '../leases.ts'
import { ALONE } from '../peers.ts'
import type { Store } from '../store.ts'
import type { Sandbox } from '../types.ts'
import { Database } from './database.ts'
import { Deliveries } from './deliveries.ts'
import { Endpoints } from './endpoints.ts'
import { Numbers } from './numbers.ts'
import { Outbox } from './outbox.ts'
import { Removals } from './removals.ts'
import { chosenRevisions, renameRevisions } from './revisions.ts'
import { Sandboxes } from './sandboxes.ts'
import { Snapshots } from './snapshots.ts'
import { State } from './state.ts'
import { Targets } from './targets.ts'

/** A store in a SQLite file, or in memory. Each method takes effect at once, in the order of the calls. */
export class SqliteStore implements Store {
  readonly sandboxes: Sandboxes
  readonly state: State
  readonly endpoints: Endpoints
  readonly deliveries: Deliveries
  readonly outbox: Outbox
  readonly snapshots: Snapshots
  readonly tenants = null
  readonly processes = 1
  readonly connections = null
  readonly peers = ALONE
  readonly notes = null
  readonly #db: Database
  readonly #removals: Removals
  readonly #mutex = new KeyedMutex()
  readonly #now: () => number

  /** @throws {StoreError} where the file cannot be used. */
  constructor(file: string, options: { isDurable?: boolean; now?: () => number } = {}) {
    const { isDurable = false, now = Date.now } = options
    const db = new Database(file, isDurable)
    const leases = new Leases()
    const numbers = new Numbers(db)
    const removals = new Removals(db)
    const targets = new Targets(db)
    this.endpoints = new Endpoints({ db, leases, numbers, removals, targets, now })
    this.deliveries = new Deliveries(db)
    this.outbox = new Outbox(db, leases, targets, now)
    this.state = new State({ db, outbox: this.outbox, numbers, now })
    const { state, endpoints, outbox } = this
    this.sandboxes = new Sandboxes({ db, state, endpoints, outbox, leases, numbers, now })
    const refresh = this.sandboxes.refresh.bind(this.sandboxes)
    const kept = { db, state, endpoints, leases, numbers, removals, targets }
    this.snapshots = new Snapshots({ ...kept, refresh, now })
    this.#db = db
    this.#now = now
    this.#removals = removals
  }

  now(): number {
    return this.#now()
  }

  exclusively<T>({ id }: Sandbox, name: string, work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(`${id} ${name}`, work)
  }

  async revisions(): Promise<string[]> {
    return chosenRevisions(this.#db)
  }

  async renameRevisions(names: ReadonlyMap<string, string>): Promise<void> {
    renameRevisions(this.#db, names)
    this.sandboxes.readRevisions()
  }

  async prune(before: number): Promise<number> {
    let pruned = 0
    // In small steps, so that the server can respond to requests in between.
    for (const step of [
      this.#removals.steps(),
      this.outbox.pruning(before),
      this.state.pruning(before),
    ]) {
      for (const count of step) {
        pruned += count
        await immediate()
      }
    }
    return pruned
  }

  async check(): Promise<void> {
    this.#db.check()
  }

  async close(): Promise<void> {
    this.#db.close()
  }
}
