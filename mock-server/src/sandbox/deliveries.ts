/** Finds deliveries and replays them. */
import type { Worker } from '../delivery/worker.ts'
import { Problem } from '../door/problem.ts'
import type { DeliveryStore } from '../store/store.ts'
import type { Delivery, DeliveryFilter, Logged, Sandbox } from '../store/types.ts'

export interface DeliveriesOptions {
  store: DeliveryStore
  worker: Worker
  now: () => number
}

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
    const detail = `The delivery ${id} is pending. It is attempted again anyway.`
    throw new Problem(409, 'impossible_step', detail)
  }
}

function notFound(id: string): Problem {
  return new Problem(404, 'delivery_not_found', `There is no delivery ${id}.`)
}
