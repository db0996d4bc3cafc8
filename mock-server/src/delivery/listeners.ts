/**
 * Hands deliveries to programs that poll for them, for receivers that this server does not call itself.
 *
 * The life of a consumer, such as the command `listen`:
 * 1. It registers a URL, which opens that URL's listener: the endpoint is attended, so its deliveries are
 *    claimed and offered here.
 * 2. It polls. The response comes with the first deliveries, or empty after a while. Each of them is now
 *    leased to it.
 * 3. It forwards a delivery and reports the result, which ends the lease. That was the attempt.
 * 4. A delivery that it neither reports before the lease ends nor holds at its next poll waits for the
 *    next poll of any consumer.
 * 5. It leaves: its connection closes during a poll, or it is silent for too long. With the last consumer
 *    the listener closes. Its deliveries return to the store without an attempt and wait there for step 1.
 *
 * A listener opens and closes, is reset and removed, one step at a time in a sandbox. So an open listener
 * has an attended endpoint in the store, and a consumer cannot wait at one that is gone.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { Problem } from '../door/problem.ts'
import type { EndpointStore } from '../store/store.ts'
import {
  type Endpoint,
  isListener,
  type Job,
  LISTENER_SCHEME,
  type Sandbox,
} from '../store/types.ts'
import { Listener, type OnGone, type Poll, type Report } from './listener.ts'
import { newSecret } from './secret.ts'
import type { Result } from './sender.ts'

export interface ListenersOptions {
  store: EndpointStore
  /** Runs one step of a sandbox's listeners at a time. */
  exclusively: <T>(sandbox: Sandbox, step: () => Promise<T>) => Promise<T>
  /** The headers that a delivery is sent with. */
  headersOf: (job: Job) => Record<string, string>
  /** Called when the deliveries of a listener may be claimed. */
  onArrival: (sandbox: Sandbox) => void
  /** Called when a listener has another secret. */
  onResigned: (sandbox: Sandbox, endpoint: Endpoint) => void
}

/** What signs the deliveries of listeners. */
export interface ListenerSecret {
  given?: string | undefined
  usual?: string | undefined
}

/** A delivery that a consumer is to forward. */
export interface LeasedDelivery {
  id: string
  event_id: string
  kind: string
  headers: Record<string, string>
  body: string
}

export class Listeners {
  readonly #options: ListenersOptions
  /** Those that are open, by sandbox and endpoint. */
  readonly #open = new Map<string, Listener>()
  /** By sandbox, so that a secret outlives a reset. */
  readonly #secrets = new Map<number, string>()
  readonly #idKey = randomBytes(16)
  #isStopped = false

  constructor(options: ListenersOptions) {
    this.#options = options
  }

