/** Where the rules of sandboxes, and what they count, are kept. */
import { LRUCache } from 'lru-cache'
import type { NoteStore } from '../store/store.ts'
import type { Sandbox } from '../store/types.ts'

/** Whose requests are counted together. */
export interface Owner {
  name: string
  /** Null for requests that no sandbox serves. */
  sandbox: Sandbox | null
}

export interface Shelf {
  /** Whether an owner may have something. */
  mayHave(owner: Owner | null): boolean
  read<T>(owner: Owner, name: string): Promise<T | null>
  /** Changes something in one step. What `work` returns as `after` takes the place of what was before. */
  change<T, Result>(
    owner: Owner,
    name: string,
    work: (before: T | null) => { after: T; result: Result },
  ): Promise<Result>
}

/** In this process alone. Forgets what was not used for longest. */
export class MemoryShelf implements Shelf {
  readonly #kept: LRUCache<string, object>

  constructor(most: number) {
    this.#kept = new LRUCache({ max: most })
  }

  mayHave(): boolean {
    return this.#kept.size > 0
  }

  async read<T>({ name: owner }: Owner, name: string): Promise<T | null> {
    return (this.#kept.get(`${owner} ${name}`) as T | undefined) ?? null
  }

  async change<T, Result>(
    { name: owner }: Owner,
    name: string,
    work: (before: T | null) => { after: T; result: Result },
  ): Promise<Result> {
    const key = `${owner} ${name}`
    const { after, result } = work((this.#kept.get(key) as T | undefined) ?? null)
    this.#kept.set(key, after as object)
    return result
  }
}

/** In the store, for all processes. */
export class StoreShelf implements Shelf {
  readonly #notes: NoteStore

  constructor(notes: NoteStore) {
    this.#notes = notes
  }

  mayHave(owner: Owner | null): boolean {
    return owner?.sandbox?.hasNotes ?? false
  }

  async read<T>({ sandbox }: Owner, name: string): Promise<T | null> {
    const note = sandbox && (await this.#notes.read(sandbox, name))
    return note && decoded(note.text)
  }

  async change<T, Result>(
    { sandbox }: Owner,
    name: string,
    work: (before: T | null) => { after: T; result: Result },
  ): Promise<Result> {
    if (!sandbox) return work(null).result
    for (;;) {
      const note = await this.#notes.read(sandbox, name)
      const { after, result } = work(note && decoded(note.text))
      const isWritten = await this.#notes.write(
        sandbox,
        name,
        encoded(after),
        note?.version ?? null,
      )
      if (isWritten) return result
    }
  }
}

/** JSON has no Infinity. */
function encoded(value: unknown): string {
  return JSON.stringify(value, (_, one) => (one === Number.POSITIVE_INFINITY ? 'Infinity' : one))
}

function decoded<T>(text: string): T {
  return JSON.parse(text, (_, one) => (one === 'Infinity' ? Number.POSITIVE_INFINITY : one))
}
