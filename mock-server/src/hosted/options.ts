/** How a hosted server is started. */
import type { LimitName, Limits } from '../store/tenants.ts'

export const ROLES = ['all', 'api', 'worker'] as const
/** What a process does: everything, or serve requests, or deliver events. */
export type Role = (typeof ROLES)[number]

export interface HostedOptions {
  role: Role
  /** Allows requests to `/_mock/admin`. */
  adminToken: string
  /** How integrators reach the server, without a trailing slash. */
  publicUrl: string
  /** What a tenant may use that has no limits of its own. @default {@link LIMITS} */
  limits?: Partial<Limits> | undefined
  /** The HTTP proxy through which events are delivered. @default none */
  egressProxy?: string | undefined
  /** The addresses of the proxies in front, as CIDR blocks, whose `X-Forwarded-For` counts. @default none */
  proxies?: readonly string[] | undefined
}

/** What a tenant may use by default. */
export const LIMITS: Limits = {
  requests_per_second: 20,
  conversations: 10_000,
  stored_bytes: 100_000_000,
  endpoints: 20,
  deliveries_per_day: 50_000,
}

/** The value of a limit that somebody wrote; null for what cannot be one. */
export function limitOf(name: LimitName, text: string): number | null {
  const limit = Number(text)
  // Without any requests, nobody could use the key.
  const fits = name === 'requests_per_second' ? limit > 0 : Number.isInteger(limit)
  return fits && /^\d{1,15}(\.\d+)?$/.test(text) ? limit : null
}
