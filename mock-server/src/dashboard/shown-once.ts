import { randomBytes } from 'node:crypto'
import { ALONE, type Peers } from '../store/peers.ts'
import type { Endpoint, Sandbox } from '../store/types.ts'

/** How long a secret is kept for its page, in milliseconds. */
const LIFETIME = 5 * 60_000
/** How many are kept; the oldest is dropped. */
const MAX_KEPT = 100

interface Taking {
  sandbox: number
  token: string
}

interface Kept {
  sandbox: number
  endpoint: Endpoint
  timer: NodeJS.Timeout
}

/** Endpoints whose new secret is shown on the next page and never again. */
export class ShownOnce {
  readonly #peers: Peers
  readonly #kept = new Map<string, Kept>()

  /** @param peers The other processes, one of which may have made the secret. */
  constructor(peers: Peers = ALONE) {
    this.#peers = peers
    peers.handle('secrets.take', async ({ sandbox, token }: Taking) => this.#take(sandbox, token))
  }

  /** @returns a token for the address of that page. */
  keep({ id }: Sandbox, endpoint: Endpoint): string {
    const token = randomBytes(16).toString('base64url')
    const timer = setTimeout(() => this.#kept.delete(token), LIFETIME).unref()
    this.#kept.set(token, { sandbox: id, endpoint, timer })
    const [oldest = ''] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT) this.#remove(oldest)
    return token
  }

  /** The endpoint, only the first time. */
  async take({ id }: Sandbox, token: string): Promise<Endpoint | undefined> {
    if (token === '') return undefined
    const own = this.#take(id, token)
    if (own) return own
    const taking: Taking = { sandbox: id, token }
    const found = await this.#peers.requestAll<Endpoint | null>('secrets.take', taking)
    return found.find(({ response }) => response !== null)?.response ?? undefined
  }

  #take(sandbox: number, token: string): Endpoint | undefined {
    const kept = this.#kept.get(token)
    if (kept?.sandbox !== sandbox) return undefined
    this.#remove(token)
    return kept.endpoint
  }

  #remove(token: string): void {
    clearTimeout(this.#kept.get(token)?.timer)
    this.#kept.delete(token)
  }
}
