/** Brings events to their endpoints: takes what is due, attempts it, and records what came of it. */
import type { Log } from '../door/log.ts'
import type { Endpoint, Job, Outcome, Sandbox, State, Store } from '../store/types.ts'
import { type Schedule, waitAfter } from './schedule.ts'
import type { Result } from './sender.ts'

export interface WorkerOptions {
  store: Store
  /** Never rejects. Null where nobody took it: then it was no attempt. */
  send: (job: Job) => Promise<Result | null>
  schedule: Schedule
  now: () => number
  log: Log
  /** Gives a source its next state. */
  index: (due: Awaited<ReturnType<Store['dueSources']>>[number]) => Promise<void>
  /** How many attempts may run at one endpoint at once. */
  concurrency?: number
}

const CONCURRENCY = 10
/** How many deliveries are taken ahead of those that run. */
const AHEAD = 100
/** How many outcomes are recorded in one commit, and how long one waits for others, in ms. */
const BATCH = 512
const BATCH_WAIT = 20
/** How long to wait after the store failed, in milliseconds. */
const STORE_RETRY = 1000
/** The longest that a timer waits, in milliseconds; clocks may be set meanwhile. */
const MAX_WAIT = 60_000

/** What one endpoint has to do. */
interface Lane {
  endpoint: number
  queue: Job[]
  running: number
  /** When its next delivery is due; null while nothing waits. */
  due: number | null
}

interface Waiter {
  /** Undefined for all. */
  sandbox: number | undefined
  resolve: () => void
  reject: (error: unknown) => void
}

export class Worker {
  readonly #options: WorkerOptions
  readonly #concurrency: number
  readonly #lanes = new Map<number, Lane>()
  /** Sandboxes and endpoints that may have something to do. */
  readonly #changed = new Map<number, Sandbox>()
  readonly #looks = new Map<number, Lane>()
  #sourceDue: number | null = null
  /** Whether that may be another time now. */
  #haveSourcesChanged = false
  #outcomes: Array<{ job: Job; endpoint: number; outcome: Outcome | null }> = []
  #mustRecord = false
  /** The jobs of each sandbox that were taken and are not recorded yet; forgotten ones only run. */
  readonly #taken = new Map<number, Set<Job>>()
  #running = 0
  /** Grows when what is being taken may be out of date. */
  #changes = 0
  readonly #waiters = new Set<Waiter>()
  #work: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #recordTimer: NodeJS.Timeout | undefined
  /** Set while the store is let be, after it failed. */
  #restTimer: NodeJS.Timeout | undefined
  #failure: unknown
  #isStopped = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#concurrency = options.concurrency ?? CONCURRENCY
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Goes on with what the store holds. */
  async start(): Promise<void> {
    const { store } = this.#options
    for (const endpoint of await store.endpointNumbers()) this.#lookAt(endpoint)
    this.#sourceDue = await store.firstSourceDue()
    await this.#wake()
  }

  /** Looks at a sandbox that may have something to deliver, or to index. */
  poke(sandbox: Sandbox, haveSourcesChanged = true): Promise<void> {
    this.#changed.set(sandbox.id, sandbox)
    this.#haveSourcesChanged ||= haveSourcesChanged
    return this.#wake()
  }

