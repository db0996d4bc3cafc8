/** Lets tenants in: each has a sandbox, which is stored under its id. */
import { LRUCache } from 'lru-cache'
import type { HttpRequest } from '../door/message.ts'
import type { Gate } from '../sandbox/gate.ts'
import type { Usage } from '../store/tenants.ts'
import type { Change, Sandbox } from '../store/types.ts'
import type { Tenants } from './tenants.ts'

const MOST = 10_000

export class TenantGate implements Gate {
  readonly #tenants: Tenants
  /** The ids of tenants, by the numbers of their sandboxes. */
  readonly #owners = new LRUCache<number, string>({ max: MOST })

  constructor(tenants: Tenants) {
    this.#tenants = tenants
  }

  admit(key: string, onGone?: HttpRequest['onGone']): Promise<void> {
    return this.#tenants.admit(key, onGone)
  }

  async nameOf(key: string): Promise<string> {
    return (await this.#tenants.of(key)).id
  }

  enter(name: string, { id }: Sandbox): void {
    this.#owners.set(id, name)
  }

  async allow({ id }: Sandbox, change: Change | 'endpoint'): Promise<void> {
    const owner = this.#owners.get(id)
    if (owner === undefined) return
    await this.#tenants.allow(owner, change === 'endpoint' ? { endpoints: 1 } : addedBy(change))
  }
}

/** What a change adds at least: the endpoints that get an event are known to the store alone. */
function addedBy({
  conversation,
  before,
  messages = [],
  source,
  events = [],
}: Change): Partial<Usage> {
  const isNew = conversation !== undefined && !before
  const texts = [...messages.map(({ json }) => json), ...events.map(({ body }) => body)]
  if (isNew) texts.push(conversation.json)
  if (source) texts.push(source.json)
  return {
    stored_bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    deliveries_per_day: events.reduce((sum, { copies = 1 }) => sum + copies, 0),
    ...(isNew && { conversations: 1 }),
  }
}
