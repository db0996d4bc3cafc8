import type { PoolConfig } from 'pg'
import { Leases } from '../leases.ts'
import type { Connections, Store } from '../store.ts'
import type { Sandbox } from '../types.ts'
import { Archives } from './archives.ts'
import { Database } from './database.ts'
import { Deliveries } from './deliveries.ts'
import { Endpoints, type Seal } from './endpoints.ts'
import { explained } from './failures.ts'
import { Locks } from './locks.ts'
import { migrate } from './migrate.ts'
import { Notes } from './notes.ts'
import { Notices } from './notices.ts'
import { Outbox } from './outbox.ts'
import { forgetRequests, Peers } from './peers.ts'
import { prune } from './pruning.ts'
import { Replicas, type ReplicasOptions } from './replicas.ts'
import { chosenRevisions, renameRevisions } from './revisions.ts'
import { Sandboxes } from './sandboxes.ts'
import { Snapshots } from './snapshots.ts'
import { State } from './state.ts'
import { Tenants } from './tenants.ts'

export interface PostgresOptions extends Pick<ReplicasOptions, 'heartbeat' | 'timeToLive'> {
  /** The URL of the database. A pooler in transaction mode may stand in between. */
  url: string
  /** Reaches PostgreSQL without a pooler, for notifications; undefined to poll instead. */
  directUrl?: string | undefined
  /** The schema that holds the tables. @default mock_server */
  schema?: string | undefined
  /** The most connections of the pool. @default 10 */
  connections?: number | undefined
  /** The most sandboxes that are kept. @default no limit */
  capacity?: number | undefined
  /** How exactly the time of a sandbox's last use is known, in milliseconds. @default 60,000 */
  precision?: number | undefined
  /** Whether this process delivers to endpoints, besides its own listeners. @default true */
  delivers?: boolean | undefined
  /** How often to look for what no notice told of, in milliseconds. @default 1,000 */
  poll?: number | undefined
  /** After how long an unused sandbox is archived that has no pending deliveries, in milliseconds. @default never */
  idle?: number | undefined
  /** How long an archived sandbox is kept, in milliseconds. @default for ever */
  archive?: number | undefined
  /** Encrypts secrets. @default they are stored as they are */
  cipher?: Seal | undefined
  /** The clock, in milliseconds since 1970. @default the database's */
  now?: (() => number) | undefined
  /** Called with failures that are not of a call, such as that of a heartbeat. */
  onError: (message: string) => void
}

const SCHEMA = 'mock_server'
const CONNECTIONS = 10
const PRECISION = 60_000
/** How long a connection may take, in milliseconds. */
const CONNECTING = 10_000
/** How long a statement may take, in milliseconds: that of a process that died must not go on. */
const STATEMENT = 30_000
const PLAIN: Seal = { seal: (text) => text, open: (text) => text, isCurrent: () => true }

/** A store in PostgreSQL, for any number of processes. */
export class PostgresStore implements Store {
  readonly sandboxes: Sandboxes
  readonly state: State
  readonly endpoints: Endpoints
  readonly deliveries: Deliveries
  readonly outbox: Outbox
  readonly snapshots: Snapshots
  readonly tenants: Tenants
  readonly peers: Peers
  readonly notes: Notes
  readonly db: Database
  readonly replicas: Replicas
  readonly #locks: Locks
  readonly #notices: Notices
  readonly #now: () => number
  readonly #idle: number
  readonly #archive: number
  readonly #archives: Archives
  readonly #cipher: Seal

  /** @throws {StoreError} where the database cannot be used. */
  static async open(options: PostgresOptions): Promise<PostgresStore> {
    const store = new PostgresStore(options)
    try {
      await migrate(store.db)
      await store.#reseal()
      await store.replicas.start()
      store.#notices.start()
      return store
    } catch (error) {
      await store.db.end().catch(() => {})
      throw explained(error, options.url)
    }
  }