  /**
   * Returns when nothing of a sandbox, or of any, runs and nothing that is due waits.
   *
   * @throws what the store throws in the meantime.
   */
  settled(sandbox?: Sandbox): Promise<void> {
    if (this.#restTimer) return Promise.reject(this.#failure)
    void this.#wake()
    return new Promise((resolve, reject) => {
      this.#waiters.add({ sandbox: sandbox?.id, resolve, reject })
    })
  }

  /**
   * Drops what waits of a sandbox that was emptied, or of an endpoint of it that was removed; what runs
   * ends for nothing, and nobody waits for it.
   */
  forget(sandbox: Sandbox, endpoint?: string): void {
    this.#changes++
    this.#drop(this.#jobsOf(sandbox, endpoint))
  }

  /** Has every attempt that begins from now on go by an endpoint that was changed. */
  renew(sandbox: Sandbox, endpoint: Endpoint): void {
    this.#changes++
    for (const job of this.#jobsOf(sandbox, endpoint.id)) job.endpoint = endpoint
  }

  /** Takes nothing new and lets what runs end. The rest waits in the store. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearTimeout(this.#restTimer)
    this.#restTimer = undefined
    this.#drop([...this.#lanes.values()].flatMap(({ queue }) => queue))
    await this.settled()
  }

  /** Does what is to be done, one step after the other, until nothing is left. */
  #wake(): Promise<void> {
    this.#work ??= this.#steps()
    return this.#work
  }

  async #steps(): Promise<void> {
    // Whoever wakes it goes first, and others who do so at the same time.
    await null
    try {
      while (this.#hasWork()) await this.#step()
    } catch (error) {
      this.#fail(error)
    }
    this.#settle()
    this.#work = null
    if (this.#hasWork()) void this.#wake()
    else this.#wait()
  }

  #hasWork(): boolean {
    if (this.#restTimer) return false
    if (this.#mustRecord) return true
    if (this.#isStopped) return false
    if (this.#haveSourcesChanged || this.#isDue(this.#sourceDue)) return true
    return this.#changed.size > 0 || this.#looks.size > 0
  }

  async #step(): Promise<void> {
    const { store, now, index } = this.#options
    if (this.#mustRecord) await this.#record()
    if (this.#isStopped) return
    await drain(this.#changed, async (sandbox) => {
      for (const endpoint of await store.endpointNumbers(sandbox)) this.#lookAt(endpoint)
    })
    if (this.#haveSourcesChanged) {
      this.#haveSourcesChanged = false
      this.#sourceDue = await store.firstSourceDue()
    }
    if (this.#isDue(this.#sourceDue)) {
      for (const due of await store.dueSources(now(), AHEAD)) await index(due)
      this.#sourceDue = await store.firstSourceDue()
    }
    await drain(this.#looks, (lane) => this.#take(lane))
  }

  /** Takes what is due at an endpoint, and starts it. */
  async #take(lane: Lane): Promise<void> {
    const { store, now } = this.#options
    const free = AHEAD + this.#concurrency - lane.queue.length
    const changes = this.#changes
    const jobs = await store.claim(lane.endpoint, now(), free)
    if (this.#isStopped) return
    if (changes !== this.#changes) {
      // Read before the change, perhaps.
      await store.release(jobs.map(({ delivery }) => delivery))
      return this.#lookAt(lane.endpoint)
    }
    lane.queue.push(...jobs)
    for (const job of jobs) this.#add(job)
    lane.due = jobs.length < free ? await store.firstDue(lane.endpoint) : now()
    this.#fill(lane)
  }

  #fill(lane: Lane): void {
    while (lane.running < this.#concurrency) {
      const job = lane.queue.shift()
      if (!job) return
      lane.running++
      this.#running++
      void this.#attempt(lane, job)
    }
  }

  async #attempt(lane: Lane, job: Job): Promise<void> {
    const { send, now } = this.#options
    const at = now() + job.sandbox.offset
    const result = await send(job)
    const outcome = result && this.#outcomeOf(job, at, result)
    this.#outcomes.push({ job, endpoint: lane.endpoint, outcome })
    lane.running--
    this.#running--
    this.#fill(lane)
    if (this.#outcomes.length >= BATCH || this.#running === 0) this.#recordNow()
    else this.#recordTimer ??= setTimeout(() => this.#recordNow(), BATCH_WAIT)
  }

  #outcomeOf(job: Job, at: number, { retry, ...result }: Result): Outcome {
    const { schedule, now } = this.#options
    const wait = retry ? waitAfter(job.attempted + 1, job.delivery, schedule) : null
    const failed: State = wait === null ? 'dead' : 'pending'
    return {
      delivery: job.delivery,
      attempt: { at, ...result },
      state: result.reason === null ? 'succeeded' : failed,
      due: wait === null ? null : now() + wait,
    }
  }

  #recordNow(): void {
    clearTimeout(this.#recordTimer)
    this.#recordTimer = undefined
    this.#mustRecord = true
    void this.#wake()
  }

  /** Records what came of attempts, many in one commit. */
  async #record(): Promise<void> {
    const batch = this.#outcomes
    this.#outcomes = []
    this.#mustRecord = false
    try {
      await this.#options.store.record(batch.flatMap(({ outcome }) => outcome ?? []))
      const untaken = batch.filter(({ outcome }) => outcome === null)
      await this.#options.store.release(untaken.map(({ job }) => job.delivery))
    } catch (error) {
      if (!this.#isStopped) {
        // Tried again: what a receiver has seen must not be forgotten.
        this.#outcomes = [...batch, ...this.#outcomes]
        this.#mustRecord = true
        throw error
      }
      this.#fail(error)
    }
    for (const { job, endpoint, outcome } of batch) {
      this.#remove(job)
      const lane = this.#lane(endpoint)
      const due = outcome ? outcome.due : this.#options.now()
      if (due !== null) lane.due = Math.min(due, lane.due ?? due)
      if (this.#isReady(lane)) this.#lookAt(endpoint)
    }
  }

  /** Lets the store be for a while, and whoever waits for it know. */
  #fail(error: unknown): void {
    this.#options.log.error('the store failed', { error: String(error) })
    if (this.#isStopped) return
    this.#failure = error
    // Perhaps that is what could not be read.
    this.#haveSourcesChanged = true
    for (const { reject } of this.#waiters) reject(error)
    this.#waiters.clear()
    this.#restTimer = setTimeout(() => {
      this.#restTimer = undefined
      void this.#wake()
    }, STORE_RETRY)
  }

  #settle(): void {
    for (const waiter of this.#waiters) {
      const { sandbox, resolve } = waiter
      const isBusy =
        sandbox === undefined ? this.#running + this.#outcomes.length > 0 : this.#taken.has(sandbox)
      if (isBusy) continue
      this.#waiters.delete(waiter)
      resolve()
    }
  }

  /** Sleeps until something is due. */
  #wait(): void {
    clearTimeout(this.#timer)
    if (this.#isStopped || this.#restTimer) return
    const times = [this.#sourceDue]
    for (const [endpoint, lane] of this.#lanes) {
      const { due, running, queue } = lane
      if (due === null && running === 0 && queue.length === 0) this.#lanes.delete(endpoint)
      else if (queue.length < this.#concurrency) times.push(due)
    }
    const next = times.reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.min(a, b)))
    if (next === null) return
    const wait = Math.min(MAX_WAIT, Math.max(0, next - this.#options.now()))
    this.#timer = setTimeout(() => {
      for (const lane of this.#lanes.values()) {
        if (this.#isReady(lane)) this.#lookAt(lane.endpoint)
      }
      void this.#wake()
    }, wait)
    // A delivery tomorrow keeps no process alive.
    this.#timer.unref()
  }

  #isDue(due: number | null): boolean {
    return due !== null && due <= this.#options.now()
  }

  #isReady({ due, queue }: Lane): boolean {
    return this.#isDue(due) && queue.length < this.#concurrency
  }

  #drop(jobs: readonly Job[]): void {
    const dropped = new Set(jobs)
    for (const job of dropped) this.#remove(job)
    for (const lane of this.#lanes.values()) {
      lane.queue = lane.queue.filter((job) => !dropped.has(job))
    }
    void this.#wake()
  }

  /** What was taken of a sandbox, or of one endpoint of it. */
  #jobsOf({ id }: Sandbox, endpoint?: string): Job[] {
    const jobs = [...(this.#taken.get(id) ?? [])]
    return jobs.filter((job) => endpoint === undefined || job.endpoint.id === endpoint)
  }

  #add(job: Job): void {
    const { id } = job.sandbox
    const taken = this.#taken.get(id) ?? new Set()
    this.#taken.set(id, taken.add(job))
  }

  #remove(job: Job): void {
    const { id } = job.sandbox
    const taken = this.#taken.get(id)
    taken?.delete(job)
    if (taken?.size === 0) this.#taken.delete(id)
  }

  #lookAt(endpoint: number): void {
    this.#looks.set(endpoint, this.#lane(endpoint))
  }

  #lane(endpoint: number): Lane {
    const known = this.#lanes.get(endpoint)
    if (known) return known
    const lane = { endpoint, queue: [], running: 0, due: null }
    this.#lanes.set(endpoint, lane)
    return lane
  }
}

/** Does what is to be done; what fails stays there. */
async function drain<T>(todo: Map<number, T>, work: (item: T) => Promise<void>): Promise<void> {
  for (const [key, item] of todo) {
    todo.delete(key)
    try {
      await work(item)
    } catch (error) {
      todo.set(key, item)
      throw error
    }
  }
}
