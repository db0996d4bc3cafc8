/** Builds the statement of a commit: all of a change in one round trip, and nothing of it where a part is refused. */
import type { Change, Conversation, Event, Remembered, Sandbox, Source } from '../types.ts'
import { encoded } from './free-text.ts'

/** A statement and its values, in the order of the question marks. */
export interface Statement {
  sql: string
  values: unknown[]
}

/** Returns `ok`, false after a conflict, and the endpoints that got deliveries. */
export function commitOf(sandbox: Sandbox, change: Change, now: number): Statement {
  const parts = new Parts()
  const { conversation, before = null, messages = [], source, events = [], remembered } = change
  const id = sandbox.id
  // What must not have changed meanwhile comes first. The rest happens only if it is as it was.
  if (conversation) addConversation(parts, id, conversation, before)
  if (source) addSource(parts, id, source, change.sourceBefore)
  parts.close()
  if (conversation) addCounts(parts, id, conversation, before)
  if (messages.length > 0) addMessages(parts, id, messages)
  if (remembered) addRemembered(parts, id, remembered, now)
  if (events.length > 0) addEvents(parts, id, events, now)
  return parts.statement(events.length > 0)
}

class Parts {
  readonly #ctes: string[] = []
  readonly #values: unknown[] = []
  /** The parts that must each change one row. */
  readonly #guards: string[] = []

  add(name: string, sql: string, ...values: unknown[]): void {
    this.#ctes.push(`${name} AS (${sql})`)
    this.#values.push(...values)
  }

  guard(name: string, sql: string, ...values: unknown[]): void {
    this.add(name, `${sql} RETURNING 1`, ...values)
    this.#guards.push(name)
  }

  /** `ok` has one row if every guard has one. */
  close(): void {
    const all = this.#guards.map((name) => `EXISTS (SELECT 1 FROM ${name})`)
    this.#ctes.push(`ok AS (SELECT 1 WHERE ${all.join(' AND ') || 'true'})`)
  }

