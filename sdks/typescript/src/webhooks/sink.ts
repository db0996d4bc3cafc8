import { bytesOf, type WebhookBody } from './body.js'
import { WebhookVerificationError } from './error.js'

/** Collects the parts of a body in one buffer. A list of small parts would take far more memory. */
export class ByteSink {
  readonly #maxBytes: number
  #bytes = new Uint8Array()
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @throws {WebhookVerificationError} `payload_too_large`, `body_already_parsed` */
  add(part: WebhookBody): void {
    const bytes = bytesOf(part, this.#maxBytes - this.#size)
    const size = this.#size + bytes.length
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(Math.max(size, 2 * this.#size), this.#maxBytes))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes.set(bytes, this.#size)
    this.#size = size
  }

  /** The bytes of all parts. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }
}

/**
 * Refuses a body by its content length, before it is read.
 *
 * @throws {WebhookVerificationError} `payload_too_large`
 */
export function refuseLength(announced: string | null | undefined, maxBytes: number): void {
  if (Number(announced) > maxBytes) throw new WebhookVerificationError('payload_too_large')
}
