import { REDIS_BEGIN, REDIS_DONE, REDIS_PREFIX, REDIS_RELEASE } from '../generated/stores.js'
import type { DedupeLease, DedupeStore } from './dedupe.js'
import {
  type DedupeSettings,
  type DedupeStoreOptions,
  leaseOf,
  newToken,
  requireClient,
  settingsOf,
} from './settings.js'

export type { DedupeStoreOptions } from './settings.js'

/** A client of ioredis, alone or of a cluster. */
export interface IoRedisClient {
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>
  defineCommand(name: string, definition: { lua: string }): void
}

/** A client of node-redis (the package `redis`): alone, pooled, or of a cluster or sentinels. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** The options of a `RedisDedupeStore`. */
export interface RedisDedupeStoreOptions extends DedupeStoreOptions {
  /**
   * Stands before the ID of an event in its key.
   *
   * @default 'webhook:'
   */
  prefix?: string | undefined
}

/**
 * Remembers events in Redis 6 or newer, for all processes that share it. Each event is one key, which
 * expires by the clock of Redis.
 *
 * Let Redis keep its data over a restart, and evict no key that has not expired
 * (`maxmemory-policy noeviction`). Otherwise events that are forgotten are handled again.
 */
export class RedisDedupeStore implements DedupeStore {
  readonly #client: IoRedisClient | NodeRedisClient
  readonly #prefix: string
  readonly #settings: DedupeSettings

  /**
   * @param client Yours, connected. The store never closes it.
   * @throws {Error} for a client without `eval`, and for a time below 0
   */
  constructor(client: IoRedisClient | NodeRedisClient, options: RedisDedupeStoreOptions = {}) {
    requireClient(client, 'eval', 'ioredis or node-redis')
    this.#client = client
    this.#prefix = options.prefix ?? REDIS_PREFIX
    this.#settings = settingsOf(options)
  }

  async begin(id: string): Promise<DedupeLease> {
    const { lease, holder } = this.#settings
    const token = newToken()
    const reply = String(await this.#run(REDIS_BEGIN, id, token, holder, milliseconds(lease)))
    const [state = '', ...words] = reply.split(' ')
    return leaseOf(state, words.join(' '), token)
  }

  async done(id: string, token: string): Promise<void> {
    await this.#run(REDIS_DONE, id, token, milliseconds(this.#settings.keep))
  }

  async release(id: string, token: string): Promise<void> {
    await this.#run(REDIS_RELEASE, id, token)
  }

  #run(script: string, id: string, ...values: string[]): Promise<unknown> {
    const key = this.#prefix + id
    const client = this.#client
    return 'defineCommand' in client
      ? client.eval(script, 1, key, ...values)
      : client.eval(script, { keys: [key], arguments: values })
  }
}

/** Redis takes no time of 0. */
function milliseconds(seconds: number): string {
  return `${Math.max(1, Math.round(seconds * 1000))}`
}
