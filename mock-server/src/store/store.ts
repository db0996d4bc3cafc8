/**
 * The sandbox's store, by who uses it. Every method is one atomic step, so that a store with several
 * writers can implement it.
 */
import type { Peers } from './peers.ts'
import type { TenantStore } from './tenants.ts'
import type {
  Change,
  Claim,
  Conversation,
  Counts,
  Delivery,
  DeliveryFilter,
  Due,
  Endpoint,
  EventFilter,
  Job,
  Listed,
  Logged,
  Outcome,
  Piece,
  Sandbox,
  Seed,
  Snapshot,
  Source,
  Statistics,
  Thread,
} from './types.ts'

/** How many connections are in each state. */
export interface Connections {
  active: number
  idle: number
  waiting: number
}

export interface Store {
  readonly sandboxes: SandboxStore
  readonly state: StateStore
  readonly endpoints: EndpointStore
  readonly deliveries: DeliveryStore
  readonly outbox: OutboxStore
  readonly snapshots: SnapshotStore
  /** Those who share the server; null where the store keeps none. */
  readonly tenants: TenantStore | null
  /** How many processes use the store, with this one. */
  readonly processes: number
  /** Of the pool to the database, and how many statements wait for one; null where there is none. */
  readonly connections: Connections | null
  /** What sandboxes have beside their data; null where the store keeps none. */
  readonly notes: NoteStore | null
  /** The others. */
  readonly peers: Peers
  /** The revisions of the contract that endpoints and keys have chosen. */
  revisions(): Promise<string[]>
  /** The time by the clock that all processes share, in milliseconds since 1970. */
  now(): number
  /** Runs work of a sandbox while no other work of that name runs, in any process. In the order of the calls. */
  exclusively<T>(sandbox: Sandbox, name: string, work: () => Promise<T>): Promise<T>
  /** Gives revisions of the contract other names. */
  renameRevisions(names: ReadonlyMap<string, string>): Promise<void>
  /**
   * Removes older data that is no longer needed, and the rest of removed endpoints. Keeps
   * pending and dead deliveries.
   */
  prune(before: number): Promise<number>
  /** @throws where the data cannot be read, or could not be written and still cannot. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Sandboxes and their clocks. */
export interface SandboxStore {
  /** How many there are. */
  count(): Promise<number>
  /**
   * The sandbox of a key. Creates it from a seed where there is none. The least recently used one without
   * pending or dead deliveries makes room.
   *
   * @returns null where there is no room.
   */
  get(key: string, seed: () => Seed): Promise<Sandbox | null>
  /** Empties a sandbox and seeds it again. Its clock is the real one. */
  reset(sandbox: Sandbox, seed: Seed): Promise<void>
  /**
   * Advances a sandbox's clock, and makes what waits due earlier. Does nothing if it was reset meanwhile.
   *
   * @returns the sandbox as it is then.
   */
  advance(sandbox: Sandbox, ms: number): Promise<Sandbox>
  /** Whether deliveries wait until they are resumed. */
  isPaused(sandbox: Sandbox): Promise<boolean>
  pause(sandbox: Sandbox, isPaused: boolean): Promise<void>
  /**
   * When the next delivery of each endpoint is due, and the next source.
   *
   * @param endpoints Those that count. @default all
   */
  dues(sandbox: Sandbox, endpoints?: readonly number[]): Promise<Due[]>
  /** The revision of the contract that a key has chosen; null for none. */
  revision(key: string): Promise<string | null>
  /** Chooses a revision for the key of a sandbox. */
  choose(sandbox: Sandbox, revision: string | null): Promise<void>
}

/** Conversations, messages, sources, and the responses to requests with an idempotency key. */
export interface StateStore {
  /** Reserves numbers that this sandbox has not used since its reset. @returns the first of `count` */
  numbers(sandbox: Sandbox, count: number): Promise<number>
  conversation(sandbox: Sandbox, id: string): Promise<Conversation | null>
  /** A conversation with its messages, all as they are at one moment. */
  thread(sandbox: Sandbox, id: string): Promise<Thread | null>
  /** The newest messages of a conversation, or those before a number. */
  messages(sandbox: Sandbox, id: string, limit: number, before?: number): Promise<Piece>
  /** The most recently changed first, those before a position. */
  conversations(
    sandbox: Sandbox,
    options: { statuses?: readonly string[] | undefined; before: number; limit: number },
  ): Promise<Listed[]>
  source(sandbox: Sandbox, id: string): Promise<Source | null>
  counts(sandbox: Sandbox, intents: number): Promise<Counts>
  /**
   * A number that differs after each change of a sandbox's state and never comes back; null if others than
   * this process change it.
   */
  version(sandbox: Sandbox): number | null
  /** @throws {Conflict} */
  commit(sandbox: Sandbox, change: Change): Promise<void>
  /** Claims an idempotency key for a request until its response is stored or the key is released. */
  claimKey(sandbox: Sandbox, scope: string, fingerprint: string): Promise<Claim>
  releaseKey(sandbox: Sandbox, scope: string): Promise<void>
}

/** Where events are sent. */
export interface EndpointStore {
  add(sandbox: Sandbox, endpoint: Endpoint): Promise<void>
  list(sandbox: Sandbox): Promise<Endpoint[]>
  /** @returns false where there is no such endpoint. */
  changeSecret(sandbox: Sandbox, endpoint: string, secret: string): Promise<boolean>
  /** Changes what an endpoint receives. */
  change(
    sandbox: Sandbox,
    endpoint: string,
    received: Pick<Endpoint, 'kinds' | 'revision'>,
  ): Promise<void>
  /**
   * Removes an endpoint with its deliveries. The events stay.
   *
   * @returns false where there is no such endpoint.
   */
  remove(sandbox: Sandbox, endpoint: string): Promise<boolean>
  /**
   * Disables or enables an endpoint. While it is disabled, events are not for it, and its deliveries are not due.
   *
   * @returns false where there is no such endpoint.
   */
  disable(sandbox: Sandbox, endpoint: string, isDisabled: boolean): Promise<boolean>
  /** The listeners that have consumers, each with the process that has them; null for this one. */
  attended(sandbox: Sandbox): Promise<Array<{ id: string; by: string | null }>>
  /** Sets whether a listener has consumers. While it has none, as at first, its deliveries are not due. */
  attend(sandbox: Sandbox, endpoint: string, isAttended: boolean): Promise<void>
}

/** Events and deliveries as they are shown, and their replay. */
export interface DeliveryStore {
  /** Those of a revision of the contract, the newest first, those before a position. */
  events(
    sandbox: Sandbox,
    limit: number,
    before?: number,
    revision?: string | null,
    filter?: EventFilter,
  ): Promise<Logged[]>
  /** The event of a delivery. */
  eventOf(sandbox: Sandbox, delivery: string): Promise<Logged | null>
  /** The newest first, those that were created before one. */
  list(
    sandbox: Sandbox,
    filter: DeliveryFilter,
    limit: number,
    before?: string,
  ): Promise<Delivery[]>
  /** How many deliveries pass a filter, counted up to `most`. */
  count(sandbox: Sandbox, filter: DeliveryFilter, most: number): Promise<number>
  /** Of the endpoints, by the latest deliveries of the sandbox, up to `most` in each state. */
  statistics(sandbox: Sandbox, most: number): Promise<Statistics[]>
  get(sandbox: Sandbox, id: string): Promise<Delivery | null>
  /** Gives deliveries that are not pending a new cycle. @returns how many. */
  replay(sandbox: Sandbox, which: DeliveryFilter | { id: string }, due: number): Promise<number>
  /** Makes a pending delivery dead. The result of a running attempt is added to it. @returns whether it was pending. */
  cancel(sandbox: Sandbox, id: string): Promise<boolean>
  /**
   * Makes the next attempt of a pending delivery due, also while the sandbox is paused.
   *
   * @returns whether it was pending and its endpoint is not disabled.
   */
  hurry(sandbox: Sandbox, id: string, due: number): Promise<boolean>
}

/** Sandboxes as they were. */
export interface SnapshotStore {
  /** Replaces one of the same name. */
  take(sandbox: Sandbox, name: string): Promise<Snapshot>
  list(sandbox: Sandbox): Promise<Snapshot[]>
  /**
   * Gives a sandbox the data, clock and ids of a snapshot. Claims end.
   *
   * @param kept Endpoints that stay, whether the snapshot has them or not.
   * @returns false where there is no such snapshot.
   */
  restore(sandbox: Sandbox, name: string, kept: readonly Endpoint[]): Promise<boolean>
  /** @returns false where there is no such snapshot. */
  remove(sandbox: Sandbox, name: string): Promise<boolean>
}

/** Texts by their names, which end with a reset. */
export interface NoteStore {
  read(sandbox: Sandbox, name: string): Promise<{ text: string; version: number } | null>
  /**
   * @param version As it was read; null for a new one.
   * @returns whether it was written: not if another write came first.
   */
  write(sandbox: Sandbox, name: string, text: string, version: number | null): Promise<boolean>
}

/** What waits for its time, for the worker. */
export interface OutboxStore {
  /** Whether what this process has claimed is its own. False once others may take it for dead. */
  readonly isPresent: boolean
  /**
   * The numbers of endpoints that may have something due and that no other process works on: of a sandbox, or of
   * all. Where there are other processes, some of all, so that each process gets its share.
   */
  endpointNumbers(sandbox?: Sandbox): Promise<number[]>
  /** When the first unclaimed delivery of an endpoint is due. */
  firstDue(endpoint: number): Promise<number | null>
  /**
   * Claims deliveries of an endpoint that are due. They are this process's until they are recorded or released, and
   * so is the endpoint until it is left. Claims none where another process works on it.
   */
  claim(endpoint: number, now: number, limit: number): Promise<Job[]>
  /** Lets other processes work on endpoints of which this one has no claimed deliveries. */
  leave(endpoints: readonly number[]): Promise<void>
  /** Drops outcomes whose deliveries have changed since they were claimed: by a reset, a replay, or another process. */
  record(outcomes: readonly Outcome[]): Promise<void>
  /** Releases deliveries that were claimed and not attempted. */
  release(deliveries: readonly number[]): Promise<void>
  /** Whether other processes have no delivery of a sandbox, or of any, that is due. */
  haveOthersSettled(sandbox?: Sandbox): Promise<boolean>
  /** What is due in all sandboxes, for monitoring. */
  backlog(): Promise<Backlog>
  /** Tells of what other processes did. */
  watch(observer: Observer): void
  /** When the first source changes its state. */
  firstSourceDue(): Promise<number | null>
  dueSources(now: number, limit: number): Promise<Array<{ sandbox: Sandbox; source: Source }>>
}

/** What waits to be attempted. */
export interface Backlog {
  /** How many deliveries are due, counted up to 10,000. */
  due: number
  /** For how long the first of them has waited for a process to work on its endpoint, in milliseconds. */
  lag: number
}

/** What another process did that changes what this one has to do. */
export interface Observer {
  /** These endpoints may have something due. */
  due(endpoints: readonly number[]): void
  /** What is claimed of a sandbox, or of one of its endpoints, may be out of date. */
  changed(sandbox: Pick<Sandbox, 'id'>, endpoint?: string): void
}
