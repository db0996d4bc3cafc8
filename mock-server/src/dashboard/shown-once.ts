import { randomBytes } from 'node:crypto'
import type { Endpoint, Sandbox } from '../store/types.ts'

/** How long a secret waits for its page, in milliseconds. */
const PATIENCE = 5 * 60_000
/** How many wait at most; the oldest gives way. */
const MOST = 100

interface Kept {
  sandbox: number
  endpoint: Endpoint
  timer: NodeJS.Timeout
}

/** Endpoints whose new secret is for the page that follows, and for no other. */
export class ShownOnce {
  readonly #kept = new Map<string, Kept>()

  /** @returns What the address of that page has instead of the secret. */
  keep({ id }: Sandbox, endpoint: Endpoint): string {
    const token = randomBytes(16).toString('base64url')
    const timer = setTimeout(() => this.#kept.delete(token), PATIENCE).unref()
    this.#kept.set(token, { sandbox: id, endpoint, timer })
    const [oldest = ''] = this.#kept.keys()
    if (this.#kept.size > MOST) this.#remove(oldest)
    return token
  }

  /** The endpoint, the first time that it is asked for. */
  take({ id }: Sandbox, token: string): Endpoint | undefined {
    const kept = this.#kept.get(token)
    if (kept?.sandbox !== id) return undefined
    this.#remove(token)
    return kept.endpoint
  }

  #remove(token: string): void {
    clearTimeout(this.#kept.get(token)?.timer)
    this.#kept.delete(token)
  }
}
