/** Processes request things of each other through a table, so that they need no way to each other but the database. */
import {
  PeerFailed,
  PeerGone,
  type Peers as PeersOfStore,
  type RequestOptions,
  type Respond,
} from '../peers.ts'
import type { Database } from './database.ts'
import type { Seal } from './endpoints.ts'
import type { Notices } from './notices.ts'
import { alive, type Replicas } from './replicas.ts'

export interface PeersOptions {
  db: Database
  replicas: Replicas
  notices: Notices
  /** What is said may have secrets. */
  cipher: Seal
  onError: (error: Error) => void
}

interface ResponseRow {
  id: number
  failed: boolean
  response: string
}

/** How often to look for what no notice told of, in milliseconds: while waiting for a response, and otherwise. */
const POLL = { waiting: 100, idle: 500 }
/** How long a response may take, in milliseconds: of one, and where the others do not need it. */
const TIMEOUT = { one: 5_000, all: 1_000 }
/** How often to look whether the process still lives, in milliseconds. */
const CHECK = 1_000
/** How long a request that nobody waits for any more is kept, in seconds. */
const KEPT = 120

export class Peers implements PeersOfStore {
  readonly #options: PeersOptions
  readonly #handlers = new Map<string, Respond>()
  /** Those that wait for a response, by the number of the request. */
  readonly #waiting = new Map<number, (row: ResponseRow) => void>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #looksAgain = false
  #isStopped = false

  constructor(options: PeersOptions) {
    this.#options = options
  }

  handle(name: string, respond: Respond): void {
    if (this.#handlers.size === 0) this.#sleep()
    this.#handlers.set(name, respond)
  }

  async requestAll<T>(name: string, body: unknown) {
    const { db, replicas } = this.#options
    const sql = `SELECT id FROM {replicas} r WHERE id <> ? AND ${alive('r.id')}`
    const others = await db.rows<{ id: string }>(sql, replicas.id)
    const responses = await Promise.allSettled(
      others.map(async ({ id: peer }) => {
        const response = await this.request<T>(peer, name, body, { timeout: TIMEOUT.all })
        return { peer, response }
      }),
    )
    return responses.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }

  async request<T>(
    peer: string,
    name: string,
    body: unknown,
    { timeout = TIMEOUT.one, signal }: RequestOptions = {},
  ): Promise<T> {
    const { db, replicas, notices, cipher } = this.#options
    const sent = await db.row<{ id: number }>(
      `INSERT INTO {peer_requests} (sender, receiver, name, body)
       SELECT ?, r.id, ?, ? FROM {replicas} r WHERE r.id = ? AND ${alive('r.id')} RETURNING id`,
      replicas.id,
      name,
      cipher.seal(JSON.stringify(body ?? null)),
      peer,
    )
    if (!sent) throw new PeerGone('the process does not live')
    notices.wake([peer])
    const row = await this.#response(sent.id, peer, timeout, signal)
    const response = JSON.parse(cipher.open(row.response))
    if (row.failed) throw new PeerFailed(response)
    return response
  }

  /** Looks for requests to this process, and for responses. */
  wake(): void {
    void this.#look()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** Waits for a response, and removes the request. */
  async #response(
    id: number,
    peer: string,
    timeout: number,
    signal: AbortSignal | undefined,
  ): Promise<ResponseRow> {
    const { db } = this.#options
    const isGone = async () => {
      const sql = `SELECT 1 FROM {replicas} r WHERE r.id = ? AND ${alive('r.id')}`
      return !(await db.row(sql, peer).catch(() => true))
    }
    let [timer, check]: NodeJS.Timeout[] = []
    let giveUp = () => {}
    try {
      return await new Promise<ResponseRow>((resolve, reject) => {
        giveUp = () => reject(new PeerGone('the process did not respond'))
        timer = setTimeout(giveUp, timeout)
        check = setInterval(async () => void ((await isGone()) && giveUp()), CHECK)
        signal?.addEventListener('abort', giveUp, { once: true })
        if (signal?.aborted) giveUp()
        this.#waiting.set(id, resolve)
        this.#sleep()
      })
    } finally {
      clearTimeout(timer)
      clearInterval(check)
      signal?.removeEventListener('abort', giveUp)
      this.#waiting.delete(id)
      await db.run('DELETE FROM {peer_requests} WHERE id = ?', id).catch(() => {})
    }
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return
    this.#looksAgain = true
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      while (this.#looksAgain) {
        this.#looksAgain = false
        await this.#takeResponses()
        await this.#takeRequests()
      }
    } catch {
      // The heartbeat fails too, and says so.
    } finally {
      this.#isLooking = false
      this.#sleep()
    }
  }

  async #takeResponses(): Promise<void> {
    if (this.#waiting.size === 0) return
    const { db, replicas } = this.#options
    const rows = await db.rows<ResponseRow>(
      'SELECT id, failed, response FROM {peer_requests} WHERE sender = ? AND response IS NOT NULL',
      replicas.id,
    )
    for (const row of rows) this.#waiting.get(row.id)?.(row)
  }

  async #takeRequests(): Promise<void> {
    const { db, replicas } = this.#options
    const rows = await db.rows<{ id: number; sender: string; name: string; body: string }>(
      'UPDATE {peer_requests} SET taken = true WHERE receiver = ? AND NOT taken RETURNING id, sender, name, body',
      replicas.id,
    )
    for (const { id, sender, name, body } of rows) {
      void this.#respond(id, sender, name, body).catch(this.#options.onError)
    }
  }

  async #respond(id: number, sender: string, name: string, body: string): Promise<void> {
    const { db, notices, cipher } = this.#options
    const handler = this.#handlers.get(name)
    let [failed, response]: [boolean, unknown] = [false, null]
    try {
      if (!handler) throw new Error(`This process does not know the request ${name}.`)
      response = (await handler(JSON.parse(cipher.open(body)) as never)) ?? null
    } catch (error) {
      ;[failed, response] = [true, detailOf(error)]
    }
    const sql = 'UPDATE {peer_requests} SET response = ?, failed = ? WHERE id = ?'
    const text = cipher.seal(JSON.stringify(response))
    if ((await db.run(sql, text, failed, id)) === 1) notices.wake([sender])
  }

  /** Looks again after a while. */
  #sleep(): void {
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    const wait = this.#waiting.size > 0 ? POLL.waiting : POLL.idle
    this.#timer = setTimeout(() => void this.#look(), wait).unref()
  }
}

/** Removes what the processes of dead requests left. */
export async function forgetRequests(db: Database): Promise<void> {
  await db.run(
    `DELETE FROM {peer_requests} WHERE at < clock_timestamp() - ${KEPT} * interval '1 second'`,
  )
}

/** What another process can tell of an error. */
function detailOf(error: unknown): unknown {
  const { message, status, code } = error as Record<string, unknown>
  return { message, status, code }
}
