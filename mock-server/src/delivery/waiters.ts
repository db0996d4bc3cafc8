/** Those that wait until the attempts of a sandbox, or of all, have ended. */

interface Waiter {
  /** Undefined for all. */
  sandbox: number | undefined
  resolve: () => void
  reject: (error: unknown) => void
}

export class Waiters {
  readonly #waiters = new Set<Waiter>()

  /** @param sandbox Undefined for all. */
  wait(sandbox: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.add({ sandbox, resolve, reject })
    })
  }

  /** @param isBusy Whether attempts of a sandbox have not ended, or any. */
  settle(isBusy: (sandbox: number | undefined) => boolean): void {
    for (const waiter of this.#waiters) {
      if (isBusy(waiter.sandbox)) continue
      this.#waiters.delete(waiter)
      waiter.resolve()
    }
  }

  fail(error: unknown): void {
    for (const { reject } of this.#waiters) reject(error)
    this.#waiters.clear()
  }
}
