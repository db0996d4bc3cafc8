/**
 * The latest items, up to a number. Each takes the place of an old one: an array that is shifted leaves dead
 * copies of itself behind, which keep their items alive until the next full garbage collection.
 */
export class Ring<T> {
  readonly #items: Array<T | undefined>
  #first = 0
  #size = 0

  constructor(capacity: number) {
    this.#items = new Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  /** @returns the oldest item if it had to make room. */
  push(item: T): T | undefined {
    if (this.#items.length === 0) return item
    const dropped = this.#size === this.#items.length ? this.shift() : undefined
    this.#items[(this.#first + this.#size) % this.#items.length] = item
    this.#size++
    return dropped
  }

  /** Removes the oldest item. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined
    const item = this.#items[this.#first]
    this.#items[this.#first] = undefined
    this.#first = (this.#first + 1) % this.#items.length
    this.#size--
    return item
  }

  /** Oldest first. */
  *[Symbol.iterator](): Generator<T> {
    for (let i = 0; i < this.#size; i++) {
      yield this.#items[(this.#first + i) % this.#items.length] as T
    }
  }
}
