/** All sandboxes: one for each key, behind one store and one worker. */
import { hash } from 'node:crypto'
import type { Message } from '@support-chat/sdk'
import { Listeners } from '../delivery/listeners.ts'
import { seededChance } from '../delivery/schedule.ts'
import { newSecret } from '../delivery/secret.ts'
import { Sender, type SenderOptions } from '../delivery/sender.ts'
import { advance } from '../delivery/time.ts'
import { Worker } from '../delivery/worker.ts'
import type { Log } from '../door/log.ts'
import { Problem } from '../door/problem.ts'
import { makeId } from '../store/ids.ts'
import { KeyedMutex } from '../store/keyed-mutex.ts'
import {
  type Conversation,
  type Delivery,
  type DeliveryFilter,
  type Endpoint,
  isListener,
  type Logged,
  type Sandbox,
  type Seed,
  type State,
  type Store,
} from '../store/types.ts'
import { Life, notFound } from './life.ts'
import { type Operation, operationsOf } from './operations.ts'

export interface SandboxesOptions {
  store: Store
  seed: Seed
  /** Where the API is, without a version; known once the server listens. */
  baseUrl: () => string
  sender: SenderOptions
  /** Multiplies each wait between attempts. @default 1 */
  timeScale?: number | undefined
  /** How many attempts may run at one endpoint at once. */
  concurrency?: number | undefined
  log: Log
  /** The clock, in milliseconds since 1970. @default Date.now */
  now?: (() => number) | undefined
  /** How long what is done with is kept, in milliseconds. @default 30 days */
  retention?: number | undefined
}

/** The most that a list of the control API holds. */
const LISTED = 1000
const HOUR = 3_600_000
const RETENTION = 30 * 24 * HOUR

export class Sandboxes {
  readonly life: Life
  readonly listeners: Listeners
  /** By method and path. */
  readonly operations: ReadonlyMap<string, Operation>
  readonly #options: SandboxesOptions
  readonly #store: Store
  readonly #sender: Sender
  readonly #worker: Worker
  readonly #now: () => number
  /** One move of a sandbox's clock at a time. */
  readonly #clocks = new KeyedMutex()
  #pruning: NodeJS.Timeout | undefined

