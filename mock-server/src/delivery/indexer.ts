/** Gives sources their next states when these are due. */
import type { OutboxStore } from '../store/store.ts'

export type DueSource = Awaited<ReturnType<OutboxStore['dueSources']>>[number]

export interface IndexerOptions {
  store: OutboxStore
  now: () => number
  /** Gives a source its next state. */
  index: (due: DueSource) => Promise<void>
}

/** How many sources are read at once. */
const BATCH = 100

export class Indexer {
  readonly #options: IndexerOptions
  #due: number | null = null
  /** Whether the time of the next one is out of date. */
  #isStale = true

  constructor(options: IndexerOptions) {
    this.#options = options
  }

  /** When the next source is due; null while none is. */
  get due(): number | null {
    return this.#due
  }

  get hasWork(): boolean {
    return this.#isStale || this.#isDue
  }

  /** Notes that sources may have changed. */
  invalidate(): void {
    this.#isStale = true
  }

  async work(): Promise<void> {
    const { store, now, index } = this.#options
    if (this.#isStale) await this.#read()
    if (!this.#isDue) return
    for (const due of await store.dueSources(now(), BATCH)) await index(due)
    await this.#read()
  }

  async #read(): Promise<void> {
    // Before the store is read: what changes meanwhile makes it stale again.
    this.#isStale = false
    this.#due = await this.#options.store.firstSourceDue()
  }

  get #isDue(): boolean {
    return this.#due !== null && this.#due <= this.#options.now()
  }
}
