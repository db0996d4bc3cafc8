import type {
  AuditEntry,
  Limits,
  NewKey,
  NewTenant,
  Tenant,
  TenantKey,
  TenantStore,
  Usage,
} from '../tenants.ts'
import type { Database, Queries } from './database.ts'
import { decoded, encoded } from './free-text.ts'
import { archived, type Sandboxes } from './sandboxes.ts'
import { COUNTED, dayOf, SPENT } from './spent.ts'

interface TenantRow {
  id: string
  name: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  archived_at: number | null
  limits: Partial<Limits>
  keys: Array<{ hint: string; created_at: number; expires_at: number | null }>
}

/** How many tenants are removed in a step. */
const REMOVED = 100

/** Tenants with all of their keys. The newest key first. */
const TENANT = `SELECT t.id, t.name, t.created_at, t.expires_at, t.revoked_at, t.limits,
    (SELECT archived_at FROM {sandboxes} s WHERE s.key = '${archived('')}' || t.id) AS archived_at, (
    SELECT coalesce(json_agg(k ORDER BY k.created_at DESC, k.expires_at NULLS FIRST), '[]')
    FROM {tenant_keys} k WHERE k.tenant = t.id) AS keys
  FROM {tenants} t`

export class Tenants implements TenantStore {
  readonly #db: Database
  readonly #sandboxes: Sandboxes

  constructor(db: Database, sandboxes: Sandboxes) {
    this.#db = db
    this.#sandboxes = sandboxes
  }