  private constructor(options: PostgresOptions) {
    const { directUrl, cipher = PLAIN, capacity = Number.POSITIVE_INFINITY } = options
    const { delivers = true, poll } = options
    const onError = (error: Error) => options.onError(error.message)
    const db = new Database(poolOf(options), options.schema ?? SCHEMA, onError)
    const replicas = new Replicas(db, {
      heartbeat: options.heartbeat,
      timeToLive: options.timeToLive,
      onLost: () => this.outbox.lose(),
      onDead: (dead) => this.outbox.inherit(dead),
      onError,
    })
    const now = options.now ?? (() => Date.now() + replicas.ahead)
    const leases = new Leases()
    const notices = new Notices({
      db,
      replica: replicas.id,
      direct: directUrl === undefined ? undefined : { connectionString: directUrl },
      observer: () => this.outbox.observer,
      onGap: () => void this.outbox.look(),
      onWoken: () => this.peers.wake(),
      onError,
    })
    const onDue = (endpoints: readonly number[]) => this.outbox.give(endpoints)
    this.db = db
    this.replicas = replicas
    this.#notices = notices
    this.#now = now
    this.#idle = options.idle ?? Number.POSITIVE_INFINITY
    this.#archive = options.archive ?? Number.POSITIVE_INFINITY
    this.#cipher = cipher
    this.#locks = new Locks(db, replicas)
    this.endpoints = new Endpoints({ db, leases, notices, replicas, cipher })
    const { endpoints } = this
    this.outbox = new Outbox({ db, leases, replicas, notices, endpoints, delivers, poll, now })
    this.deliveries = new Deliveries({ db, notices, onDue })
    this.state = new State({ db, replicas, onDue, now })
    const { state } = this
    const precision = options.precision ?? PRECISION
    this.sandboxes = new Sandboxes({
      db,
      state,
      endpoints,
      leases,
      notices,
      capacity,
      precision,
      now,
      revive: (key) => this.#archives.revive(key),
    })
    const { sandboxes } = this
    this.snapshots = new Snapshots({ db, sandboxes, endpoints, leases, notices, now })
    const { snapshots } = this
    this.#archives = new Archives({ db, sandboxes, snapshots, now, onError })
    this.tenants = new Tenants(db, sandboxes)
    this.notes = new Notes(db)
    this.peers = new Peers({ db, replicas, notices, cipher, onError })
  }

  /** After the key was rotated, the old one is needed no longer. */
  async #reseal(): Promise<void> {
    if (this.#cipher === PLAIN) return
    await this.endpoints.reseal()
    await this.snapshots.reseal(this.#cipher)
  }

  get connections(): Connections {
    return this.db.connections
  }

  get processes(): number {
    return this.replicas.count
  }

  now(): number {
    return this.#now()
  }

  exclusively<T>(sandbox: Sandbox, name: string, work: () => Promise<T>): Promise<T> {
    return this.#locks.exclusively(sandbox, name, work)
  }

  revisions(): Promise<string[]> {
    return chosenRevisions(this.db)
  }

  renameRevisions(names: ReadonlyMap<string, string>): Promise<void> {
    return renameRevisions(this.db, names)
  }

  async prune(before: number): Promise<number> {
    const now = this.now()
    await forgetRequests(this.db)
    const expired = await this.tenants.removeExpired(now)
    await this.#archives.archiveIdle(now - this.#idle)
    const old = await this.#archives.removeOld(now - this.#archive)
    return expired + old + (await prune(this.db, before, now))
  }

  async check(): Promise<void> {
    await this.db.row('SELECT 1 FROM {sandboxes} LIMIT 1')
  }

  async close(): Promise<void> {
    this.outbox.stop()
    this.peers.stop()
    // What cannot be said now is found out by the others.
    await this.#notices.stop().catch(() => {})
    await this.outbox.leaveAll().catch(() => {})
    await this.replicas.stop().catch(() => {})
    await this.db.end()
  }
}

function poolOf({ url, directUrl, connections = CONNECTIONS }: PostgresOptions): PoolConfig {
  return {
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECTING,
    keepAlive: true,
    query_timeout: STATEMENT + CONNECTING,
    // A pooler refuses a connection with settings.
    ...(url === directUrl && { statement_timeout: STATEMENT, application_name: SCHEMA }),
  }
}