  constructor(options: SandboxesOptions) {
    const { store, sender, baseUrl, timeScale = 1, concurrency, log, now = Date.now } = options
    this.#options = options
    this.#store = store
    this.#now = now
    this.#sender = new Sender(sender)
    this.life = new Life({
      store,
      baseUrl,
      now,
      onChange: (one, { source }) => void this.#worker.poke(one, source !== undefined),
    })
    this.listeners = new Listeners({
      store,
      headersOf: (job) => this.#sender.headersOf(job),
      onArrival: (one) => void this.#worker.poke(one),
    })
    this.#worker = new Worker({
      store,
      now,
      log,
      send: (job) => (isListener(job.endpoint) ? this.listeners : this.#sender).send(job),
      schedule: { timeScale, chance: seededChance },
      index: ({ sandbox, source }) => this.life.index(sandbox, source),
      ...(concurrency === undefined ? {} : { concurrency }),
    })
    this.operations = operationsOf(store, this.life)
  }

  /** Goes on with what was to be delivered when the process ended. */
  async start(): Promise<void> {
    await this.#worker.start()
    this.#pruning = setInterval(() => void this.prune(), HOUR).unref()
    await this.prune()
  }

  /** Removes what is done with and old, never what is pending or dead; and what removed endpoints left. */
  async prune(): Promise<void> {
    const { retention = RETENTION, log } = this.#options
    try {
      await this.#store.prune(this.#now() - retention)
    } catch (error) {
      log.error('old data cannot be removed', { error: String(error) })
    }
  }

  /** Lets the running attempts end, and closes the store. */
  async close(): Promise<void> {
    clearInterval(this.#pruning)
    await this.listeners.stop()
    await this.#worker.stop()
    await this.#sender.close()
    await this.#store.close()
  }

  /**
   * The sandbox of a key.
   *
   * @throws {Problem} 503 where there is no room for another one.
   */
  async of(key: string): Promise<Sandbox> {
    const digest = hash('sha256', key, 'base64url')
    const sandbox = await this.#store.sandbox(digest, () => this.#options.seed)
    if (sandbox) return sandbox
    const detail =
      'There are 1,000 sandboxes, and in each of them deliveries wait or are dead. Use a key that has one already, or reset some.'
    throw new Problem(503, 'too_many_sandboxes', detail)
  }

  /** Whether the store answers. */
  isReadable(): Promise<boolean> {
    return this.#store.firstSourceDue().then(
      () => true,
      () => false,
    )
  }

  /** Empties a sandbox and seeds it again. Its consumers stay. */
  async reset(sandbox: Sandbox): Promise<void> {
    const { seed } = this.#options
    await this.listeners.reset(sandbox, async (kept) => {
      await this.#store.reset(sandbox, { ...seed, endpoints: [...seed.endpoints, ...kept] })
      this.#worker.forget(sandbox)
    })
  }

  /**
   * Moves a sandbox's clock on. Returns when every attempt that became due has ended.
   *
   * @param ms How far, in milliseconds.
   * @returns the sandbox's new time.
   */
  async advance(sandbox: Sandbox, ms: number): Promise<number> {
    const parts = { store: this.#store, worker: this.#worker, now: this.#now }
    const move = () => advance(sandbox, ms, parts)
    return this.life.now(await this.#clocks.run(String(sandbox.id), move))
  }

  /** Returns when nothing of a sandbox that is due waits. */
  settled(sandbox: Sandbox): Promise<void> {
    return this.#worker.settled(sandbox)
  }

  /** The most recently changed first, those before a position. */
  async conversations(sandbox: Sandbox, before: number, limit: number): Promise<Conversation[]> {
    const listed = await this.#store.conversations(sandbox, { before, limit })
    const found = await Promise.all(
      listed.map(({ json }) => this.#store.conversation(sandbox, JSON.parse(json).id)),
    )
    return found.filter((one) => one !== null)
  }

  /** A conversation with its messages. */
  async thread(sandbox: Sandbox, id: string) {
    const conversation = await this.#store.conversation(sandbox, id)
    const thread = await this.#store.thread(sandbox, id)
    if (!conversation || !thread) throw notFound(id)
    const messages: Message[] = JSON.parse(`[${thread.transcript}]`)
    return { conversation, messages }
  }

  async addEndpoint(
    sandbox: Sandbox,
    { url, kinds = null, secret }: { url: string; kinds?: string[] | null; secret?: string },
  ): Promise<Endpoint> {
    const id = makeId('ep_', sandbox, await this.#store.numbers(sandbox, 1))
    const endpoint = { id, url, kinds, secret: secret ?? newSecret() }
    await this.#store.addEndpoint(sandbox, endpoint)
    return endpoint
  }

  endpoints(sandbox: Sandbox): Promise<Endpoint[]> {
    return this.#store.endpoints(sandbox)
  }

  /** Gives an endpoint a new secret, with which everything is signed from now on. */
  async rotate(sandbox: Sandbox, id: string): Promise<Endpoint> {
    const known = (await this.endpoints(sandbox)).find((one) => one.id === id)
    if (!known) throw noEndpoint(id)
    if (isListener(known)) {
      const detail = `The endpoint ${id} is a listener: all of a sandbox share one secret, which stays while the server runs.`
      throw new Problem(409, 'impossible_step', detail)
    }
    const endpoint = { ...known, secret: newSecret() }
    if (!(await this.#store.changeSecret(sandbox, id, endpoint.secret))) throw noEndpoint(id)
    this.#worker.renew(sandbox, endpoint)
    return endpoint
  }

  /** Removes an endpoint with its deliveries; what runs of them ends for nothing. */
  async removeEndpoint(sandbox: Sandbox, id: string): Promise<void> {
    await this.listeners.remove(sandbox, id, async () => {
      if (!(await this.#store.removeEndpoint(sandbox, id))) throw noEndpoint(id)
      this.#worker.forget(sandbox, id)
    })
    await this.prune()
  }

  /** The newest first, those before a position. */
  events(sandbox: Sandbox, limit = LISTED, before?: number): Promise<Logged[]> {
    return this.#store.events(sandbox, limit, before)
  }

  /** The newest first, those that were made before one. */
  deliveries(
    sandbox: Sandbox,
    filter: DeliveryFilter = {},
    limit = LISTED,
    before?: string,
  ): Promise<Delivery[]> {
    return this.#store.deliveries(sandbox, filter, limit, before)
  }

  /** How many deliveries are in a state, counted up to `most`. */
  countDeliveries(sandbox: Sandbox, state: State, most: number): Promise<number> {
    return this.#store.countDeliveries(sandbox, state, most)
  }

  async delivery(sandbox: Sandbox, id: string): Promise<Delivery> {
    const delivery = await this.#store.delivery(sandbox, id)
    if (!delivery) throw noDelivery(id)
    return delivery
  }

  /** What a delivery is of. */
  async eventOf(sandbox: Sandbox, id: string): Promise<Logged> {
    const event = await this.#store.eventOf(sandbox, id)
    if (!event) throw noDelivery(id)
    return event
  }

  /** Gives deliveries that are not pending a new cycle of attempts, the first of them now. */
  async replay(sandbox: Sandbox, filter: DeliveryFilter): Promise<number> {
    const replayed = await this.#store.replay(sandbox, filter, this.#now())
    await this.#worker.poke(sandbox)
    return replayed
  }

  async replayOne(sandbox: Sandbox, id: string): Promise<Delivery> {
    const replayed = await this.#store.replay(sandbox, { id }, this.#now())
    const delivery = await this.delivery(sandbox, id)
    if (replayed === 0) {
      const detail = `The delivery ${id} is pending: it is attempted again anyway.`
      throw new Problem(409, 'impossible_step', detail)
    }
    void this.#worker.poke(sandbox)
    return delivery
  }
}

function noEndpoint(id: string): Problem {
  return new Problem(404, 'endpoint_not_found', `There is no endpoint ${id}.`)
}

function noDelivery(id: string): Problem {
  return new Problem(404, 'delivery_not_found', `There is no delivery ${id}.`)
}