  async add({ key, claim, ...tenant }: NewTenant, entry: AuditEntry): Promise<void> {
    const { id, name, createdAt, expiresAt, limits } = tenant
    await this.#db.transaction(async (queries) => {
      await queries.run(
        `INSERT INTO {tenants} (id, name, created_at, expires_at, limits, claim) VALUES (?, ?, ?, ?, ?, ?)`,
        id,
        encoded(name),
        createdAt,
        expiresAt,
        JSON.stringify(limits),
        claim,
      )
      await addKey(queries, id, key, createdAt)
      await note(queries, entry)
    })
  }

  async get(id: string): Promise<Tenant | null> {
    const row = await this.#db.row<TenantRow>(`${TENANT} WHERE t.id = ?`, id)
    return row ? tenantOf(row) : null
  }

  async byKey(digest: string, now: number): Promise<Tenant | null> {
    const row = await this.#db.row<TenantRow>(
      `${TENANT} JOIN {tenant_keys} own ON own.tenant = t.id
       WHERE own.digest = ? AND (own.expires_at IS NULL OR own.expires_at > ?)`,
      digest,
      now,
    )
    return row ? tenantOf(row) : null
  }

  async list(limit: number, before?: string): Promise<Tenant[]> {
    const older =
      before === undefined
        ? ''
        : 'WHERE (t.created_at, t.id) < (SELECT created_at, id FROM {tenants} WHERE id = ?)'
    const rows = await this.#db.rows<TenantRow>(
      `${TENANT} ${older} ORDER BY t.created_at DESC, t.id DESC LIMIT ?`,
      ...(before === undefined ? [] : [before]),
      limit,
    )
    return rows.map(tenantOf)
  }

  change(
    id: string,
    { name, limits, revokedAt }: Partial<Pick<Tenant, 'name' | 'limits' | 'revokedAt'>>,
    entry: AuditEntry,
  ): Promise<boolean> {
    return this.#db.transaction(async (queries) => {
      const changed = await queries.run(
        `UPDATE {tenants} SET name = coalesce(?, name), limits = coalesce(?::json, limits),
           revoked_at = coalesce(?, revoked_at) WHERE id = ?`,
        name === undefined ? null : encoded(name),
        limits === undefined ? null : JSON.stringify(limits),
        revokedAt ?? null,
        id,
      )
      if (changed === 1) await note(queries, entry)
      return changed === 1
    })
  }

  addKey(id: string, key: NewKey, othersExpireAt: number, entry: AuditEntry): Promise<boolean> {
    return this.#db.transaction(async (queries) => {
      const known = await queries.row('SELECT 1 FROM {tenants} WHERE id = ? FOR UPDATE', id)
      if (!known) return false
      // One that expires earlier stays so.
      await queries.run(
        'UPDATE {tenant_keys} SET expires_at = least(expires_at, ?) WHERE tenant = ?',
        othersExpireAt,
        id,
      )
      await addKey(queries, id, key, entry.at)
      await note(queries, entry)
      return true
    })
  }

  claim(digest: string, name: string, now: number): Promise<Tenant | null> {
    return this.#db.transaction(async (queries) => {
      const claimed = await queries.row<{ id: string }>(
        `UPDATE {tenants} SET name = ?, claim = NULL, expires_at = NULL
         WHERE claim = ? AND expires_at > ? AND revoked_at IS NULL RETURNING id`,
        encoded(name),
        digest,
        now,
      )
      if (!claimed) return null
      const { id } = claimed
      await note(queries, {
        at: now,
        actor: id,
        action: 'key.claimed',
        tenant: id,
        detail: { name },
      })
      const row = await queries.row<TenantRow>(`${TENANT} WHERE t.id = ?`, id)
      return row ? tenantOf(row) : null
    })
  }

  async usage(id: string, now: number): Promise<Usage> {
    const day = dayOf(now)
    const row = await this.#db.row<Usage>(
      `SELECT
         (SELECT count(*)::int FROM {conversations} c WHERE c.sandbox = s.id) AS conversations,
         (SELECT count(*)::int FROM {endpoints} p WHERE p.sandbox = s.id AND NOT p.listener) AS endpoints,
         ((SELECT coalesce(sum(octet_length(json)), 0) FROM {conversations} c WHERE c.sandbox = s.id)
           + (SELECT coalesce(sum(octet_length(json)), 0) FROM {messages} m WHERE m.sandbox = s.id)
           + (SELECT coalesce(sum(octet_length(json)), 0) FROM {sources} o WHERE o.sandbox = s.id)
           + (SELECT coalesce(sum(octet_length(body)), 0) FROM {events} e WHERE e.sandbox = s.id))::float8
           AS stored_bytes,
         (${COUNTED} + ${SPENT})::float8 AS deliveries_per_day
       FROM {sandboxes} s WHERE s.key = ?`,
      day,
      day,
      id,
    )
    return row ?? { conversations: 0, stored_bytes: 0, endpoints: 0, deliveries_per_day: 0 }
  }

  async removeExpired(now: number): Promise<number> {
    const sql = `SELECT t.id FROM {tenants} t WHERE t.expires_at <= ? ORDER BY t.expires_at LIMIT ${REMOVED}`
    for (let removed = 0; ; ) {
      const expired = await this.#db.rows<{ id: string }>(sql, now)
      for (const { id } of expired) if (await this.#remove(id, now)) removed += 1
      if (expired.length < REMOVED) return removed
    }
  }

  async audit(limit: number, before?: number): Promise<AuditEntry[]> {
    return this.#db.rows<AuditEntry>(
      `SELECT at, actor, action, tenant, detail FROM {audit} WHERE at < ?
       ORDER BY at DESC, number DESC LIMIT ?`,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    )
  }

  /** Removes a tenant that nobody has claimed until now, with its data. */
  #remove(id: string, now: number): Promise<boolean> {
    return this.#db.transaction(async (queries) => {
      const gone = await queries.run(
        'DELETE FROM {tenants} WHERE id = ? AND expires_at <= ?',
        id,
        now,
      )
      if (gone === 0) return false
      await queries.run('DELETE FROM {tenant_keys} WHERE tenant = ?', id)
      const find = 'SELECT id FROM {sandboxes} WHERE key IN (?, ?) FOR UPDATE'
      for (const sandbox of await queries.rows<{ id: number }>(find, id, archived(id))) {
        await this.#sandboxes.remove(queries, sandbox)
      }
      await note(queries, {
        at: now,
        actor: 'server',
        action: 'key.expired',
        tenant: id,
        detail: {},
      })
      return true
    })
  }
}

async function addKey(queries: Queries, tenant: string, { digest, hint }: NewKey, at: number) {
  const sql = 'INSERT INTO {tenant_keys} (digest, tenant, hint, created_at) VALUES (?, ?, ?, ?)'
  await queries.run(sql, digest, tenant, hint, at)
}

async function note(queries: Queries, { at, actor, action, tenant, detail }: AuditEntry) {
  const sql = 'INSERT INTO {audit} (at, actor, action, tenant, detail) VALUES (?, ?, ?, ?, ?)'
  await queries.run(sql, at, actor, action, tenant, JSON.stringify(detail))
}

function tenantOf({ id, name, limits, keys, ...row }: TenantRow): Tenant {
  return {
    id,
    name: decoded(name),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    archivedAt: row.archived_at,
    limits,
    keys: keys.map(({ hint, ...key }): TenantKey => {
      return { hint, createdAt: key.created_at, expiresAt: key.expires_at }
    }),
  }
}