  statement(hasEvents: boolean): Statement {
    const due = hasEvents ? 'ARRAY(SELECT DISTINCT endpoint FROM delivered)' : "'{}'::bigint[]"
    const sql = `WITH ${this.#ctes.join(',\n')}
      SELECT EXISTS (SELECT 1 FROM ok) AS ok, ${due} AS due`
    return { sql, values: this.#values }
  }
}

function addConversation(
  parts: Parts,
  sandbox: number,
  conversation: Conversation,
  before: Conversation | null,
): void {
  const { id, createdAt, handoff } = conversation
  const values = [
    conversation.status,
    conversation.updatedAt,
    conversation.position,
    encoded(conversation.visitor),
    conversation.intent,
    encoded(handoff?.reason ?? null),
    handoff?.requestedAt ?? null,
    conversation.rating,
    conversation.json,
    sandbox,
    id,
  ]
  if (before) {
    const sql = `UPDATE {conversations} SET status = ?, updated_at = ?, position = ?, visitor = ?, intent = ?,
      handoff_reason = ?, handoff_at = ?, rating = ?, json = ? WHERE sandbox = ? AND id = ? AND position = ?`
    parts.guard('conversation', sql, ...values, before.position)
  } else {
    const sql = `INSERT INTO {conversations} (status, updated_at, position, visitor, intent, handoff_reason,
      handoff_at, rating, json, sandbox, id, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
    parts.guard('conversation', sql, ...values, createdAt)
  }
}

function addSource(parts: Parts, sandbox: number, source: Source, before?: Source): void {
  const { id, json, due } = source
  if (before) {
    const sql = `UPDATE {sources} SET json = ?, due = ?
      WHERE sandbox = ? AND id = ? AND json = ? AND due IS NOT DISTINCT FROM ?`
    parts.guard('source', sql, json, due, sandbox, id, before.json, before.due)
  } else {
    const sql = `INSERT INTO {sources} (sandbox, id, json, due) VALUES (?, ?, ?, ?)
      ON CONFLICT (sandbox, id) DO UPDATE SET json = excluded.json, due = excluded.due`
    parts.guard('source', sql, sandbox, id, json, due)
  }
}

function addCounts(
  parts: Parts,
  sandbox: number,
  { handoff, intent }: Conversation,
  before: Conversation | null,
): void {
  const changes: Array<[what: string, by: number]> = []
  if (!before) changes.push(['conversations', 1])
  if (handoff && !before?.handoff) changes.push(['handed off', 1])
  if (intent !== (before?.intent ?? null)) {
    if (before?.intent) changes.push([`intent ${before.intent}`, -1])
    if (intent) changes.push([`intent ${intent}`, 1])
  }
  if (changes.length === 0) return
  // In one order, so that two commits never wait for each other.
  changes.sort(([a], [b]) => (a < b ? -1 : 1))
  parts.add(
    'counted',
    `INSERT INTO {counts} AS c (sandbox, what, count)
     SELECT ?::bigint, x.what, x.by FROM ok, unnest(?::text[], ?::bigint[]) AS x (what, by)
     ON CONFLICT (sandbox, what) DO UPDATE SET count = c.count + excluded.count`,
    sandbox,
    changes.map(([what]) => what),
    changes.map(([, by]) => by),
  )
}

function addMessages(parts: Parts, sandbox: number, messages: NonNullable<Change['messages']>) {
  parts.add(
    'messages',
    `INSERT INTO {messages} (sandbox, conversation, number, json)
     SELECT ?::bigint, x.conversation, x.number + coalesce((
         SELECT max(number) FROM {messages} m WHERE m.sandbox = ? AND m.conversation = x.conversation), 0),
       x.json
     FROM ok, (
       SELECT conversation, json, row_number() OVER (PARTITION BY conversation ORDER BY place) AS number
       FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS y (conversation, json, place)) AS x`,
    sandbox,
    sandbox,
    messages.map(({ conversationId }) => conversationId),
    messages.map(({ json }) => json),
  )
}

function addRemembered(
  parts: Parts,
  sandbox: number,
  { scope, status, body }: Remembered,
  now: number,
): void {
  parts.add(
    'remembered',
    `INSERT INTO {remembered} (sandbox, scope, fingerprint, status, body, at)
     SELECT ?::bigint, ?, '', ?::integer, ?, ?::bigint FROM ok
     ON CONFLICT (sandbox, scope) DO UPDATE
       SET status = excluded.status, body = excluded.body, at = excluded.at, replica = NULL`,
    sandbox,
    scope,
    status,
    body,
    now,
  )
}

function addEvents(parts: Parts, sandbox: number, events: readonly Event[], now: number): void {
  const column = <T>(of: (event: Event) => T) => events.map(of)
  parts.add(
    'made',
    `SELECT nextval(pg_get_serial_sequence('{events}', 'number')) AS number, x.*
     FROM ok, unnest(?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::text[])
       WITH ORDINALITY AS x (id, kind, occurred_at, body, revision, others, copies, trace, place)`,
    column(({ id }) => id),
    column(({ kind }) => kind),
    column(({ occurredAt }) => occurredAt),
    column(({ body }) => body),
    column(({ revision = null }) => revision),
    column(({ others = [] }) => JSON.stringify(others)),
    column(({ copies = 1 }) => copies),
    column(({ trace = null }) => trace),
  )
  parts.add(
    'logged',
    `INSERT INTO {events} (sandbox, number, id, kind, occurred_at, body, recorded_at, revision, trace)
     SELECT ?::bigint, number, id, kind, occurred_at, body, ?::bigint, revision, trace FROM made`,
    sandbox,
    now,
  )
  parts.add(
    'delivered',
    `INSERT INTO {deliveries} (sandbox, event, endpoint, state, due)
     SELECT p.sandbox, e.number, p.number, 'pending', ?::bigint + s.clock_offset
     FROM made e JOIN {endpoints} p ON p.sandbox = ? AND NOT p.disabled
         AND (p.kinds IS NULL OR e.kind = ANY(p.kinds))
         AND CASE WHEN e.revision IS NULL
           THEN p.revision IS NULL OR NOT jsonb_exists(e.others::jsonb, p.revision)
           ELSE p.revision = e.revision END
       JOIN {sandboxes} s ON s.id = p.sandbox
       CROSS JOIN generate_series(1, e.copies) AS copy
     ORDER BY e.place, copy, p.number
     RETURNING endpoint`,
    now,
    sandbox,
  )
  // A busy endpoint is due already, and costs no write.
  parts.add(
    'woken',
    `UPDATE {endpoints} SET due = ? WHERE sandbox = ? AND number IN (
       SELECT number FROM {endpoints}
       WHERE sandbox = ? AND number IN (SELECT endpoint FROM delivered) AND (due IS NULL OR due > ?)
       ORDER BY number FOR NO KEY UPDATE)`,
    now,
    sandbox,
    sandbox,
    now,
  )
}
