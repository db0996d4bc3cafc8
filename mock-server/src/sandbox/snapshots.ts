/** Named states of a sandbox, to go back to: its data, its clock, its endpoints and their deliveries. */
import type { SharedListeners } from '../delivery/shared-listeners.ts'
import type { Worker } from '../delivery/worker.ts'
import { invalid, Problem } from '../door/problem.ts'
import type { SnapshotStore } from '../store/store.ts'
import type { Sandbox, Snapshot } from '../store/types.ts'

export interface SnapshotsOptions {
  store: SnapshotStore
  worker: Worker
  listeners: SharedListeners
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** How many a sandbox has. */
const MOST = 50

export class Snapshots {
  readonly #options: SnapshotsOptions

  constructor(options: SnapshotsOptions) {
    this.#options = options
  }

  /** Replaces one of the same name. Attempts that run count as not made. @throws {Problem} 409 for too many, 422 for another name. */
  async take(sandbox: Sandbox, name: string): Promise<Snapshot> {
    const { store } = this.#options
    if (!NAME.test(name)) {
      throw invalid(
        'The name of a snapshot has 1 to 64 letters, digits, dots, hyphens and underscores, and begins with a letter or a digit.',
      )
    }
    const known = await store.list(sandbox)
    if (known.length >= MOST && !known.some((one) => one.name === name)) {
      const detail = `The sandbox has ${MOST} snapshots already. Remove one, or use its name again.`
      throw new Problem(409, 'too_many_snapshots', detail)
    }
    return store.take(sandbox, name)
  }

  list(sandbox: Sandbox): Promise<Snapshot[]> {
    return this.#options.store.list(sandbox)
  }

  /**
   * Brings a sandbox back. Its consumers stay. The results of running attempts are lost: what the snapshot has as
   * pending is attempted again.
   *
   * @throws {Problem} 404
   */
  async restore(sandbox: Sandbox, name: string): Promise<void> {
    const { store, worker, listeners } = this.#options
    await listeners.reset(sandbox, async (kept) => {
      if (!(await store.restore(sandbox, name, kept))) throw await this.#notFound(sandbox, name)
      worker.drop(sandbox)
    })
    await worker.poke(sandbox)
  }

  /** @throws {Problem} 404 */
  async remove(sandbox: Sandbox, name: string): Promise<void> {
    const isKnown = await this.#options.store.remove(sandbox, name)
    if (!isKnown) throw await this.#notFound(sandbox, name)
  }

  async #notFound(sandbox: Sandbox, name: string): Promise<Problem> {
    const names = (await this.list(sandbox)).map((one) => one.name)
    const hint = names.length > 0 ? `Use one of: ${names.join(', ')}.` : 'Take one first.'
    return new Problem(404, 'snapshot_not_found', `There is no snapshot ${name}. ${hint}`)
  }
}
