/** Those who create a sandbox without an account. */
import { blockOf, clientOf } from '../door/client.ts'
import type { HttpRequest } from '../door/message.ts'
import { RateLimiter, rateLimited } from './rate.ts'

/** How many sandboxes one address may create: that many at once, and as many in an hour. */
const SANDBOXES = 10
const RATE = { perSecond: SANDBOXES / 3600, burst: SANDBOXES }

export class Visitors {
  readonly #rates = new RateLimiter()
  readonly #proxies: ReturnType<typeof blockOf>[]

  /** @param proxies The addresses of the proxies in front, as CIDR blocks. */
  constructor(proxies: readonly string[]) {
    this.#proxies = proxies.map(blockOf)
  }

  /** Counts a sandbox that is created. @throws {Problem} 429 for one too many. */
  count(request: HttpRequest): void {
    const wait = this.#rates.take(clientOf(request, this.#proxies), RATE, performance.now())
    if (wait === 0) return
    const why = `Your network has created ${SANDBOXES} sandboxes in an hour.`
    throw rateLimited(why, wait, ', or ask the operator for a key')
  }
}
