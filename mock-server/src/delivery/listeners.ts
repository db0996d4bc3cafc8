/**
 * Hands deliveries to programs that ask for them, for receivers that the server does not call itself.
 * While nobody asks, they wait. What was handed out and is not reported comes back: at once when its
 * taker asks again without holding it, else after a lease.
 */
import { createHmac } from 'node:crypto'
import { Problem } from '../door/problem.ts'
import { KeyedMutex } from '../store/keyed-mutex.ts'
import { type Endpoint, type Job, LISTENER, type Sandbox, type Store } from '../store/types.ts'
import { newSecret } from './secret.ts'
import type { Result } from './sender.ts'

export interface ListenersOptions {
  store: Store
  /** What a delivery is sent with. */
  headersOf: (job: Job) => Record<string, string>
  /** Told that a sandbox has deliveries that are taken now. */
  onArrival: (sandbox: Sandbox) => void
}

/** What a taker says when it asks. */
export interface Question {
  /** Tells the programs apart that ask for the same listener. */
  taker: string
  /** The deliveries that it still works on. */
  holding: readonly string[]
  /** The most that it can take. */
  limit: number
}

/** A delivery as it is to be forwarded. */
export interface Handed {
  id: string
  event_id: string
  kind: string
  headers: Record<string, string>
  body: string
}

/** What came of forwarding one. */
export type Report = Result & { id: string }

interface Waiting {
  job: Job
  settle: (result: Result | null) => void
}

interface Taken extends Waiting {
  taker: string
  lease: NodeJS.Timeout
}

/** What one listener has to do, by delivery; and who waits for it. */
interface Room {
  sandbox: Sandbox
  endpoint: string
  waiting: Map<string, Waiting>
  taken: Map<string, Taken>
  questions: Map<string, () => void>
  /** Whether the last one who waited went away. What it took may still be reported. */
  isLeft: boolean
  absence: NodeJS.Timeout | undefined
}

/** How long a taker may keep a delivery, and stay away, in milliseconds. */
const LEASE = 30_000
/** How long a question waits for deliveries, in milliseconds. */
const PATIENCE = 25_000

export function isListener({ url }: Pick<Endpoint, 'url'>): boolean {
  return url.startsWith(LISTENER)
}

export class Listeners {
  readonly #options: ListenersOptions
  readonly #rooms = new Map<string, Room>()
  /** Of each sandbox, so that a secret outlives a reset. */
  readonly #secrets = new Map<number, string>()
  readonly #mutex = new KeyedMutex()
  #isStopped = false

  constructor(options: ListenersOptions) {
    this.#options = options
  }

