/**
 * Brings events to their endpoints.
 *
 * The life of a delivery:
 * 1. A commit writes an event with one pending delivery for each endpoint that wants its kind, due at
 *    once, and pokes the worker.
 * 2. The worker looks at the endpoints of that sandbox. It claims the due deliveries of each, some ahead of those that
 *    run, into the endpoint's lane (lane.ts).
 * 3. A lane runs at most ten attempts at once. An attempt posts the event to its endpoint (sender.ts), or
 *    offers it to the consumers of a listener (listeners.ts).
 * 4. The result becomes an outcome: succeeded, dead, or pending and due again after a wait (schedule.ts).
 *    An attempt that was not made has no outcome.
 * 5. Outcomes are recorded in batches (recorder.ts), which ends the claims. Without an outcome, a
 *    delivery is due again at once; a listener without consumers keeps it back in the store.
 * 6. Between two attempts the worker sleeps until the earliest time at which a lane, or a source
 *    (indexer.ts), is due. Then it is step 2 again. A replay starts there too, with a new cycle.
 * 7. A reset, a restore or a removal drops the jobs in the lanes. Running attempts end, and their outcomes are
 *    dropped. A pause, or an endpoint that is disabled, returns the jobs in the lanes to the store, which keeps
 *    them until it is resumed or enabled.
 *
 * Where several processes share a store, each endpoint has one of them at a time: the first that claims a delivery of
 * it, until nothing of it is claimed any more (`leave`). The store says what another process did (`watch`), and whether
 * this one may be taken for dead, after which it begins no attempt (`isPresent`).
 *
 * No wake-up is lost: code that creates work notes it first, in `#changed`, `#looks`, the recorder or the
 * indexer, and then wakes the loop. The loop checks these and goes to sleep without a break in between.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../door/log.ts'
import type { OutboxStore } from '../store/store.ts'
import type { Endpoint, Job, Outcome, Sandbox } from '../store/types.ts'
import { Claims } from './claims.ts'
import { drain } from './drain.ts'
import { type DueSource, Indexer } from './indexer.ts'
import type { Lane } from './lane.ts'
import { Lanes } from './lanes.ts'
import { outcomeOf } from './outcome.ts'
import { type Recorded, Recorder } from './recorder.ts'
import type { Schedule } from './schedule.ts'
import type { Sent } from './sender.ts'
import { Waiters } from './waiters.ts'

export interface WorkerOptions {
  store: OutboxStore
  /** Makes an attempt. Never rejects. Null if no attempt was made. */
  send: (job: Job) => Promise<Sent | null>
  schedule: Schedule
  now: () => number
  log: Log
  /** Gives a source its next state. */
  index: (due: DueSource) => Promise<void>
  /** How many attempts may run at one endpoint at once. @default 10 */
  concurrency?: number
  /** Called with what each attempt came to. */
  onOutcome?: ((outcome: Outcome) => void) | undefined
}

const CONCURRENCY = 10
/** How long to wait after the store failed, in milliseconds. */
const STORE_RETRY = 1000
/** How long to wait before other processes are asked again, in milliseconds. */
const OTHERS = 25
/** The longest sleep, in milliseconds: clocks may be set meanwhile. */
const MAX_SLEEP = 60_000

