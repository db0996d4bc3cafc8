/** All sandboxes, one for each key, with one store and one worker. */
import type { DriftCheck } from '../contract/drift.ts'
import type { SharedListeners } from '../delivery/shared-listeners.ts'
import { advance } from '../delivery/time.ts'
import type { HttpRequest } from '../door/message.ts'
import { invalid, Problem } from '../door/problem.ts'
import type { Store } from '../store/store.ts'
import type { Conversation, Sandbox, Seed } from '../store/types.ts'
import { UNTRACED } from '../tracing/tracer.ts'
import { type Bindings, type Ids, pageNamesOf } from './bindings.ts'
import type { Deliveries } from './deliveries.ts'
import type { Endpoints } from './endpoints.ts'
import { Engine, type EngineOptions } from './engine.ts'
import type { EventSource } from './events.ts'
import { type Gate, OPEN } from './gate.ts'
import { Life, notFound } from './life.ts'
import { operationsOf } from './operations.ts'
import { Rendered } from './rendered.ts'
import { type Serve, servingOf } from './serving.ts'
import type { ThreadMessage } from './shapes.ts'
import type { Snapshots } from './snapshots.ts'

export interface SandboxesOptions extends EngineOptions {
  /** The data of a new sandbox. */
  seed: Seed
  bindings: Bindings
  /** Makes the events of the sandbox. */
  events: EventSource
  ids: Ids
  /** Checks every response; undefined for none. */
  drift?: DriftCheck | undefined
  /** The name of this revision of the contract; null if it is the only one. */
  revision: string | null
  /** All revisions of the contract, the first one first. */
  revisions: readonly Revision[]
}

/** A revision of the contract that is in service. */
export interface Revision {
  name: string
  bindings: Bindings
  /** What has another name than in the revision before it. */
  renames: readonly Rename[]
}

/** A part of the contract that has another name than in the revision before it. */
export interface Rename {
  what: 'operation' | 'parameter' | 'header' | 'field' | 'event'
  from: string
  to: string
  /** False if the contract does not say so, and nothing but the names differs. */
  isCertain: boolean
}

/** What depends on the contract. Of the sender, that is how it signs. */
export type Contracted = Omit<SandboxesOptions, Exclude<keyof EngineOptions, 'sender'>>

export class Sandboxes {
  /** For reading. All changes go through the members below. */
  readonly store: Store
  readonly life: Life
  readonly endpoints: Endpoints
  readonly deliveries: Deliveries
  readonly listeners: SharedListeners
  readonly snapshots: Snapshots
  readonly bindings: Bindings
  /** By `METHOD /path` of the contract. */
  readonly operations: ReadonlyMap<string, Serve>
  readonly #options: SandboxesOptions
  readonly #engine: Engine
  readonly #gate: Gate

  /** @param engine That of the sandboxes whose place these will take. */
  constructor(options: SandboxesOptions, engine?: Engine) {
    const { bindings, drift, events, ids, gate = OPEN } = options
    this.#options = options
    this.#gate = gate
    this.#engine = engine ?? new Engine(options)
    const { store, worker, now, steps } = this.#engine
    this.bindings = bindings
    this.store = store
    this.endpoints = this.#engine.endpoints
    this.deliveries = this.#engine.deliveries
    this.listeners = this.#engine.listeners
    this.snapshots = this.#engine.snapshots
    this.life = new Life({
      store: store.state,
      events,
      ids,
      now,
      mutex: steps,
      allow: (one, change) => gate.allow(one, change),
      tracer: options.tracer ?? UNTRACED,
      onChange: (one, { source }) => void worker.poke(one, source !== undefined),
    })
    const pageNames = pageNamesOf(bindings.operation('list')?.described)
    const operations = operationsOf(store.state, this.life, pageNames)
    const parts = { drift, rendered: new Rendered(store.state) }
    this.operations = new Map(
      [...bindings.operations].map(([route, bound]) => [
        route,
        servingOf(bound, operations[bound.name], parts),
      ]),
    )
    if (!engine) this.takeOver()
  }

  /** The name of this revision of the contract; null if it is the only one. */
  get revision(): string | null {
    return this.#options.revision
  }

  /** All revisions of the contract, the first one first. */
  get revisions(): readonly Revision[] {
    return this.#options.revisions
  }

  /** As the log of events names it: the first one has no name there. */
  get logged(): string | null {
    const [first] = this.revisions
    return first?.name === this.revision ? null : this.revision
  }

