import { BaseError } from '../generated/names.js'
import { WEBHOOKS_DEDUPE_KEPT_MS, WEBHOOKS_DEDUPE_LEASE_MS } from '../generated/policy.js'
import type { DedupeLease } from './dedupe.js'
import { requireSize } from './options.js'

/** The options of every store in a database. */
export interface DedupeStoreOptions {
  /**
   * Seconds until a lease ends. A handler that takes longer counts as dead, and its event is handled
   * again.
   *
   * @default 300
   */
  lease?: number | undefined
  /**
   * Seconds for which handled events are remembered. Longer than the service retries deliveries.
   *
   * @default 172_800
   */
  keep?: number | undefined
  /**
   * Names the process that takes a lease, for the error of a delivery that comes meanwhile.
   *
   * @default the host and the process, as `web-3:812`
   */
  holder?: string | undefined
}

/** The options of a store in a table. */
export interface DedupeTableOptions extends DedupeStoreOptions {
  /**
   * The name of the table, which may begin with a schema: `app.webhook_dedupe`.
   *
   * @default 'webhook_dedupe'
   */
  table?: string | undefined
}

/** The options, with their defaults. Times are seconds. */
export interface DedupeSettings {
  readonly lease: number
  readonly keep: number
  readonly holder: string
}

/** @throws {Error} for a time below 0 */
export function settingsOf(options: DedupeStoreOptions): DedupeSettings {
  return {
    lease: requireSize('lease', options.lease) ?? WEBHOOKS_DEDUPE_LEASE_MS / 1000,
    keep: requireSize('keep', options.keep) ?? WEBHOOKS_DEDUPE_KEPT_MS / 1000,
    holder: options.holder ?? thisProcess(),
  }
}

/** `web-3:812`, or as much of it as the platform tells. */
function thisProcess(): string {
  return [hostName(), globalThis.process?.pid].filter((part) => part !== undefined).join(':')
}

function hostName(): string | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.('node:os')?.hostname()
  } catch {
    return undefined // Deno without --allow-sys
  }
}

/** A token that nobody else has. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The lease that a database tells of. */
export function leaseOf(state: unknown, holder: unknown, token: string): DedupeLease {
  switch (state) {
    case 'new':
      return { state, token }
    case 'done':
      return { state }
    case 'in_progress':
      return holder ? { state, holder: String(holder) } : { state }
    default:
      throw new BaseError(`The store of handled events has an unknown state: ${String(state)}.`)
  }
}

/**
 * Statements for one table.
 *
 * @throws {Error} where the name of the table is not that of one
 */
export function forTable<Name extends string>(
  table: string,
  statements: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  if (!/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(table)) {
    throw new BaseError(
      `${JSON.stringify(table)} cannot be the table. Use letters, digits and underscores, and a dot after a schema.`,
    )
  }
  const index = table.slice(table.lastIndexOf('.') + 1)
  const named = Object.entries<string>(statements).map(([name, text]) => [
    name,
    text.replaceAll('{table}', table).replaceAll('{index}', index),
  ])
  return Object.fromEntries(named)
}

/** @throws {Error} where a client lacks the method by which it is used */
export function requireClient(client: unknown, method: string, known: string): void {
  const given = client as Record<string, unknown> | null | undefined
  if (typeof given?.[method] === 'function') return
  throw new BaseError(`Pass a client of ${known}: an object with ${method}().`)
}