  /**
   * The listener that forwards to a URL. What was not forwarded when it last ended is waiting for it.
   *
   * @param kinds The kinds that it wants from now on; null for all.
   * @throws {Problem} 409 where somebody takes other kinds from it.
   */
  register(
    sandbox: Sandbox,
    { url, kinds }: { url: string; kinds: string[] | null },
  ): Promise<Endpoint> {
    const { store } = this.#options
    return this.#mutex.run(String(sandbox.id), async () => {
      const listeners = (await store.endpoints(sandbox)).filter(isListener)
      const known = listeners.find((one) => one.url === LISTENER + url)
      if (known && this.#isTaken(sandbox, known) && textOf(known.kinds) !== textOf(kinds)) {
        const detail = `Another program listens for ${url} and takes ${textOf(known.kinds)}. Stop it, or take the same kinds.`
        throw new Problem(409, 'listener_taken', detail)
      }
      const secret = listeners[0]?.secret ?? this.#secrets.get(sandbox.id) ?? newSecret()
      const endpoint = known
        ? { ...known, kinds }
        : { id: idOf(secret, url), url: LISTENER + url, kinds, secret }
      if (known) await store.changeKinds(sandbox, known.id, kinds)
      else await store.addEndpoint(sandbox, endpoint)
      this.#secrets.set(sandbox.id, secret)
      // From now on it is there, though it has not asked yet.
      await this.#enter(sandbox, endpoint.id)
      return endpoint
    })
  }

  /** Has an endpoint removed. Whoever listens there learns so by the next question. */
  dismiss(sandbox: Sandbox, endpoint: string, remove: () => Promise<void>): Promise<void> {
    return this.#mutex.run(String(sandbox.id), async () => {
      await remove()
      const room = this.#rooms.get(keyOf(sandbox, endpoint))
      if (room) await this.#end(room)
    })
  }

  /** Waits until a taker has forwarded a delivery. @returns null where none did. */
  send(job: Job): Promise<Result | null> {
    const room = this.#rooms.get(keyOf(job.sandbox, job.endpoint.id))
    if (!room) return Promise.resolve(null)
    return new Promise((settle) => {
      room.waiting.set(job.id, { job, settle })
      for (const answer of room.questions.values()) answer()
    })
  }

  /**
   * Gives deliveries to a taker, as soon as there are some.
   *
   * @param onGone Has somebody told that the taker does not wait any more.
   * @returns none where none came in time.
   * @throws {Problem} 404 where there is no such listener.
   */
  async take(
    sandbox: Sandbox,
    endpoint: string,
    question: Question,
    onGone?: (listener: () => void) => void,
  ): Promise<Handed[]> {
    const { taker, holding, limit } = question
    const room = await this.#enter(sandbox, endpoint)
    // Closed meanwhile, since its last question was gone: whoever asks again opens it.
    if (this.#rooms.get(keyOf(sandbox, endpoint)) !== room) return []
    // The connection of an earlier question is gone, and what was given in answer to it.
    room.questions.get(taker)?.()
    for (const [id, taken] of room.taken) {
      if (taken.taker === taker && !holding.includes(id)) this.#takeBack(room, taken)
    }
    for (const id of holding) this.#give(room, id, taker)
    if (room.waiting.size === 0 && !(await this.#arrival(room, taker, onGone))) return []
    return [...room.waiting.keys()].slice(0, limit).flatMap((id) => this.#give(room, id, taker))
  }

  /** @returns how many of them somebody waited for. */
  report(sandbox: Sandbox, endpoint: string, reports: readonly Report[]): number {
    const room = this.#rooms.get(keyOf(sandbox, endpoint))
    if (!room) return 0
    this.#awaitReturn(room)
    const settled = reports.map(({ id, ...result }) => {
      const taken = room.taken.get(id)
      const found = taken ?? room.waiting.get(id)
      clearTimeout(taken?.lease)
      room.taken.delete(id)
      room.waiting.delete(id)
      found?.settle(result)
      return found
    })
    return settled.filter(Boolean).length
  }

  /** The endpoints of a sandbox at which somebody listens. */
  async attended(sandbox: Sandbox): Promise<Endpoint[]> {
    const endpoints = await this.#options.store.endpoints(sandbox)
    return endpoints.filter(({ id }) => this.#rooms.has(keyOf(sandbox, id)))
  }

  /** After a sandbox was emptied: lets go of what was handed out, and goes on. */
  async renew(sandbox: Sandbox): Promise<void> {
    for (const room of this.#rooms.values()) {
      if (room.sandbox.id !== sandbox.id) continue
      clear(room)
      await this.#options.store.attend(sandbox, room.endpoint, true)
    }
    this.#options.onArrival(sandbox)
  }

  /** Gives everything back. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const room of this.#rooms.values()) await this.#end(room)
  }

  #isTaken(sandbox: Sandbox, { id }: Endpoint): boolean {
    const room = this.#rooms.get(keyOf(sandbox, id))
    return room !== undefined && !room.isLeft
  }

  async #enter(sandbox: Sandbox, endpoint: string): Promise<Room> {
    const { store, onArrival } = this.#options
    const key = keyOf(sandbox, endpoint)
    const known = this.#rooms.get(key)
    if (known) {
      known.isLeft = false
      this.#awaitReturn(known)
      return known
    }
    const exists = (await store.endpoints(sandbox)).some(
      (one) => one.id === endpoint && isListener(one),
    )
    if (!exists) {
      const detail = `There is no listener ${endpoint} (any more). Register again.`
      throw new Problem(404, 'listener_not_found', detail)
    }
    if (this.#isStopped) throw new Problem(503, 'stopping', 'The mock server stops. Ask again.')
    const room = this.#rooms.get(key) ?? {
      sandbox,
      endpoint,
      waiting: new Map(),
      taken: new Map(),
      questions: new Map(),
      isLeft: false,
      absence: undefined,
    }
    this.#rooms.set(key, room)
    this.#awaitReturn(room)
    await store.attend(sandbox, endpoint, true)
    onArrival(sandbox)
    return room
  }

  /** Waits until there is something to take, but not for ever. @returns whether there may be. */
  #arrival(room: Room, taker: string, onGone?: (listener: () => void) => void): Promise<boolean> {
    clearTimeout(room.absence)
    return new Promise((resolve) => {
      const end = (isAnswered: boolean) => {
        clearTimeout(timer)
        if (room.questions.get(taker) === answer) room.questions.delete(taker)
        this.#awaitReturn(room)
        resolve(isAnswered)
      }
      const answer = () => end(true)
      const timer = setTimeout(answer, PATIENCE)
      room.questions.set(taker, answer)
      onGone?.(() => {
        if (room.questions.get(taker) !== answer) return
        end(false)
        room.isLeft = room.questions.size === 0
        // Nothing is on its way, so nobody has to be waited for.
        if (room.isLeft && room.taken.size === 0) void this.#close(room)
      })
    })
  }

  #give(room: Room, id: string, taker: string): Handed[] {
    const waiting = room.waiting.get(id)
    if (!waiting) return []
    room.waiting.delete(id)
    const lease = setTimeout(() => this.#takeBack(room, taken), LEASE)
    const taken = { ...waiting, taker, lease }
    room.taken.set(id, taken)
    const { kind, id: event_id, body } = waiting.job.event
    return [{ id, event_id, kind, headers: this.#options.headersOf(waiting.job), body }]
  }

  #takeBack(room: Room, { lease, job, settle }: Taken): void {
    clearTimeout(lease)
    room.taken.delete(job.id)
    room.waiting.set(job.id, { job, settle })
    for (const answer of room.questions.values()) answer()
  }

  /** Gives up on a listener from which nothing is heard for too long. */
  #awaitReturn(room: Room): void {
    clearTimeout(room.absence)
    if (room.questions.size > 0) return
    room.absence = setTimeout(() => void this.#close(room), LEASE)
    room.absence.unref()
  }

  async #end(room: Room): Promise<void> {
    for (const answer of room.questions.values()) answer()
    await this.#close(room)
  }

  async #close(room: Room): Promise<void> {
    const { sandbox, endpoint, absence } = room
    clearTimeout(absence)
    this.#rooms.delete(keyOf(sandbox, endpoint))
    await this.#options.store.attend(sandbox, endpoint, false)
    clear(room)
  }
}

/**
 * The same while its data lives, and another one with other data: every server numbers its deliveries
 * from 1, so a client that outlives one must not report its deliveries to the next.
 */
function idOf(secret: string, url: string): string {
  return `ep_${createHmac('sha256', secret).update(url).digest('hex').slice(0, 12)}`
}

/** The same for the same kinds, in whatever order they come. */
function textOf(kinds: string[] | null): string {
  return kinds ? [...new Set(kinds)].sort().join(', ') : 'all kinds'
}

function keyOf({ id }: Sandbox, endpoint: string): string {
  return `${id} ${endpoint}`
}

function clear({ waiting, taken }: Room): void {
  const all = [...waiting.values(), ...taken.values()]
  for (const { lease } of taken.values()) clearTimeout(lease)
  waiting.clear()
  taken.clear()
  for (const { settle } of all) settle(null)
}
