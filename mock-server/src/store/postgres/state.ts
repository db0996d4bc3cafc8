import type { StateStore } from '../store.ts'
import {
  type Change,
  type Claim,
  Conflict,
  type Conversation,
  type Counts,
  type Listed,
  type Piece,
  type Sandbox,
  type Seed,
  type Source,
  type Thread,
} from '../types.ts'
import { commitOf } from './commit.ts'
import type { Database, Queries } from './database.ts'
import { decoded } from './free-text.ts'
import { alive, type Replicas } from './replicas.ts'

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

export interface StateOptions {
  db: Database
  replicas: Replicas
  /** Called with endpoints that have something to attempt by now. */
  onDue: (endpoints: readonly number[]) => void
  now: () => number
}

export class State implements StateStore {
  readonly #options: StateOptions
  readonly #db: Database

  constructor(options: StateOptions) {
    this.#options = options
    this.#db = options.db
  }

  /** Other processes change it too. */
  version(): null {
    return null
  }

  async numbers({ id }: Sandbox, count: number): Promise<number> {
    const sql = 'UPDATE {sandboxes} SET numbers = numbers + ? WHERE id = ? RETURNING numbers'
    const row = await this.#db.row<{ numbers: number }>(sql, count, id)
    return (row?.numbers ?? count) - count + 1
  }

  async conversation({ id: sandbox }: Sandbox, id: string): Promise<Conversation | null> {
    const sql = `SELECT ${COLUMNS} FROM {conversations} WHERE sandbox = ? AND id = ?`
    const row = await this.#db.row<ConversationRow>(sql, sandbox, id)
    return row ? conversationOf(row) : null
  }

  async thread({ id: sandbox }: Sandbox, id: string): Promise<Thread | null> {
    const row = await this.#db.row<HandoffRow & { json: string; transcript: string | null }>(
      `SELECT json, handoff_reason, handoff_at, (
         SELECT string_agg(json, ',' ORDER BY number) FROM {messages} m
         WHERE m.sandbox = one.sandbox AND m.conversation = one.id) AS transcript
       FROM {conversations} AS one WHERE sandbox = ? AND id = ?`,
      sandbox,
      id,
    )
    return row
      ? { json: row.json, handoff: handoffOf(row), transcript: row.transcript ?? '' }
      : null
  }

  async messages(
    { id: sandbox }: Sandbox,
    id: string,
    limit: number,
    before = Number.MAX_SAFE_INTEGER,
  ): Promise<Piece> {
    const row = await this.#db.row<{ messages: Piece['messages'] | null; total: number }>(
      `SELECT coalesce(max(number), 0) AS total, (
         SELECT json_agg(json_build_object('number', number, 'json', json) ORDER BY number) FROM (
           SELECT number, json FROM {messages} WHERE sandbox = ? AND conversation = ? AND number < ?
           ORDER BY number DESC LIMIT ?) AS newest) AS messages
       FROM {messages} WHERE sandbox = ? AND conversation = ?`,
      sandbox,
      id,
      Math.min(before, MAX_INTEGER),
      limit,
      sandbox,
      id,
    )
    return { messages: row?.messages ?? [], total: row?.total ?? 0 }
  }

  async conversations(
    { id }: Sandbox,
    {
      statuses,
      before,
      limit,
    }: { statuses?: readonly string[] | undefined; before: number; limit: number },
  ): Promise<Listed[]> {
    const sql = `SELECT position, json FROM {conversations}
      WHERE sandbox = ? ${statuses ? 'AND status = ANY(?)' : ''} AND position < ?
      ORDER BY position DESC LIMIT ?`
    return this.#db.rows<Listed>(sql, id, ...(statuses ? [statuses] : []), before, limit)
  }

  async source({ id: sandbox }: Sandbox, id: string): Promise<Source | null> {
    const sql = 'SELECT id, json, due FROM {sources} WHERE sandbox = ? AND id = ?'
    return (await this.#db.row<Source>(sql, sandbox, id)) ?? null
  }

  async counts({ id }: Sandbox, intents: number): Promise<Counts> {
    const sql = 'SELECT what, count FROM {counts} WHERE sandbox = ?'
    const rows = await this.#db.rows<{ what: string; count: number }>(sql, id)
    const counts = new Map(rows.map(({ what, count }) => [what, count]))
    const all = rows.flatMap(({ what, count }) =>
      what.startsWith('intent ') && count > 0 ? [{ intent: what.slice(7), count }] : [],
    )
    const conversations = counts.get('conversations') ?? 0
    return {
      conversations,
      deflected: conversations - (counts.get('handed off') ?? 0),
      intents: all
        .sort((a, b) => b.count - a.count || (a.intent < b.intent ? -1 : 1))
        .slice(0, intents),
    }
  }

  async commit(sandbox: Sandbox, change: Change): Promise<void> {
    const { sql, values } = commitOf(sandbox, change, this.#options.now())
    const done = await this.#db.row<{ ok: boolean; due: number[] }>(sql, ...values)
    if (!done?.ok) throw new Conflict(change.conversation?.id ?? change.source?.id ?? '')
    this.#options.onDue(done.due)
  }

  async claimKey({ id }: Sandbox, scope: string, fingerprint: string): Promise<Claim> {
    const { replicas, now } = this.#options
    const claimed = await this.#db.run(
      `INSERT INTO {remembered} AS k (sandbox, scope, fingerprint, replica, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (sandbox, scope) DO UPDATE
         SET fingerprint = excluded.fingerprint, replica = excluded.replica, at = excluded.at
         WHERE k.status IS NULL AND NOT ${alive('k.replica')}`,
      id,
      scope,
      fingerprint,
      replicas.id,
      now(),
    )
    if (claimed === 1) return { state: 'new' }
    const known = await this.#db.row<{
      fingerprint: string
      status: number | null
      body: string | null
    }>(
      'SELECT fingerprint, status, body FROM {remembered} WHERE sandbox = ? AND scope = ?',
      id,
      scope,
    )
    // Released in between.
    if (!known) return { state: 'running' }
    if (known.fingerprint !== fingerprint) return { state: 'other' }
    if (known.status === null) return { state: 'running' }
    return { state: 'done', scope, status: known.status, body: known.body ?? '' }
  }

  async releaseKey({ id }: Sandbox, scope: string): Promise<void> {
    const sql =
      'DELETE FROM {remembered} WHERE sandbox = ? AND scope = ? AND status IS NULL AND replica = ?'
    await this.#db.run(sql, id, scope, this.#options.replicas.id)
  }

  /** Fills an empty sandbox, as a part of a transaction. */
  async seed(queries: Queries, sandbox: Sandbox, { conversations, sources }: Seed): Promise<void> {
    const now = this.#options.now()
    const changes: Change[] = [
      ...conversations.map(({ conversation, messages }) => ({ conversation, messages })),
      ...sources.map((source) => ({ source })),
    ]
    for (const change of changes) {
      const { sql, values } = commitOf(sandbox, change, now)
      await queries.row(sql, ...values)
    }
  }
}

/** The largest number of a message. */
const MAX_INTEGER = 2 ** 31 - 1

function conversationOf(row: ConversationRow): Conversation {
  const { id, status, created_at, updated_at, position, visitor, intent, rating, json } = row
  return {
    id,
    status,
    createdAt: created_at,
    updatedAt: updated_at,
    position,
    visitor: decoded(visitor),
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
  return reason === null || at === null ? null : { reason: decoded(reason), requestedAt: at }
}
