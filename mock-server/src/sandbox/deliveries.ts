/** Finds deliveries, replays them, and holds them back. */
import { seededChance } from '../delivery/schedule.ts'
import type { Worker } from '../delivery/worker.ts'
import { Problem } from '../door/problem.ts'
import type { DeliveryStore, SandboxStore } from '../store/store.ts'
import type { Delivery, DeliveryFilter, Logged, Sandbox } from '../store/types.ts'

export interface DeliveriesOptions {
  store: DeliveryStore
  sandboxes: SandboxStore
  worker: Worker
  now: () => number
}

/** In which order deliveries that waited are attempted, one after the other. */
export const ORDERS = ['original', 'reverse', 'shuffled'] as const
export type Order = (typeof ORDERS)[number]

/** How many deliveries are put in order. */
const MOST_ORDERED = 1000

export class Deliveries {
  readonly #options: DeliveriesOptions

  constructor(options: DeliveriesOptions) {
    this.#options = options
  }

  /** @throws {Problem} 404 */
  async get(sandbox: Sandbox, id: string): Promise<Delivery> {
    const delivery = await this.#options.store.get(sandbox, id)
    if (!delivery) throw notFound(id)
    return delivery
  }

  /** The event of a delivery. @throws {Problem} 404 */
  async eventOf(sandbox: Sandbox, id: string): Promise<Logged> {
    const event = await this.#options.store.eventOf(sandbox, id)
    if (!event) throw notFound(id)
    return event
  }

  /** Gives deliveries that are not pending a new cycle of attempts, the first of them now. @returns how many. */
  async replayAll(sandbox: Sandbox, filter: DeliveryFilter): Promise<number> {
    const { store, worker, now } = this.#options
    const replayed = await store.replay(sandbox, filter, now())
    await worker.poke(sandbox)
    return replayed
  }

  /** @throws {Problem} 404, and 409 for one that is pending. */
  async replay(sandbox: Sandbox, id: string): Promise<Delivery> {
    const { store, worker, now } = this.#options
    const replayed = await store.replay(sandbox, { id }, now())
    if (replayed > 0) void worker.poke(sandbox)
    const delivery = await this.get(sandbox, id)
    if (replayed > 0) return delivery
    throw impossible(`The delivery ${id} is pending. It is attempted again anyway.`)
  }

  /** Makes a pending delivery dead. A running attempt ends, and changes nothing. @throws {Problem} 404, 409 */
  async cancel(sandbox: Sandbox, id: string): Promise<Delivery> {
    const { store, worker } = this.#options
    const isCancelled = await store.cancel(sandbox, id)
    if (isCancelled) await worker.withhold(sandbox, (job) => job.id === id)
    const delivery = await this.get(sandbox, id)
    if (isCancelled) return delivery
    throw impossible(
      `The delivery ${id} is ${delivery.state}. Only a pending one can be cancelled.`,
    )
  }

  /**
   * Makes the next attempt of a pending delivery now, also while the deliveries are paused.
   *
   * @throws {Problem} 404, and 409 for one that is not pending or whose endpoint is disabled.
   */
  async retry(sandbox: Sandbox, id: string): Promise<Delivery> {
    const { store, worker, now } = this.#options
    const isDue = await store.hurry(sandbox, id, now())
    if (isDue) void worker.poke(sandbox)
    const delivery = await this.get(sandbox, id)
    if (isDue) return delivery
    if (delivery.state !== 'pending')
      throw impossible(`The delivery ${id} is ${delivery.state}. Replay it instead.`)
    throw impossible(`The endpoint ${delivery.endpoint_id} is disabled. Enable it first.`)
  }

  /** Holds all deliveries of a sandbox back. Running attempts end as usual. */
  async pause(sandbox: Sandbox): Promise<void> {
    const { sandboxes, worker } = this.#options
    await sandboxes.pause(sandbox, true)
    await worker.withhold(sandbox)
  }

  isPaused(sandbox: Sandbox): Promise<boolean> {
    return this.#options.sandboxes.isPaused(sandbox)
  }

  /**
   * Attempts what waited.
   *
   * @param order How the deliveries that are due are attempted: each after the one before it has ended. @default at once
   */
  async resume(sandbox: Sandbox, order?: Order): Promise<void> {
    const { sandboxes, worker } = this.#options
    if (order && (await this.isPaused(sandbox))) await this.#attemptInOrder(sandbox, order)
    await sandboxes.pause(sandbox, false)
    await worker.poke(sandbox)
  }

  async #attemptInOrder(sandbox: Sandbox, order: Order): Promise<void> {
    const { store, worker, now } = this.#options
    const newest = await store.list(sandbox, { state: 'pending' }, MOST_ORDERED)
    const time = now() + sandbox.offset
    const waiting = newest.filter(({ due_at: due }) => due !== null && due <= time)
    for (const { id } of inOrder(waiting, order)) {
      if (worker.isStopped || !(await store.hurry(sandbox, id, now()))) continue
      await worker.poke(sandbox)
      await worker.settled(sandbox)
    }
  }
}

/** @param newest The newest first. */
function inOrder(newest: readonly Delivery[], order: Order): Delivery[] {
  if (order === 'reverse') return [...newest]
  const oldest = newest.toReversed()
  if (order === 'original') return oldest
  return oldest
    .map((delivery, index) => ({ delivery, rank: seededChance(index, newest.length) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ delivery }) => delivery)
}

function impossible(detail: string): Problem {
  return new Problem(409, 'impossible_step', detail)
}

function notFound(id: string): Problem {
  return new Problem(404, 'delivery_not_found', `There is no delivery ${id}.`)
}
