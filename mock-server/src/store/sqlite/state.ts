import { LRUCache } from 'lru-cache'
import type { StateStore } from '../store.ts'
import type {
  Change,
  Claim,
  Conversation,
  Counts,
  Listed,
  Message,
  Piece,
  Remembered,
  Sandbox,
  Seed,
  Source,
  Thread,
} from '../types.ts'
import { Conflict } from '../types.ts'
import { type Database, PRUNED } from './database.ts'
import type { Numbers } from './numbers.ts'
import type { Outbox } from './outbox.ts'

interface HandoffRow {
  handoff_reason: string | null
  handoff_at: number | null
}

interface ConversationRow extends HandoffRow {
  id: string
  status: string
  created_at: number
  updated_at: number
  position: number
  visitor: string | null
  intent: string | null
  rating: number | null
  json: string
}

const COLUMNS = `id, status, created_at, updated_at, position, visitor, intent, handoff_reason,
  handoff_at, rating, json`

/** How many conversations are kept in memory, as each of their steps reads them. */
const KEPT = 1000

export interface StateOptions {
  db: Database
  outbox: Outbox
  numbers: Numbers
  now: () => number
}

export class State implements StateStore {
  readonly #options: StateOptions
  readonly #db: Database
  /** The idempotency keys of running requests, with their fingerprints. No other process has the file. */
  readonly #running = new Map<string, string>()

  /** Conversations as they are stored, and the numbers of their last messages. */
  readonly #conversations = new LRUCache<string, Conversation>({ max: KEPT })
  readonly #lastMessages = new LRUCache<string, number>({ max: KEPT })
  /** By the number of the sandbox. Those of all sandboxes differ. */
  readonly #versions = new Map<number, number>()
  #changes = 0

  constructor(options: StateOptions) {
    this.#options = options
    this.#db = options.db
  }

  version({ id }: Sandbox): number {
    return this.#versions.get(id) ?? 0
  }

