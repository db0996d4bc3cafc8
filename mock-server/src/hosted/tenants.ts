/** Issues keys, and tells what the sandbox of a key may use. */
import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { HttpRequest } from '../door/message.ts'
import { Problem, unauthorized } from '../door/problem.ts'
import type { LimitName, Limits, Tenant, TenantStore, Usage } from '../store/tenants.ts'
import { RateLimiter, rateLimited } from './rate.ts'

export interface TenantsOptions {
  store: TenantStore
  /** What tenants may use that have no limits of their own. */
  limits: Limits
  now: () => number
  /** How many processes serve the same tenants. */
  processes: () => number
}

/** A key as it is shown once. */
export interface Issued {
  tenant: Tenant
  key: string
  /** Claims the sandbox; null where nobody has to. */
  claim: string | null
}

interface Allowed {
  limits: Limits
  used: Usage
}

/** How long a replaced key still works, in milliseconds. */
export const GRACE = 24 * 3_600_000

const PREFIX = 'sk_test_'
const DAY = 24 * 3_600_000
/** How long an unclaimed sandbox lasts, in milliseconds. */
const CLAIMABLE = 7 * DAY
/** How long a tenant is remembered, in milliseconds: so long, a revoked key may still work. */
const FRESH = 5_000
/**
 * How long the use of a tenant is remembered, in milliseconds: so long, more than its limits may be stored. The use of a
 * full sandbox takes a while to count, so that it is remembered for that many times as long.
 */
const USED = { least: 1_000, times: 50, most: 60_000 }
const MOST = 10_000
/** How many requests of a tenant a process serves at once. */
const RUNNING = 100
const ADMIN = 'admin'

export class Tenants {
  readonly #options: TenantsOptions
  readonly #rates = new RateLimiter()
  /** How many requests of a tenant this process serves now. */
  readonly #running = new Map<string, number>()
  /** By the digest of the key. */
  readonly #known = new LRUCache<string, Tenant>({ max: MOST, ttl: FRESH })
  readonly #allowances = new LRUCache<string, Allowed>({ max: MOST, ttl: USED.least })

  constructor(options: TenantsOptions) {
    this.#options = options
  }