  /** The same sandboxes under another contract. These still serve the requests that they have. */
  under(contracted: Contracted): Sandboxes {
    return new Sandboxes({ ...this.#options, ...contracted }, this.#engine)
  }

  /**
   * The name of a revision, if one has it.
   *
   * @throws {Problem} 422 for any other name.
   */
  known(name: string): string {
    const names = this.revisions.map((one) => one.name)
    if (names.includes(name)) return name
    throw invalid(unknownRevision(name, names))
  }

  /** Chooses the revision of a sandbox's requests; null for the first one. @throws {Problem} 422 */
  async choose(sandbox: Sandbox, revision: string | null): Promise<void> {
    const known = revision === null ? null : this.known(revision)
    await this.store.sandboxes.choose(sandbox, known)
  }

  /** Gives revisions other names, for the endpoints and keys that have chosen them. */
  async rename(names: ReadonlyMap<string, string>): Promise<void> {
    if (names.size > 0) await this.store.renameRevisions(names)
  }

  /** From now on, sources are indexed and deliveries are signed by the contract of these sandboxes. */
  takeOver(): void {
    this.#engine.index = (sandbox, source) => this.life.index(sandbox, source)
    this.#engine.sender.signing = this.#options.sender
  }

  /** Continues with the deliveries that the last process left pending. */
  start(): Promise<void> {
    return this.#engine.start()
  }

  /** Removes old finished data, and the rest of removed endpoints. Keeps pending and dead deliveries. */
  prune(): Promise<void> {
    return this.#engine.prune()
  }

  /** Ends the polls of consumers, so that they go elsewhere. */
  stopListening(): Promise<void> {
    return this.#engine.stopListening()
  }

  /** Waits for the running attempts and closes the store. */
  close(): Promise<void> {
    return this.#engine.close()
  }

  /**
   * The sandbox of a key.
   *
   * @throws {Problem} 401 for a key that does not work, 503 where there is no room for another one.
   */
  async of(key: string): Promise<Sandbox> {
    const name = await this.#gate.nameOf(key)
    const sandbox = await this.store.sandboxes.get(name, () => this.#options.seed)
    if (sandbox) {
      this.#gate.enter(name, sandbox)
      return sandbox
    }
    const detail =
      'There are 1,000 sandboxes, and each has pending or dead deliveries. Use a key that has a sandbox already, or reset some.'
    throw new Problem(503, 'too_many_sandboxes', detail)
  }

  /**
   * Counts a request of a key.
   *
   * @param onGone Tells when it has ended.
   * @throws {Problem} 401 for a key that does not work, 429 for one too many.
   */
  admit(key: string, onGone?: HttpRequest['onGone']): Promise<void> {
    return this.#gate.admit(key, onGone)
  }

  /** The revision of the contract that a key has chosen; null for none. */
  async chosen(key: string): Promise<string | null> {
    return this.store.sandboxes.revision(await this.#gate.nameOf(key))
  }

  /** Whether the store can be read and written. */
  isHealthy(): Promise<boolean> {
    return this.store.check().then(
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
      this.#engine.worker.drop(sandbox)
    })
  }

  /**
   * Advances a sandbox's clock. Returns when every attempt that became due has ended.
   *
   * @param ms How far, in milliseconds.
   * @returns the sandbox's new time.
   */
  async advance(sandbox: Sandbox, ms: number): Promise<number> {
    const { worker, now } = this.#engine
    const parts = { store: this.store.sandboxes, worker, now }
    const move = () => advance(sandbox, ms, parts)
    return this.life.now(await this.store.exclusively(sandbox, 'clock', move))
  }

  /** Waits until no attempt of a sandbox runs and no delivery is due. */
  settled(sandbox: Sandbox): Promise<void> {
    return this.#engine.worker.settled(sandbox)
  }

  /** The most recently changed first, those before a position. @param status The only one; undefined for all. */
  async conversations(
    sandbox: Sandbox,
    before: number,
    limit: number,
    status?: string,
  ): Promise<Conversation[]> {
    const statuses = status === undefined ? undefined : [status]
    const listed = await this.store.state.conversations(sandbox, { statuses, before, limit })
    const found = await Promise.all(
      listed.map(({ json }) => this.store.state.conversation(sandbox, JSON.parse(json).id)),
    )
    return found.filter((one) => one !== null)
  }

  /** A conversation with its newest messages, or with those before a number. */
  async messages(sandbox: Sandbox, id: string, limit: number, before?: number) {
    const conversation = await this.store.state.conversation(sandbox, id)
    if (!conversation) throw notFound(id)
    const { messages, total } = await this.store.state.messages(sandbox, id, limit, before)
    const shown: ThreadMessage[] = messages.map(({ json }) => JSON.parse(json))
    return { conversation, messages: shown, first: messages[0]?.number ?? 1, total }
  }
}

/** What is wrong with the name of a revision, and what to do. */
export function unknownRevision(name: string, names: readonly string[]): string {
  const shown = JSON.stringify(name.length > 40 ? `${name.slice(0, 39)}…` : name)
  return `There is no revision ${shown}. Use one of: ${names.join(', ')}.`
}

/** Whose requests are counted together. A reset starts a new generation, whose requests are counted from zero. */
export function ownerOf(sandbox: Sandbox): { name: string; sandbox: Sandbox } {
  return { name: `${sandbox.id}.${sandbox.generation}`, sandbox }
}