  /**
   * Opens the listener of a URL. Deliveries that were not forwarded when it last closed follow.
   *
   * @param kinds The kinds that it receives from now on; null for all.
   * @param revision The revision of the contract whose events it receives; null for the first one.
   * @param given The secret of all listeners of the sandbox from now on.
   * @param usual Their secret until one is given.
   * @throws {Problem} 409 where a consumer of it receives other kinds, or those of another revision.
   */
  register(
    sandbox: Sandbox,
    { url, kinds, revision = null }: Pick<Endpoint, 'url' | 'kinds' | 'revision'>,
    { given, usual }: ListenerSecret = {},
  ): Promise<Endpoint> {
    const { store } = this.#options
    return this.#exclusively(sandbox, async () => {
      const listeners = (await store.list(sandbox)).filter(isListener)
      const known = listeners.find((one) => one.url === LISTENER_SCHEME + url)
      const open = known && this.#open.get(keyOf(sandbox, known.id))
      if (known && open && !open.isLeft) refuseOther(known, { url, kinds, revision })
      const kept = listeners[0]?.secret ?? this.#secrets.get(sandbox.id)
      const secret = given ?? kept ?? usual ?? newSecret()
      for (const one of listeners)
        if (one.secret !== secret) await this.#resign(sandbox, one, secret)
      const endpoint = known
        ? { ...known, kinds, revision, secret }
        : { id: this.#idOf(sandbox, url), url: LISTENER_SCHEME + url, kinds, secret, revision }
      if (known) await store.change(sandbox, known.id, { kinds, revision })
      else await store.add(sandbox, endpoint)
      this.#secrets.set(sandbox.id, secret)
      await this.#enter(sandbox, endpoint.id)
      return endpoint
    })
  }

  /** The secret of the listeners of a sandbox, now and of those to come. */
  secretOf(sandbox: Sandbox, usual: string): Promise<string> {
    const { store } = this.#options
    return this.#exclusively(sandbox, async () => {
      const listener = (await store.list(sandbox)).find(isListener)
      const secret = listener?.secret ?? this.#secrets.get(sandbox.id) ?? usual
      this.#secrets.set(sandbox.id, secret)
      return secret
    })
  }

  /**
   * Another one in every process, as each server without data numbers its deliveries from 1: a client that outlives
   * one must not report its deliveries to the next.
   */
  #idOf(sandbox: Sandbox, url: string): string {
    const digest = createHmac('sha256', this.#idKey).update(`${sandbox.id} ${url}`).digest('hex')
    return `ep_${digest.slice(0, 12)}`
  }

  async #resign(sandbox: Sandbox, endpoint: Endpoint, secret: string): Promise<void> {
    const { store, onResigned } = this.#options
    await store.changeSecret(sandbox, endpoint.id, secret)
    onResigned(sandbox, { ...endpoint, secret })
  }

  /** Offers a delivery to the consumers of its listener. @returns null where none attempted it. */
  send(job: Job): Promise<Result | null> {
    const listener = this.#open.get(keyOf(job.sandbox, job.endpoint.id))
    return listener ? listener.offer(job) : Promise.resolve(null)
  }

  /**
   * Leases deliveries to a consumer, as soon as there are some.
   *
   * @returns none where none came in time.
   * @throws {Problem} 404 where there is no such listener.
   */
  async poll(
    sandbox: Sandbox,
    endpoint: string,
    poll: Poll,
    onGone?: OnGone,
  ): Promise<LeasedDelivery[]> {
    if (this.#isStopped) throw stopping()
    const listener =
      this.#entered(sandbox, endpoint) ??
      (await this.#exclusively(sandbox, () => this.#enter(sandbox, endpoint)))
    const jobs = await listener.poll(poll, onGone)
    return jobs.map((job) => {
      const { kind, id: event_id, body } = job.event
      return { id: job.id, event_id, kind, headers: this.#options.headersOf(job), body }
    })
  }

  /** Settles deliveries. @returns how many of them were waiting for their result. */
  report(sandbox: Sandbox, endpoint: string, reports: readonly Report[]): number {
    return this.#open.get(keyOf(sandbox, endpoint))?.report(reports) ?? 0
  }

  /** Removes an endpoint. If it is a listener, its consumers get a 404 at their next poll. */
  remove(sandbox: Sandbox, endpoint: string, remove: () => Promise<void>): Promise<void> {
    return this.#exclusively(sandbox, async () => {
      await remove()
      const listener = this.#open.get(keyOf(sandbox, endpoint))
      if (listener) await this.#close(listener)
    })
  }

  /**
   * Resets a sandbox. Its consumers stay, and so do the endpoints that they listen at.
   *
   * @param reset Is called with these endpoints.
   */
  async reset(sandbox: Sandbox, reset: (kept: Endpoint[]) => Promise<void>): Promise<void> {
    const { store, onArrival } = this.#options
    await this.#exclusively(sandbox, async () => {
      const attended = new Set((await store.attended(sandbox)).map(({ id }) => id))
      const endpoints = await store.list(sandbox)
      await reset(endpoints.filter(({ id }) => attended.has(id)))
      await this.#attendAgain(sandbox)
    })
    onArrival(sandbox)
  }

  /** Returns every delivery without a result, after another process has reset the sandbox. */
  async renew(sandbox: Sandbox): Promise<void> {
    await this.#exclusively(sandbox, () => this.#attendAgain(sandbox))
    this.#options.onArrival(sandbox)
  }

  async #attendAgain(sandbox: Sandbox): Promise<void> {
    for (const listener of this.#open.values()) {
      if (listener.sandbox.id !== sandbox.id) continue
      listener.clear()
      await this.#options.store.attend(sandbox, listener.endpoint, true)
    }
  }

  /** Closes all listeners. From now on no consumer waits here, however long a step in progress takes. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const listener of this.#open.values()) listener.dismiss()
    for (const listener of this.#open.values()) {
      await this.#exclusively(listener.sandbox, () => this.#close(listener))
    }
  }

  /** Runs a step that opens, closes or changes listeners of a sandbox. */
  #exclusively<T>(sandbox: Sandbox, step: () => Promise<T>): Promise<T> {
    return this.#options.exclusively(sandbox, step)
  }

  #entered(sandbox: Sandbox, endpoint: string): Listener | undefined {
    const listener = this.#open.get(keyOf(sandbox, endpoint))
    listener?.enter()
    return listener
  }

  /** The open listener of an endpoint; opens it where it is closed. */
  async #enter(sandbox: Sandbox, endpoint: string): Promise<Listener> {
    const { store, onArrival } = this.#options
    const entered = this.#entered(sandbox, endpoint)
    if (entered) return entered
    const endpoints = await store.list(sandbox)
    if (!endpoints.some((one) => one.id === endpoint && isListener(one))) {
      const detail = `There is no listener ${endpoint} (any more). Register again.`
      throw new Problem(404, 'listener_not_found', detail)
    }
    if (this.#isStopped) throw stopping()
    const listener = new Listener(sandbox, endpoint, () => void this.#abandon(listener))
    this.#open.set(keyOf(sandbox, endpoint), listener)
    await store.attend(sandbox, endpoint, true)
    onArrival(sandbox)
    return listener
  }

  /** Closes a listener that its last consumer left, unless another one came meanwhile. */
  async #abandon(listener: Listener): Promise<void> {
    try {
      await this.#exclusively(listener.sandbox, async () => {
        if (listener.isLeft) await this.#close(listener)
      })
    } catch {
      // The store failed. The listener is abandoned again after another silence.
      listener.enter()
    }
  }

  async #close(listener: Listener): Promise<void> {
    const { sandbox, endpoint } = listener
    const key = keyOf(sandbox, endpoint)
    if (this.#open.get(key) !== listener) return
    // First, so that no delivery is claimed without a consumer.
    await this.#options.store.attend(sandbox, endpoint, false)
    this.#open.delete(key)
    listener.close()
  }
}

/** Refuses a consumer that would change what another one receives. */
function refuseOther(
  known: Endpoint,
  { url, kinds, revision }: Pick<Endpoint, 'url' | 'kinds' | 'revision'>,
): void {
  const told = `Another program listens for ${url} and receives`
  const refused = (detail: string) => new Problem(409, 'listener_taken', detail)
  if (textOf(known.kinds) !== textOf(kinds)) {
    throw refused(`${told} ${textOf(known.kinds)}. Stop it, or use the same kinds.`)
  }
  if ((known.revision ?? null) !== (revision ?? null)) {
    const named = known.revision ?? 'of the first contract'
    throw refused(`${told} events of revision ${named}. Stop it, or use the same revision.`)
  }
}

/** Equal for the same kinds in any order. */
function textOf(kinds: string[] | null): string {
  return kinds ? [...new Set(kinds)].sort().join(', ') : 'all kinds'
}

function keyOf({ id }: Sandbox, endpoint: string): string {
  return `${id} ${endpoint}`
}

function stopping(): Problem {
  return new Problem(503, 'stopping', 'The mock server is stopping. Retry later.')
}
