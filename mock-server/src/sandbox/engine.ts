/** What outlives a contract: the store, and what brings events to their endpoints. */
import { Listeners } from '../delivery/listeners.ts'
import { seededChance } from '../delivery/schedule.ts'
import { type Result, Sender, type SenderOptions, type Sent } from '../delivery/sender.ts'
import { SharedListeners } from '../delivery/shared-listeners.ts'
import { Worker } from '../delivery/worker.ts'
import type { Log } from '../door/log.ts'
import { KeyedMutex } from '../store/keyed-mutex.ts'
import type { Store } from '../store/store.ts'
import { isListener, type Job, type Outcome, type Sandbox, type Source } from '../store/types.ts'
import { type Tracer, UNTRACED } from '../tracing/tracer.ts'
import { Deliveries } from './deliveries.ts'
import { Endpoints } from './endpoints.ts'
import { type Gate, OPEN } from './gate.ts'
import { Snapshots } from './snapshots.ts'

export interface EngineOptions {
  store: Store
  sender: SenderOptions
  /** Multiplies each wait between attempts. @default 1 */
  timeScale?: number | undefined
  /** How many attempts may run at one endpoint at once. */
  concurrency?: number | undefined
  log: Log
  /** The clock, in milliseconds since 1970. @default that of the store */
  now?: (() => number) | undefined
  /** How long finished deliveries and stored responses are kept, in milliseconds. @default 30 days */
  retention?: number | undefined
  /** @default nothing is traced */
  tracer?: Tracer | undefined
  /** Called after each attempt. */
  onAttempt?: OnAttempt | undefined
  /** Called with what each attempt came to. */
  onOutcome?: ((outcome: Outcome) => void) | undefined
  /** @default every key has a sandbox */
  gate?: Gate | undefined
}

/** @param headers Those of the request. */
export type OnAttempt = (
  job: Job,
  headers: Record<string, string>,
  outcome: { started: number; result: Result },
) => void

const HOUR = 3_600_000
const RETENTION = 30 * 24 * HOUR

export class Engine {
  readonly store: Store
  readonly sender: Sender
  readonly worker: Worker
  readonly endpoints: Endpoints
  readonly deliveries: Deliveries
  readonly listeners: SharedListeners
  /** Those that are open in this process. */
  readonly #own: Listeners
  readonly snapshots: Snapshots
  readonly now: () => number
  /** One step of a conversation at a time. */
  readonly steps = new KeyedMutex()
  /** Gives a source its next state, by the contract in service. */
  index: (sandbox: Sandbox, source: Source) => Promise<void> = async () => {}
  readonly #log: Log
  readonly #retention: number
  #pruning: NodeJS.Timeout | undefined

  constructor(options: EngineOptions) {
    const {
      store,
      sender,
      timeScale = 1,
      concurrency,
      log,
      now = () => store.now(),
      gate = OPEN,
      tracer = UNTRACED,
    } = options
    this.store = store
    this.now = now
    this.#log = log
    this.#retention = options.retention ?? RETENTION
    this.sender = new Sender(sender)
    this.#own = new Listeners({
      store: store.endpoints,
      exclusively: (one, step) => store.exclusively(one, 'listeners', step),
      headersOf: (job) => this.sender.headersOf(job),
      onArrival: (one) => void this.worker.poke(one),
      onResigned: (one, endpoint) => this.worker.renew(one, endpoint),
    })
    this.listeners = new SharedListeners(this.#own, store)
    this.worker = new Worker({
      store: store.outbox,
      now,
      log,
      send: (job) => tracer.attempting(job, () => this.#send(job, options.onAttempt)),
      schedule: { timeScale, chance: seededChance },
      onOutcome: options.onOutcome,
      index: ({ sandbox, source }) => tracer.apart(() => this.index(sandbox, source)),
      ...(concurrency === undefined ? {} : { concurrency }),
    })
    this.endpoints = new Endpoints({
      store,
      worker: this.worker,
      listeners: this.listeners,
      allow: (one) => gate.allow(one, 'endpoint'),
    })
    const { deliveries, sandboxes } = store
    this.deliveries = new Deliveries({ store: deliveries, sandboxes, worker: this.worker, now })
    const { worker, listeners } = this
    this.snapshots = new Snapshots({ store: store.snapshots, worker, listeners })
  }

  /** Continues with the deliveries that the last process left pending. @throws what the store throws. */
  async start(): Promise<void> {
    await this.worker.start()
    await this.#prune()
    this.#pruning = setInterval(() => void this.prune(), HOUR).unref()
  }

  /** Removes old finished data, and the rest of removed endpoints. Keeps pending and dead deliveries. */
  async prune(): Promise<void> {
    try {
      await this.#prune()
    } catch (error) {
      this.#log.error('old data cannot be removed', { error: String(error) })
    }
  }

  async #prune(): Promise<void> {
    await this.store.prune(this.now() - this.#retention)
  }

  async #send(job: Job, onAttempt: OnAttempt | undefined): Promise<Sent | null> {
    const { endpoint, event } = job
    const started = Date.now()
    const from = performance.now()
    const sent = this.sender.headersOf(job)
    // How long a listener's delivery waits for a consumer says nothing about its receiver.
    const isPolled = isListener(endpoint)
    const result = isPolled
      ? await this.#own.send(job)
      : await this.sender.post(endpoint.url, sent, event.body)
    if (result && onAttempt) onAttempt(job, sent, { started, result })
    const ms = isPolled ? null : Math.round((performance.now() - from) * 10) / 10
    return result && { ...result, sent, ms }
  }

  /** Ends the polls of consumers, so that they go elsewhere. */
  stopListening(): Promise<void> {
    return this.#own.stop()
  }

  /** Waits for the running attempts and closes the store. */
  async close(): Promise<void> {
    clearInterval(this.#pruning)
    await this.stopListening()
    await this.worker.stop()
    await this.sender.close()
    await this.store.close()
  }
}
