/** Those who share a hosted server: each has a sandbox, keys for it, and limits. Times are milliseconds since 1970. */

/** What a tenant may use. */
export interface Limits {
  /** Requests a second. Twice as many may come at once. */
  requests_per_second: number
  conversations: number
  /** Bytes of conversations, messages, sources and events, as JSON. */
  stored_bytes: number
  endpoints: number
  /** Deliveries that events make in a day (UTC). */
  deliveries_per_day: number
}

export type LimitName = keyof Limits

export const LIMIT_NAMES: readonly LimitName[] = [
  'requests_per_second',
  'conversations',
  'stored_bytes',
  'endpoints',
  'deliveries_per_day',
]

export interface TenantKey {
  /** The last characters of the key, to tell it from others. */
  hint: string
  createdAt: number
  /** When it stops working, as it was rotated; null for the current one. */
  expiresAt: number | null
}

export interface Tenant {
  id: string
  name: string
  createdAt: number
  /** When it ends unless somebody claims it; null for one that stays. */
  expiresAt: number | null
  /** Null while its keys work. */
  revokedAt: number | null
  /** Since when its sandbox is archived, as nobody used it; null for one that is not. */
  archivedAt: number | null
  /** What differs from the limits of the server. */
  limits: Partial<Limits>
  /** The newest first. */
  keys: TenantKey[]
}

export interface NewTenant
  extends Pick<Tenant, 'id' | 'name' | 'createdAt' | 'expiresAt' | 'limits'> {
  key: NewKey
  /** The digest of the secret that claims it; null where nobody has to. */
  claim: string | null
}

/** A key is stored as its digest. */
export interface NewKey {
  digest: string
  hint: string
}

/** What a tenant uses now. */
export type Usage = Omit<Limits, 'requests_per_second'>

/** Something that was done with the admin token, or to a tenant by itself. */
export interface AuditEntry {
  at: number
  /** `admin`, or the id of a tenant. */
  actor: string
  /** Such as `key.revoked`. */
  action: string
  tenant: string
  /** What changed, without secrets. */
  detail: Record<string, unknown>
}

/** Each change is one step with its audit entry. */
export interface TenantStore {
  add(tenant: NewTenant, entry: AuditEntry): Promise<void>
  get(id: string): Promise<Tenant | null>
  /** The tenant of a key that has not expired by then, whether the tenant was revoked or not. */
  byKey(digest: string, now: number): Promise<Tenant | null>
  /** The newest first, those that were created before one. */
  list(limit: number, before?: string): Promise<Tenant[]>
  /** @returns whether there is such a tenant. */
  change(
    id: string,
    change: Partial<Pick<Tenant, 'name' | 'limits' | 'revokedAt'>>,
    entry: AuditEntry,
  ): Promise<boolean>
  /** Adds a key. The others expire. @returns whether there is such a tenant. */
  addKey(id: string, key: NewKey, othersExpireAt: number, entry: AuditEntry): Promise<boolean>
  /** Keeps a tenant for good that has not expired. @returns it, or null where the secret is wrong or was used. */
  claim(digest: string, name: string, now: number): Promise<Tenant | null>
  usage(id: string, now: number): Promise<Usage>
  /** Removes tenants that nobody claimed in time, with their data. @returns how many. */
  removeExpired(now: number): Promise<number>
  /** The newest first. */
  audit(limit: number, before?: number): Promise<AuditEntry[]>
}
