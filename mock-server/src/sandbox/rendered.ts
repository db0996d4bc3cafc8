/** Responses to reads, kept as text until the state of their sandbox changes. */
import { LRUCache } from 'lru-cache'
import type { StateStore } from '../store/store.ts'
import type { Sandbox } from '../store/types.ts'

/** How many characters are kept in all. The responses that nobody asked for the longest go first. */
const CAPACITY = 16 * 1024 * 1024

export class Rendered {
  readonly #store: Pick<StateStore, 'version'>
  readonly #texts = new LRUCache<string, string>({
    maxSize: CAPACITY,
    sizeCalculation: (text, name) => text.length + name.length,
  })

  constructor(store: Pick<StateStore, 'version'>) {
    this.#store = store
  }

  /**
   * The response that is kept, or a new one.
   *
   * @param name What is read, unlike everything else that is read from a sandbox.
   */
  async of(sandbox: Sandbox, name: string, make: () => Promise<string>): Promise<string> {
    // Taken before the state is read: a change in between must not count as seen.
    const version = this.#store.version(sandbox)
    if (version === null) return make()
    const key = `${sandbox.id} ${version} ${name}`
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = await make()
    this.#texts.set(key, text)
    return text
  }
}
