/** Lets work on the same thing happen one after the other, in the order in which it came. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(thing)
    const mine = before ? before.then(work) : work()
    const settled = mine.catch(() => {})
    this.#last.set(thing, settled)
    try {
      return await mine
    } finally {
      if (this.#last.get(thing) === settled) this.#last.delete(thing)
    }
  }
}