  /** @throws {Problem} 401 for a key that does not work. */
  async of(key: string): Promise<Tenant> {
    const digest = digestOf(key)
    const known = this.#known.get(digest)
    const tenant = known ?? (await this.#options.store.byKey(digest, this.#options.now()))
    if (!tenant)
      throw unauthorized('There is no such key. Get one from the operator of this server.')
    if (tenant.revokedAt !== null) throw unauthorized('The key was revoked.')
    if (this.#isOver(tenant)) {
      throw unauthorized('The sandbox has expired: no one claimed it in time. Create another one.')
    }
    if (!known) this.#known.set(digest, tenant)
    return tenant
  }

  /**
   * Counts a request.
   *
   * @param onGone Tells when it has ended.
   * @throws {Problem} 401 for a key that does not work, 429 for one too many.
   */
  async admit(key: string, onGone?: HttpRequest['onGone']): Promise<void> {
    const tenant = await this.of(key)
    const perSecond = this.limitsOf(tenant).requests_per_second
    const rate = { perSecond, burst: 2 * perSecond }
    const share = 1 / Math.max(1, this.#options.processes())
    const wait = this.#rates.take(tenant.id, rate, performance.now(), share)
    if (wait === 0) return this.#begin(tenant, onGone)
    throw rateLimited(`The key may send ${perSecond} requests a second.`, wait)
  }

  /** Counts a request until it ends: those that wait would otherwise take all connections. */
  #begin({ id }: Tenant, onGone: HttpRequest['onGone']): void {
    const running = this.#running.get(id) ?? 0
    if (running >= RUNNING) {
      const why = `The key has ${RUNNING} requests that have not ended.`
      throw rateLimited(why, 1000, ', or close some of their connections')
    }
    if (!onGone) return
    this.#running.set(id, running + 1)
    onGone(() => {
      const left = (this.#running.get(id) ?? 1) - 1
      if (left > 0) this.#running.set(id, left)
      else this.#running.delete(id)
    })
  }

  limitsOf({ limits }: Tenant): Limits {
    return { ...this.#options.limits, ...limits }
  }

  /** Checks that a tenant may store more. @throws {Problem} 403, or 429 until the next day. */
  async allow(id: string, more: Partial<Usage>): Promise<void> {
    const { limits, used } = await this.#allowed(id)
    for (const [name, amount] of Object.entries(more) as Array<[keyof Usage, number]>) {
      if (amount > 0 && used[name] + amount > limits[name]) {
        throw exceeded(name, limits[name], this.#options.now())
      }
    }
    for (const [name, amount] of Object.entries(more)) used[name as keyof Usage] += amount
  }

  usage({ id }: Tenant): Promise<Usage> {
    return this.#options.store.usage(id, this.#options.now())
  }

  async issue(name: string, limits: Partial<Limits> = {}): Promise<Issued> {
    return this.#add(ADMIN, { name, limits, expiresAt: null }, null)
  }

  /** Creates a sandbox that ends after seven days unless somebody claims it. */
  async offer(): Promise<Issued> {
    const claim = randomBytes(24).toString('base64url')
    const expiresAt = this.#options.now() + CLAIMABLE
    return this.#add(null, { name: 'Unclaimed', limits: {}, expiresAt }, claim)
  }

  /** @throws {Problem} 404 for a secret that is wrong, was used or came too late. */
  async claim(secret: string, name: string): Promise<Tenant> {
    const { store, now } = this.#options
    const tenant = await store.claim(digestOf(secret), name, now())
    this.forget()
    if (tenant) return tenant
    const detail = 'There is no sandbox to claim: the link is wrong, was used or has expired.'
    throw new Problem(404, 'claim_not_found', detail)
  }

  /** The newest first, those that were created before one. */
  list(limit: number, before?: string): Promise<Tenant[]> {
    return this.#options.store.list(limit, before)
  }

  /** @throws {Problem} 404 */
  async get(id: string): Promise<Tenant> {
    const tenant = await this.#options.store.get(id)
    if (!tenant) throw new Problem(404, 'key_not_found', `There is no key ${id}.`)
    return tenant
  }

  /** Changes its name, or the limits that are given. @throws {Problem} 404 */
  async change(id: string, { name, limits }: { name?: string; limits?: Partial<Limits> }) {
    const { store } = this.#options
    const tenant = await this.get(id)
    const change = {
      ...(name !== undefined && { name }),
      ...(limits && { limits: { ...tenant.limits, ...limits } }),
    }
    await store.change(id, change, this.#entry('key.changed', id, change))
    this.forget()
    return this.get(id)
  }

  /**
   * Gives a tenant another key.
   *
   * @param grace How long the others still work, in milliseconds.
   * @throws {Problem} 404
   */
  async rotate(id: string, grace: number): Promise<Issued> {
    const { store, now } = this.#options
    await this.get(id)
    const { key, ...stored } = newKey()
    const entry = this.#entry('key.rotated', id, { hint: stored.hint })
    await store.addKey(id, stored, now() + grace, entry)
    this.forget()
    return { tenant: await this.get(id), key, claim: null }
  }

  /** Ends the keys of a tenant. Its data stays until it is removed by retention. @throws {Problem} 404 */
  async revoke(id: string): Promise<Tenant> {
    const { store, now } = this.#options
    const { revokedAt } = await this.get(id)
    if (revokedAt === null) {
      await store.change(id, { revokedAt: now() }, this.#entry('key.revoked', id, {}))
    }
    this.forget()
    return this.get(id)
  }

  audit(limit: number, before?: number) {
    return this.#options.store.audit(limit, before)
  }

  /** Forgets what it remembers of tenants, as another process changed some. */
  forget(): void {
    this.#known.clear()
    this.#allowances.clear()
  }

  async #add(
    actor: string | null,
    { name, limits, expiresAt }: Pick<Tenant, 'name' | 'limits' | 'expiresAt'>,
    claim: string | null,
  ): Promise<Issued> {
    const { store, now } = this.#options
    const id = `key_${randomBytes(9).toString('base64url')}`
    const { key, ...stored } = newKey()
    const createdAt = now()
    const entry = { ...this.#entry('key.issued', id, { name, ...limits }), actor: actor ?? id }
    const digest = claim === null ? null : digestOf(claim)
    await store.add({ id, name, createdAt, expiresAt, limits, key: stored, claim: digest }, entry)
    return { tenant: await this.get(id), key, claim }
  }

  #entry(action: string, tenant: string, detail: Record<string, unknown>) {
    return { at: this.#options.now(), actor: ADMIN, action, tenant, detail }
  }

  #isOver({ expiresAt }: Tenant): boolean {
    return expiresAt !== null && expiresAt <= this.#options.now()
  }

  async #allowed(id: string): Promise<Allowed> {
    const known = this.#allowances.get(id)
    if (known) return known
    const { store, now } = this.#options
    const from = performance.now()
    const [tenant, used] = await Promise.all([this.get(id), store.usage(id, now())])
    const allowed = { limits: this.limitsOf(tenant), used }
    const { least, times, most } = USED
    const ttl = Math.min(most, Math.max(least, times * (performance.now() - from)))
    this.#allowances.set(id, allowed, { ttl })
    return allowed
  }
}

function newKey() {
  const key = `${PREFIX}${randomBytes(24).toString('base64url')}`
  return { key, digest: digestOf(key), hint: key.slice(-4) }
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

const NOUNS: Readonly<Record<Exclude<LimitName, 'requests_per_second'>, string>> = {
  conversations: 'conversations',
  stored_bytes: 'bytes of stored data',
  endpoints: 'endpoints',
  deliveries_per_day: 'deliveries a day',
}

function exceeded(name: keyof Usage, limit: number, now: number): Problem {
  const told = `The key may have ${limit} ${NOUNS[name]}.`
  if (name !== 'deliveries_per_day') {
    const cure = 'Remove some, reset the sandbox, or ask the operator for more.'
    return new Problem(403, 'quota_exceeded', `${told} ${cure}`)
  }
  const seconds = Math.ceil((DAY - (now % DAY)) / 1000)
  const cure = 'The next day begins at 00:00 UTC. Ask the operator for more.'
  const headers = { 'retry-after': String(seconds) }
  return new Problem(429, 'quota_exceeded', `${told} ${cure}`, { headers })
}
