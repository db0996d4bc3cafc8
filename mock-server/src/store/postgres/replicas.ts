/** The processes that share a schema: each says every second that it lives. Times are the database's. */
import { randomBytes } from 'node:crypto'
import { StoreError } from '../types.ts'
import type { Database } from './database.ts'

export interface ReplicasOptions {
  /** How often it says so, in milliseconds. @default 1,000 */
  heartbeat?: number | undefined
  /** For how long others believe it, in milliseconds. @default 5,000 */
  timeToLive?: number | undefined
  /** Called when this process was taken for dead: others may have what it had. */
  onLost: () => void
  /** Called with those that died, after they are gone. */
  onDead: (replicas: readonly string[]) => Promise<void>
  /** Called with each failure to reach the database. */
  onError: (error: Error) => void
}

const HEARTBEAT = 1_000
const TIME_TO_LIVE = 5_000
/** How far the clocks of this machine and of the database may be apart, in milliseconds. Less is made up for. */
const MAX_SKEW = 60_000
/** Before others take it for dead, a process stops by itself: after this part of its time to live. */
const SAFE = 0.8

/** Whether a replica lives, as a condition of SQL. @param id The SQL of its id. */
export function alive(id: string): string {
  return `EXISTS (SELECT 1 FROM {replicas} r WHERE r.id = ${id} AND r.alive_until > clock_timestamp())`
}

/** Whether this replica may take what belongs to another one. @param owner The SQL of its id, or null. */
export function free(owner: string): string {
  return `(${owner} IS NULL OR ${owner} = ? OR NOT ${alive(owner)})`
}

function skewed(ahead: number): string {
  const seconds = Math.round(Math.abs(ahead) / 1000)
  const how = ahead > 0 ? 'behind' : 'ahead of'
  return `The clock of this machine is ${seconds} s ${how} that of the database. Set both by a time server (NTP), then start again.`
}

export class Replicas {
  readonly id = randomBytes(9).toString('base64url')
  readonly #db: Database
  readonly #options: ReplicasOptions
  readonly #timeToLive: number
  #timer: NodeJS.Timeout | undefined
  /** When the last heartbeat that succeeded began, by the clock that never goes back. */
  #heard = Number.NEGATIVE_INFINITY
  /** How far the database's clock is ahead of this machine's, in milliseconds. */
  #ahead = 0
  #count = 1
  #beating: Promise<void> | undefined

  constructor(db: Database, options: ReplicasOptions) {
    this.#db = db
    this.#options = options
    this.#timeToLive = options.timeToLive ?? TIME_TO_LIVE
  }

  /** Whether the others still take this process for alive. */
  get isPresent(): boolean {
    return performance.now() - this.#heard < SAFE * this.#timeToLive
  }

  /** How many live, as of the last heartbeat. */
  get count(): number {
    return this.#count
  }

  /** How far the database's clock is ahead of this machine's, in milliseconds. */
  get ahead(): number {
    return this.#ahead
  }

  /** @throws {StoreError} where the clocks are too far apart; what the database throws otherwise. */
  async start(): Promise<void> {
    await this.#beat()
    if (Math.abs(this.#ahead) > MAX_SKEW) {
      await this.stop()
      throw new StoreError(skewed(this.#ahead))
    }
    this.#timer = setInterval(() => void this.#tryBeat(), this.#options.heartbeat ?? HEARTBEAT)
    this.#timer.unref()
  }

  /** Says nothing more, so that the others take it for dead. */
  fall(): void {
    clearInterval(this.#timer)
  }

  /** Leaves. What it had is free. */
  async stop(): Promise<void> {
    this.fall()
    await this.#beating
    await this.#db.run('DELETE FROM {replicas} WHERE id = ?', this.id)
  }

  /** One at a time: a slow one must not be overtaken. */
  async #tryBeat(): Promise<void> {
    if (this.#beating) return
    const beating = this.#beat().catch((error) => this.#options.onError(error as Error))
    this.#beating = beating
    await beating
    this.#beating = undefined
  }

  async #beat(): Promise<void> {
    const began = performance.now()
    const from = Date.now()
    // `known` reads the table as it was before this statement.
    const row = await this.#db.row<{ now: number; count: number; dead: string[]; known: boolean }>(
      `WITH mine AS (
         INSERT INTO {replicas} AS one (id, alive_until)
         VALUES (?, clock_timestamp() + ? * interval '1 millisecond')
         ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until
         RETURNING id)
       SELECT EXISTS (SELECT 1 FROM {replicas} r WHERE r.id = mine.id) AS known,
         (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
         1 + (SELECT count(*)::int FROM {replicas} r
           WHERE r.id <> mine.id AND r.alive_until > clock_timestamp()) AS count,
         ARRAY(SELECT id FROM {replicas} r WHERE r.id <> mine.id AND r.alive_until < clock_timestamp()) AS dead
       FROM mine`,
      this.id,
      this.#timeToLive,
    )
    if (!row) return
    const wasPresent = this.isPresent
    // The time was read between the request and the response.
    this.#ahead = Math.round(row.now - (from + Date.now()) / 2)
    this.#count = row.count
    const isFirst = this.#heard === Number.NEGATIVE_INFINITY
    this.#heard = began
    if (!isFirst && (!row.known || !wasPresent)) this.#options.onLost()
    if (row.dead.length > 0) await this.#bury(row.dead)
  }

  async #bury(dead: readonly string[]): Promise<void> {
    const gone = await this.#db.rows<{ id: string }>(
      'DELETE FROM {replicas} WHERE id = ANY(?) AND alive_until < clock_timestamp() RETURNING id',
      dead,
    )
    if (gone.length > 0) await this.#options.onDead(gone.map(({ id }) => id))
  }
}
