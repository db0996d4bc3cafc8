/** All sandboxes, one for each key, with one store and one worker. */
import { hash } from 'node:crypto'
import type { DriftCheck } from '../contract/drift.ts'
import { Listeners } from '../delivery/listeners.ts'
import { seededChance } from '../delivery/schedule.ts'
import { Sender, type SenderOptions } from '../delivery/sender.ts'
import { advance } from '../delivery/time.ts'
import { Worker } from '../delivery/worker.ts'
import type { Log } from '../door/log.ts'
import { Problem } from '../door/problem.ts'
import { KeyedMutex } from '../store/keyed-mutex.ts'
import type { Store } from '../store/store.ts'
import { type Conversation, isListener, type Sandbox, type Seed } from '../store/types.ts'
import { type Bindings, pageNamesOf } from './bindings.ts'
import { Deliveries } from './deliveries.ts'
import { Endpoints } from './endpoints.ts'
import { Events } from './events.ts'
import { Life, notFound } from './life.ts'
import { operationsOf } from './operations.ts'
import { type Serve, servingOf } from './serving.ts'
import type { ThreadMessage } from './shapes.ts'

export interface SandboxesOptions {
  store: Store
  seed: Seed
  bindings: Bindings
  /** Checks everything that is sent; undefined for nothing. */
  drift?: DriftCheck | undefined
  /** The URL of a conversation. The address is known once the server listens. */
  urlOf: (conversation: string) => string
  sender: SenderOptions
  /** Multiplies each wait between attempts. @default 1 */
  timeScale?: number | undefined
  /** How many attempts may run at one endpoint at once. */
  concurrency?: number | undefined
  log: Log
  /** The clock, in milliseconds since 1970. @default Date.now */
  now?: (() => number) | undefined
  /** How long finished deliveries and stored responses are kept, in milliseconds. @default 30 days */
  retention?: number | undefined
}

const HOUR = 3_600_000
const RETENTION = 30 * 24 * HOUR

export class Sandboxes {
  /** For reading. All changes go through the members below. */
  readonly store: Store
  readonly life: Life
  readonly endpoints: Endpoints
  readonly deliveries: Deliveries
  readonly listeners: Listeners
  readonly bindings: Bindings
  /** By `METHOD /path` of the contract. */
  readonly operations: ReadonlyMap<string, Serve>
  readonly #options: SandboxesOptions
  readonly #sender: Sender
  readonly #worker: Worker
  readonly #now: () => number
  /** One move of a sandbox's clock at a time. */
  readonly #clocks = new KeyedMutex()
  #pruning: NodeJS.Timeout | undefined

  constructor(options: SandboxesOptions) {
    const { store, sender, timeScale = 1, concurrency, log, now = Date.now } = options
    const { bindings, drift, urlOf } = options
    this.bindings = bindings
    this.#options = options
    this.store = store
    this.#now = now
    this.#sender = new Sender(sender)
    this.life = new Life({
      store: store.state,
      events: new Events({ bindings, drift, urlOf }),
      ids: bindings.ids,
      urlOf,
      now,
      onChange: (one, { source }) => void this.#worker.poke(one, source !== undefined),
    })
    this.listeners = new Listeners({
      store: store.endpoints,
      headersOf: (job) => this.#sender.headersOf(job),
      onArrival: (one) => void this.#worker.poke(one),
    })
    const worker = new Worker({
      store: store.outbox,
      now,
      log,
      send: (job) => (isListener(job.endpoint) ? this.listeners : this.#sender).send(job),
      schedule: { timeScale, chance: seededChance },
      index: ({ sandbox, source }) => this.life.index(sandbox, source),
      ...(concurrency === undefined ? {} : { concurrency }),
    })
    this.#worker = worker
    this.endpoints = new Endpoints({ store, worker, listeners: this.listeners })
    this.deliveries = new Deliveries({ store: store.deliveries, worker, now })
    const pageNames = pageNamesOf(bindings.operation('list')?.described)
    const operations = operationsOf(store.state, this.life, pageNames)
    this.operations = new Map(
      [...bindings.operations].map(([route, bound]) => [
        route,
        servingOf(bound, operations[bound.name], drift),
      ]),
    )
  }

  /** Continues with the deliveries that the last process left pending. */
  async start(): Promise<void> {
    await this.#worker.start()
    this.#pruning = setInterval(() => void this.prune(), HOUR).unref()
    await this.prune()
  }

  /** Removes old finished data, and the rest of removed endpoints. Keeps pending and dead deliveries. */
  async prune(): Promise<void> {
    const { retention = RETENTION, log } = this.#options
    try {
      await this.store.prune(this.#now() - retention)
    } catch (error) {
      log.error('old data cannot be removed', { error: String(error) })
    }
  }

  /** Waits for the running attempts and closes the store. */
  async close(): Promise<void> {
    clearInterval(this.#pruning)
    await this.listeners.stop()
    await this.#worker.stop()
    await this.#sender.close()
    await this.store.close()
  }

  /**
   * The sandbox of a key.
   *
   * @throws {Problem} 503 where there is no room for another one.
   */
  async of(key: string): Promise<Sandbox> {
    const digest = hash('sha256', key, 'base64url')
    const sandbox = await this.store.sandboxes.get(digest, () => this.#options.seed)
    if (sandbox) return sandbox
    const detail =
      'There are 1,000 sandboxes, and each has pending or dead deliveries. Use a key that has a sandbox already, or reset some.'
    throw new Problem(503, 'too_many_sandboxes', detail)
  }

  /** Whether the store can be read. */
  isReadable(): Promise<boolean> {
    return this.store.outbox.firstSourceDue().then(
      () => true,
      () => false,
    )
  }

  /** Empties a sandbox and seeds it again. Its consumers stay. */
  async reset(sandbox: Sandbox): Promise<void> {
    const { seed } = this.#options
    await this.listeners.reset(sandbox, async (kept) => {
      await this.store.sandboxes.reset(sandbox, {
        ...seed,
        endpoints: [...seed.endpoints, ...kept],
      })
      this.#worker.drop(sandbox)
    })
  }

  /**
   * Advances a sandbox's clock. Returns when every attempt that became due has ended.
   *
   * @param ms How far, in milliseconds.
   * @returns the sandbox's new time.
   */
  async advance(sandbox: Sandbox, ms: number): Promise<number> {
    const parts = { store: this.store.sandboxes, worker: this.#worker, now: this.#now }
    const move = () => advance(sandbox, ms, parts)
    return this.life.now(await this.#clocks.run(String(sandbox.id), move))
  }

  /** Waits until no attempt of a sandbox runs and no delivery is due. */
  settled(sandbox: Sandbox): Promise<void> {
    return this.#worker.settled(sandbox)
  }

  /** The most recently changed first, those before a position. */
  async conversations(sandbox: Sandbox, before: number, limit: number): Promise<Conversation[]> {
    const listed = await this.store.state.conversations(sandbox, { before, limit })
    const found = await Promise.all(
      listed.map(({ json }) => this.store.state.conversation(sandbox, JSON.parse(json).id)),
    )
    return found.filter((one) => one !== null)
  }

  /** A conversation with its messages. */
  async thread(sandbox: Sandbox, id: string) {
    const conversation = await this.store.state.conversation(sandbox, id)
    const thread = await this.store.state.thread(sandbox, id)
    if (!conversation || !thread) throw notFound(id)
    const messages: ThreadMessage[] = JSON.parse(`[${thread.transcript}]`)
    return { conversation, messages }
  }
}