  /** Reads everything again, after what is kept may differ from what is stored. */
  #forget(): void {
    this.#conversations.clear()
    this.#lastMessages.clear()
  }

  #change(sandbox: number): void {
    this.#changes += 1
    this.#versions.set(sandbox, this.#changes)
  }

  async numbers(sandbox: Sandbox, count: number): Promise<number> {
    return this.#options.numbers.reserve(sandbox, count)
  }

  seed({ id }: Sandbox, { conversations, sources }: Seed): void {
    this.#change(id)
    this.#forget()
    for (const { conversation, messages } of conversations) {
      this.#writeConversation(id, conversation, null)
      for (const message of messages) this.#writeMessage(id, message)
    }
    for (const source of sources) this.#writeSource(id, source)
  }

  async conversation(sandbox: Sandbox, id: string): Promise<Conversation | null> {
    const kept = this.#conversations.get(keyOf(sandbox.id, id))
    if (kept) return kept
    const sql = `SELECT ${COLUMNS} FROM conversations WHERE sandbox = ? AND id = ?`
    const row = this.#db.row<ConversationRow>(sql, sandbox.id, id)
    if (!row) return null
    const conversation = conversationOf(row)
    this.#conversations.set(keyOf(sandbox.id, id), conversation)
    return conversation
  }

  async thread(sandbox: Sandbox, id: string): Promise<Thread | null> {
    // An aggregate keeps the order of its input. Its own ORDER BY would sort once more.
    const row = this.#db.row<HandoffRow & { json: string; transcript: string | null }>(
      `SELECT json, handoff_reason, handoff_at, (
         SELECT group_concat(json, ',') FROM (
           SELECT json FROM messages WHERE sandbox = one.sandbox AND conversation = one.id
           ORDER BY number)) AS transcript
       FROM conversations AS one WHERE sandbox = ? AND id = ?`,
      sandbox.id,
      id,
    )
    return row
      ? { json: row.json, handoff: handoffOf(row), transcript: row.transcript ?? '' }
      : null
  }

  async messages(
    sandbox: Sandbox,
    id: string,
    limit: number,
    before = Number.MAX_SAFE_INTEGER,
  ): Promise<Piece> {
    const sql = `SELECT number, json FROM messages
      WHERE sandbox = ? AND conversation = ? AND number < ? ORDER BY number DESC LIMIT ?`
    const rows = this.#db.rows<Piece['messages'][number]>(sql, sandbox.id, id, before, limit)
    return { messages: rows.reverse(), total: this.#lastMessage(sandbox.id, id) }
  }

  async conversations(
    sandbox: Sandbox,
    {
      statuses,
      before,
      limit,
    }: { statuses?: readonly string[] | undefined; before: number; limit: number },
  ): Promise<Listed[]> {
    const filter = statuses ? `AND status IN (${statuses.map(() => '?').join()})` : ''
    const values = [sandbox.id, ...(statuses ?? [])]
    const sql = `SELECT position, json FROM conversations
      WHERE sandbox = ? ${filter} AND position < ? ORDER BY position DESC LIMIT ?`
    return this.#db.rows<Listed>(sql, ...values, before, limit)
  }

  async source(sandbox: Sandbox, id: string): Promise<Source | null> {
    const sql = 'SELECT id, json, due FROM sources WHERE sandbox = ? AND id = ?'
    return this.#db.row<Source>(sql, sandbox.id, id) ?? null
  }

  async counts(sandbox: Sandbox, intents: number): Promise<Counts> {
    const sql = 'SELECT what, count FROM counts WHERE sandbox = ?'
    const counts = new Map(
      this.#db
        .rows<{ what: string; count: number }>(sql, sandbox.id)
        .map(({ what, count }) => [what, count]),
    )
    const all = [...counts].flatMap(([what, count]) =>
      what.startsWith('intent ') && count > 0 ? [{ intent: what.slice(7), count }] : [],
    )
    return {
      conversations: counts.get('conversations') ?? 0,
      deflected: (counts.get('conversations') ?? 0) - (counts.get('handed off') ?? 0),
      intents: all
        .sort((a, b) => b.count - a.count || (a.intent < b.intent ? -1 : 1))
        .slice(0, intents),
    }
  }

  async commit(sandbox: Sandbox, change: Change): Promise<void> {
    const { outbox, numbers } = this.#options
    const now = this.#options.now()
    try {
      this.#db.transaction(() => {
        this.#write(sandbox, change, now)
        outbox.emit(sandbox, change.events ?? [], now)
        numbers.use(sandbox, now)
      })
    } catch (error) {
      this.#forget()
      throw error
    }
    if (change.remembered) await this.releaseKey(sandbox, change.remembered.scope)
  }

  async claimKey(sandbox: Sandbox, scope: string, fingerprint: string): Promise<Claim> {
    const running = this.#running.get(runOf(sandbox, scope))
    const done = this.#db.row<{ fingerprint: string; status: number; body: string }>(
      'SELECT fingerprint, status, body FROM remembered WHERE sandbox = ? AND scope = ?',
      sandbox.id,
      scope,
    )
    const known = done?.fingerprint ?? running
    if (known !== undefined && known !== fingerprint) return { state: 'other' }
    if (done) return { state: 'done', scope, status: done.status, body: done.body }
    if (running !== undefined) return { state: 'running' }
    this.#running.set(runOf(sandbox, scope), fingerprint)
    return { state: 'new' }
  }

  async releaseKey(sandbox: Sandbox, scope: string): Promise<void> {
    this.#running.delete(runOf(sandbox, scope))
  }

  #write(sandbox: Sandbox, change: Change, now: number): void {
    const { conversation, before = null, messages, source, sourceBefore, remembered } = change
    this.#change(sandbox.id)
    if (conversation) this.#writeConversation(sandbox.id, conversation, before)
    for (const message of messages ?? []) this.#writeMessage(sandbox.id, message)
    if (source) this.#writeSource(sandbox.id, source, sourceBefore)
    if (remembered) this.#remember(sandbox, remembered, now)
  }

  /** Removes old responses step by step. */
  *pruning(before: number): Generator<number> {
    const sql = `DELETE FROM remembered WHERE (sandbox, scope) IN (
      SELECT sandbox, scope FROM remembered WHERE at < ? LIMIT ?)`
    for (let changes = PRUNED; changes === PRUNED; ) {
      changes = this.#db.run(sql, before, PRUNED).changes
      yield changes
    }
  }

  clear({ id }: Sandbox): void {
    this.#change(id)
    this.#forget()
    for (const table of ['messages', 'conversations', 'counts', 'sources', 'remembered']) {
      this.#db.run(`DELETE FROM ${table} WHERE sandbox = ?`, id)
    }
  }

  #remember(sandbox: Sandbox, { scope, status, body }: Remembered, now: number): void {
    this.#db.run(
      `INSERT INTO remembered (sandbox, scope, fingerprint, status, body, at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      sandbox.id,
      scope,
      this.#running.get(runOf(sandbox, scope)) ?? '',
      status,
      body,
      now,
    )
  }

  #writeConversation(
    sandbox: number,
    conversation: Conversation,
    before: Conversation | null,
  ): void {
    const { id, createdAt, handoff, intent } = conversation
    const values = [
      conversation.status,
      conversation.updatedAt,
      conversation.position,
      conversation.visitor,
      intent,
      handoff?.reason ?? null,
      handoff?.requestedAt ?? null,
      conversation.rating,
      conversation.json,
    ]
    const { changes } = before
      ? this.#db.run(
          `UPDATE conversations SET status = ?, updated_at = ?, position = ?, visitor = ?, intent = ?,
             handoff_reason = ?, handoff_at = ?, rating = ?, json = ?
           WHERE sandbox = ? AND id = ? AND position = ?`,
          ...values,
          sandbox,
          id,
          before.position,
        )
      : this.#db.run(
          `INSERT INTO conversations (status, updated_at, position, visitor, intent, handoff_reason,
             handoff_at, rating, json, sandbox, id, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          ...values,
          sandbox,
          id,
          createdAt,
        )
    if (changes === 0) throw new Conflict(id)
    this.#conversations.set(keyOf(sandbox, id), conversation)
    if (!before) this.#count(sandbox, 'conversations', 1)
    if (handoff && !before?.handoff) this.#count(sandbox, 'handed off', 1)
    if (intent !== (before?.intent ?? null)) {
      if (before?.intent) this.#count(sandbox, `intent ${before.intent}`, -1)
      if (intent) this.#count(sandbox, `intent ${intent}`, 1)
    }
  }

  #count(sandbox: number, what: string, change: number): void {
    this.#db.run(
      `INSERT INTO counts (sandbox, what, count) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
      sandbox,
      what,
      change,
    )
  }

  #writeMessage(sandbox: number, { conversationId, json }: Message): void {
    const key = keyOf(sandbox, conversationId)
    const number = 1 + (this.#lastMessages.get(key) ?? this.#lastMessage(sandbox, conversationId))
    const sql = 'INSERT INTO messages (sandbox, conversation, number, json) VALUES (?, ?, ?, ?)'
    this.#db.run(sql, sandbox, conversationId, number, json)
    this.#lastMessages.set(key, number)
  }

  #lastMessage(sandbox: number, conversation: string): number {
    const sql = 'SELECT max(number) AS last FROM messages WHERE sandbox = ? AND conversation = ?'
    return this.#db.row<{ last: number | null }>(sql, sandbox, conversation)?.last ?? 0
  }

  #writeSource(sandbox: number, { id, json, due }: Source, before?: Source): void {
    const { changes } = before
      ? this.#db.run(
          'UPDATE sources SET json = ?, due = ? WHERE sandbox = ? AND id = ? AND json = ? AND due IS ?',
          json,
          due,
          sandbox,
          id,
          before.json,
          before.due,
        )
      : this.#db.run(
          'INSERT OR REPLACE INTO sources (sandbox, id, json, due) VALUES (?, ?, ?, ?)',
          sandbox,
          id,
          json,
          due,
        )
    if (changes === 0) throw new Conflict(id)
  }
}

function runOf({ id }: Sandbox, scope: string): string {
  return keyOf(id, scope)
}

function keyOf(sandbox: number, name: string): string {
  return `${sandbox} ${name}`
}

function conversationOf(row: ConversationRow): Conversation {
  const { id, status, created_at, updated_at, position, visitor, intent, rating, json } = row
  return {
    id,
    status,
    createdAt: created_at,
    updatedAt: updated_at,
    position,
    visitor,
    intent,
    handoff: handoffOf(row),
    rating,
    json,
  }
}

function handoffOf({
  handoff_reason: reason,
  handoff_at: at,
}: HandoffRow): Conversation['handoff'] {
  return reason === null || at === null ? null : { reason, requestedAt: at }
}