export class Worker {
  readonly #options: WorkerOptions
  readonly #lanes: Lanes
  readonly #claims = new Claims()
  readonly #recorder: Recorder
  readonly #indexer: Indexer
  /** Sandboxes whose endpoints may have something due. */
  readonly #changed = new Map<number, Sandbox>()
  /** Lanes of which nothing is claimed any more. */
  readonly #free = new Set<Lane>()
  /** Lanes that may have something due. */
  readonly #looks = new Map<number, Lane>()
  /** The endpoints whose deliveries have ended, of the sandboxes whose clocks are advanced. */
  readonly #watched = new Map<number, Set<number>>()
  #running = 0
  /** Grows with every change that a claim in progress may have missed. */
  #changes = 0
  readonly #waiters = new Waiters()
  #loop: Promise<void> | null = null
  #sleepTimer: NodeJS.Timeout | undefined
  /** Set while the worker pauses after the store failed. */
  #restTimer: NodeJS.Timeout | undefined
  #failure: unknown
  #isStopped = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#lanes = new Lanes(options.concurrency ?? CONCURRENCY)
    const isWanted = (job: Job) => this.#claims.owns(job)
    this.#recorder = new Recorder(options.store, () => void this.#wake(), isWanted)
    this.#indexer = new Indexer(options)
    options.store.watch({
      due: (endpoints) => void this.lookAt(endpoints),
      changed: (sandbox, endpoint) => {
        this.#claimAgain(sandbox, endpoint).catch((error) => this.#fail(error))
      },
    })
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Continues with the deliveries in the store. @throws what the store throws meanwhile. */
  async start(): Promise<void> {
    for (const endpoint of await this.#options.store.endpointNumbers()) this.#lookAt(endpoint)
    await this.#wake()
    if (this.#restTimer) throw this.#failure
  }

  /** Looks at a sandbox that may have deliveries, or sources, that are due. */
  poke(sandbox: Sandbox, haveSourcesChanged = true): Promise<void> {
    this.#changed.set(sandbox.id, sandbox)
    if (haveSourcesChanged) this.#indexer.invalidate()
    return this.#wake()
  }

  /** Looks at endpoints that have something due, and at the sources. */
  lookAt(endpoints: readonly number[]): Promise<void> {
    for (const endpoint of endpoints) this.#lookAt(endpoint)
    this.#indexer.invalidate()
    return this.#wake()
  }

  /** Collects the endpoints of a sandbox whose deliveries end, until {@link unwatch}. */
  watch({ id }: Sandbox): Set<number> {
    const changed = new Set<number>()
    this.#watched.set(id, changed)
    return changed
  }

  unwatch({ id }: Sandbox): void {
    this.#watched.delete(id)
  }

  /**
   * Waits until no attempt of a sandbox, or of any, runs and no delivery is due, in any process.
   *
   * @throws what the store throws meanwhile.
   */
  async settled(sandbox?: Sandbox): Promise<void> {
    for (;;) {
      await this.#settledHere(sandbox)
      if (this.#isStopped || (await this.#options.store.haveOthersSettled(sandbox))) return
      await delay(OTHERS)
    }
  }

  /** Waits until this process has settled. */
  #settledHere(sandbox?: Sandbox): Promise<void> {
    if (this.#restTimer) return Promise.reject(this.#failure)
    void this.#wake()
    return this.#waiters.wait(sandbox?.id)
  }

  /**
   * Drops the waiting jobs of a sandbox that was reset, or of an endpoint that was removed. The outcomes of
   * running attempts are lost, and `settled` does not wait for them.
   */
  drop(sandbox: Sandbox, endpoint?: string): void {
    this.#changes++
    this.#drop(this.#claims.of(sandbox, endpoint))
  }

  /**
   * Returns waiting jobs of a sandbox to the store, after that holds them back. Running attempts end as usual.
   *
   * @param which Undefined for all of them.
   */
  async withhold(
    sandbox: Pick<Sandbox, 'id'>,
    which: (job: Job) => boolean = () => true,
  ): Promise<void> {
    this.#changes++
    const waiting = this.#takeOut(this.#claims.of(sandbox).filter(which))
    for (const job of waiting) this.#claims.delete(job)
    await this.#options.store.release(waiting.map(({ delivery }) => delivery))
    void this.#wake()
  }

  /** Claims what waits again, after another process changed the sandbox or one of its endpoints. */
  async #claimAgain(sandbox: Pick<Sandbox, 'id'>, endpoint?: string): Promise<void> {
    const jobs = new Set(this.#claims.of(sandbox, endpoint))
    const changed = this.#lanes.with(jobs)
    await this.withhold(sandbox, (job) => jobs.has(job))
    await this.lookAt(changed.map((lane) => lane.endpoint))
  }

  /** Makes every attempt that starts from now on use a changed endpoint. */
  renew(sandbox: Sandbox, endpoint: Endpoint): void {
    this.#changes++
    for (const job of this.#claims.of(sandbox, endpoint.id)) job.endpoint = endpoint
  }

  /** Claims nothing more and waits for the running attempts. The rest stays in the store. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#sleepTimer)
    clearTimeout(this.#restTimer)
    this.#restTimer = undefined
    this.#drop(this.#lanes.empty())
    await this.#settledHere()
  }

  /** Runs the loop until no work is left. */
  #wake(): Promise<void> {
    this.#loop ??= this.#run()
    return this.#loop
  }

  async #run(): Promise<void> {
    // The caller continues first, and so do others that wake it at the same time.
    await null
    try {
      while (this.#hasWork()) await this.#step()
    } catch (error) {
      this.#fail(error)
    }
    this.#settle()
    this.#loop = null
    if (this.#hasWork()) void this.#wake()
    else this.#sleep()
  }

  #hasWork(): boolean {
    if (this.#restTimer) return false
    if (this.#recorder.isDue) return true
    if (this.#isStopped) return false
    const todo = [this.#changed, this.#looks, this.#free]
    return this.#indexer.hasWork || todo.some(({ size }) => size > 0)
  }

  async #step(): Promise<void> {
    const { store } = this.#options
    if (this.#recorder.isDue) await this.#record()
    if (this.#isStopped) return
    await drain(this.#changed, async (sandbox) => {
      for (const endpoint of await store.endpointNumbers(sandbox)) this.#lookAt(endpoint)
    })
    await this.#indexer.work()
    await drain(this.#looks, (lane) => this.#claim(lane))
    await this.#leave()
  }

  /** Claims the due deliveries of an endpoint, and starts their attempts. */
  async #claim(lane: Lane): Promise<void> {
    const { store, now } = this.#options
    const { free } = lane
    const changes = this.#changes
    const jobs = await store.claim(lane.endpoint, now(), free)
    if (this.#isStopped) return
    if (changes !== this.#changes) {
      // Perhaps read before the change.
      await store.release(jobs.map(({ delivery }) => delivery))
      return this.#lookAt(lane.endpoint)
    }
    lane.add(jobs)
    for (const job of jobs) this.#claims.add(job)
    lane.due = jobs.length < free ? await store.firstDue(lane.endpoint) : now()
    this.#startOn(lane)
    this.#leaveIfFree(lane)
  }

  #startOn(lane: Lane): void {
    if (this.#options.store.isPresent) lane.start((job) => this.#attempt(lane, job))
    else if (lane.isWaiting) this.#lose(lane)
  }

  /** Returns what waits in a lane that other processes may have taken over. */
  #lose(lane: Lane): void {
    const jobs = lane.empty()
    for (const job of jobs) this.#claims.delete(job)
    const released = this.#options.store.release(jobs.map(({ delivery }) => delivery))
    released.then(() => this.lookAt([lane.endpoint])).catch((error) => this.#fail(error))
  }

  #leaveIfFree(lane: Lane): void {
    if (lane.isFree) this.#free.add(lane)
  }

  /** Leaves the endpoints that have nothing due. */
  async #leave(): Promise<void> {
    if (this.#free.size === 0) return
    const free = [...this.#free].filter((lane) => lane.isFree && !this.#looks.has(lane.endpoint))
    await this.#options.store.leave(free.map(({ endpoint }) => endpoint))
    this.#free.clear()
  }

  async #attempt(lane: Lane, job: Job): Promise<void> {
    const { send, now, onOutcome } = this.#options
    const at = now() + job.sandbox.offset
    this.#running++
    const result = await send(job)
    const outcome = result && outcomeOf(job, at, result, this.#options)
    if (outcome) onOutcome?.(outcome)
    this.#running--
    lane.end()
    this.#startOn(lane)
    this.#recorder.add({ job, endpoint: lane.endpoint, outcome }, this.#running === 0)
  }

  async #record(): Promise<void> {
    const { all, recorded } = await this.#recorded()
    for (const ended of all) {
      const { job, endpoint, outcome } = ended
      const lane = this.#lanes.of(endpoint)
      lane.settle()
      this.#leaveIfFree(lane)
      if (!recorded.has(ended)) continue
      this.#claims.delete(job)
      this.#watched.get(job.sandbox.id)?.add(endpoint)
      const due = outcome ? outcome.due : this.#options.now()
      if (due !== null) lane.expect(due)
      if (this.#isDue(lane.wanted)) this.#lookAt(endpoint)
    }
  }

  async #recorded(): Promise<Recorded> {
    try {
      return await this.#recorder.record()
    } catch (error) {
      if (!this.#isStopped) throw error
      // The process ends. The attempts are made again after the next start.
      this.#fail(error)
      const all = this.#recorder.take()
      return { all, recorded: new Set(all) }
    }
  }

  /** Pauses for a while, and rejects the waiting calls. */
  #fail(error: unknown): void {
    this.#options.log.error('the store failed', { error: String(error) })
    if (this.#isStopped) return
    this.#failure = error
    // The store may have failed while it read the due sources.
    this.#indexer.invalidate()
    this.#waiters.fail(error)
    this.#restTimer = setTimeout(() => {
      this.#restTimer = undefined
      void this.#wake()
    }, STORE_RETRY)
  }

  #settle(): void {
    const isBusy = this.#running > 0 || !this.#recorder.isEmpty
    this.#waiters.settle((sandbox) => (sandbox === undefined ? isBusy : this.#claims.has(sandbox)))
  }

  /** Sleeps until something is due. */
  #sleep(): void {
    clearTimeout(this.#sleepTimer)
    if (this.#isStopped || this.#restTimer) return
    const next = Math.min(this.#lanes.next(), this.#indexer.due ?? Number.POSITIVE_INFINITY)
    if (next === Number.POSITIVE_INFINITY) return
    const wait = Math.min(MAX_SLEEP, Math.max(0, next - this.#options.now()))
    this.#sleepTimer = setTimeout(() => {
      for (const lane of this.#lanes.wanting(this.#options.now())) this.#lookAt(lane.endpoint)
      void this.#wake()
    }, wait)
    // A delivery tomorrow keeps no process alive.
    this.#sleepTimer.unref()
  }

  #isDue(due: number | null): boolean {
    return due !== null && due <= this.#options.now()
  }

  #drop(jobs: readonly Job[]): void {
    for (const job of jobs) this.#claims.delete(job)
    this.#takeOut(jobs)
    void this.#wake()
  }

  /** Takes jobs that have not started out of their lanes. @returns them */
  #takeOut(jobs: readonly Job[]): Job[] {
    const unwanted = new Set(jobs)
    return this.#lanes.with(unwanted).flatMap((lane) => {
      const taken = lane.drop(unwanted)
      this.#leaveIfFree(lane)
      return taken
    })
  }

  #lookAt(endpoint: number): void {
    this.#looks.set(endpoint, this.#lanes.of(endpoint))
  }
}
