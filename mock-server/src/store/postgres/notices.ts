/**
 * Tells other processes what has changed, soon after it was committed. A notice only hurries them: what is lost is
 * found by the poll of every second.
 */
import pg, { type Client, type ClientConfig } from 'pg'
import type { Observer } from '../store.ts'
import type { Database } from './database.ts'

export interface NoticesOptions {
  db: Database
  /** The id of this process. */
  replica: string
  /** Reaches PostgreSQL without a pooler; undefined to hear nothing. */
  direct: ClientConfig | undefined
  observer: () => Observer | undefined
  /** Called when notices may have been lost. */
  onGap: () => void
  /** Called when another process wants to be heard. */
  onWoken: () => void
  onError: (error: Error) => void
}

/** The time between two notifications, in milliseconds: one for each commit would halve the commits. */
const PACE = 10
/** How many are in one notification, whose payload has at most 8,000 bytes. */
const MOST = 100
/** Does not wait for the disk: what a crash loses, the poll finds. */
const NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)"
const RETRY = { first: 100, longest: 10_000 }

interface Notice {
  from: string
  due: number[]
  /** Sandboxes, each with an endpoint or null for all of it. */
  changed: Array<[sandbox: number, endpoint: string | null]>
  /** Processes that others want to be heard by. */
  woken?: string[]
}

export class Notices {
  readonly #options: NoticesOptions
  readonly #channel: string
  readonly #due = new Set<number>()
  readonly #changed = new Map<string, Notice['changed'][number]>()
  readonly #woken = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** When the last notification was sent, by the clock that never goes back. */
  #sent = Number.NEGATIVE_INFINITY
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #wait = RETRY.first
  #isStopped = false

  constructor(options: NoticesOptions) {
    this.#options = options
    // Channels belong to the database, not to a schema.
    this.#channel = `${options.db.schema}_notices`
  }

  /** Listens as soon as it can. */
  start(): void {
    void this.#listen()
  }

  due(endpoints: readonly number[]): void {
    for (const endpoint of endpoints) this.#due.add(endpoint)
    if (endpoints.length > 0) this.#collect()
  }

  changed(sandbox: number, endpoint: string | null = null): void {
    this.#changed.set(`${sandbox} ${endpoint}`, [sandbox, endpoint])
    this.#collect()
  }

  /** Asks processes to look for what others request of them. */
  wake(replicas: readonly string[]): void {
    for (const replica of replicas) this.#woken.add(replica)
    this.#collect()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#retry)
    clearTimeout(this.#timer)
    await this.#send()
    await this.#client?.end().catch(() => {})
  }

  #collect(): void {
    if (this.#isStopped) return
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#sent = performance.now()
        this.#send().catch(this.#options.onError)
      },
      Math.max(0, this.#sent + PACE - performance.now()),
    )
  }

  async #send(): Promise<void> {
    const { db, replica } = this.#options
    while (this.#due.size + this.#changed.size + this.#woken.size > 0) {
      const due = [...this.#due].slice(0, MOST)
      const changed = [...this.#changed].slice(0, MOST)
      for (const endpoint of due) this.#due.delete(endpoint)
      for (const [key] of changed) this.#changed.delete(key)
      const woken = [...this.#woken].slice(0, MOST)
      for (const one of woken) this.#woken.delete(one)
      const told = changed.map(([, one]) => one)
      const notice: Notice = {
        from: replica,
        due,
        changed: told,
        ...(woken.length > 0 && { woken }),
      }
      await db.run(NOTIFY, this.#channel, JSON.stringify(notice))
    }
  }

  async #listen(): Promise<void> {
    const { direct, onGap } = this.#options
    if (!direct || this.#isStopped) return
    const client = new pg.Client({ ...direct, keepAlive: true })
    this.#client = client
    let hasEnded = false
    const again = (error?: Error) => {
      if (hasEnded) return
      hasEnded = true
      client.end().catch(() => {})
      if (!this.#isStopped) this.#listenLater(error)
    }
    client.on('error', again)
    client.on('end', () => again())
    client.on('notification', ({ payload = '' }) => this.#take(payload))
    try {
      await client.connect()
      await client.query(`LISTEN ${pg.escapeIdentifier(this.#channel)}`)
      this.#wait = RETRY.first
      onGap()
    } catch (error) {
      again(error as Error)
    }
  }

  #listenLater(error: Error | undefined): void {
    if (error) this.#options.onError(error)
    this.#retry = setTimeout(() => void this.#listen(), this.#wait)
    this.#retry.unref()
    this.#wait = Math.min(RETRY.longest, 2 * this.#wait)
  }

  #take(payload: string): void {
    const { replica, observer, onWoken } = this.#options
    const { from, due = [], changed = [], woken = [] } = noticeOf(payload)
    if (woken.includes(replica)) onWoken()
    const heard = observer()
    if (from === replica || !heard) return
    for (const [id, endpoint] of changed) heard.changed({ id }, endpoint ?? undefined)
    if (due.length > 0) heard.due(due)
  }
}

/** What a payload says; nothing where another program used the channel. */
function noticeOf(payload: string): Partial<Notice> {
  try {
    return JSON.parse(payload) ?? {}
  } catch {
    return {}
  }
}
