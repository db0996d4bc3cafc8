/**
 * The endpoints and deliveries that this process works on. They are kept in memory: no other process attempts them.
 */
export class Leases {
  /** Deliveries by endpoint. */
  readonly #claimed = new Map<number, Set<number>>()
  readonly #endpointOf = new Map<number, number>()
  /** Listeners without a consumer. */
  readonly #unattended = new Set<number>()

  isAttended(endpoint: number): boolean {
    return !this.#unattended.has(endpoint)
  }

  attend(endpoint: number, isAttended: boolean): void {
    if (isAttended) this.#unattended.delete(endpoint)
    else this.#unattended.add(endpoint)
  }

  get unattended(): number[] {
    return [...this.#unattended]
  }

  claimed(endpoint: number): number[] {
    return [...(this.#claimed.get(endpoint) ?? [])]
  }

  claim(endpoint: number, deliveries: readonly number[]): void {
    if (deliveries.length === 0) return
    const claimed = this.#claimed.get(endpoint) ?? new Set()
    this.#claimed.set(endpoint, claimed)
    for (const delivery of deliveries) {
      claimed.add(delivery)
      this.#endpointOf.set(delivery, endpoint)
    }
  }

  /** Ends claims, once their deliveries are recorded or never will be. */
  release(deliveries: Iterable<number>): void {
    for (const delivery of deliveries) {
      const endpoint = this.#endpointOf.get(delivery) ?? 0
      const claimed = this.#claimed.get(endpoint)
      this.#endpointOf.delete(delivery)
      claimed?.delete(delivery)
      if (claimed?.size === 0) this.#claimed.delete(endpoint)
    }
  }

  /** Drops endpoints that are gone, with their claims. */
  drop(endpoints: readonly number[]): void {
    for (const endpoint of endpoints) {
      this.release(this.claimed(endpoint))
      this.#unattended.delete(endpoint)
    }
  }
}
