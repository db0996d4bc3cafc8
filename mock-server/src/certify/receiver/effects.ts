/** What a receiver says that it has handled, if it says so. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Sender } from '../../delivery/sender.ts'

/** How often each event was handled, by its ID. */
export type Handled = ReadonlyMap<string, number>

/** The URL cannot be used. The message says why. */
export class EffectsError extends Error {}

const INTERVAL = 100
/** How long to look for a second time that an event is handled, in milliseconds. */
const SETTLE = 500

export class Effects {
  readonly #url: string
  readonly #read: (url: string) => Promise<string>

  constructor(url: string, read: (url: string) => Promise<string>) {
    this.#url = url
    this.#read = read
  }

  /** @throws {EffectsError} */
  async now(): Promise<Handled> {
    const text = await this.#read(this.#url)
    try {
      return handledIn(JSON.parse(text))
    } catch {
      throw new EffectsError(
        '--effects: the response is neither a list of event IDs nor an object of them in JSON.',
      )
    }
  }

  /** Waits until events are handled, and then a little longer. @param patience In milliseconds. */
  async settled(ids: readonly string[], patience: number): Promise<Handled> {
    const end = performance.now() + patience
    let handled = await this.now()
    while (ids.some((id) => !handled.has(id)) && performance.now() < end) {
      await pause(INTERVAL)
      handled = await this.now()
    }
    await pause(SETTLE)
    return this.now()
  }
}

/** A list of IDs, or of objects with one, in which each stands as often as it was handled; or IDs with numbers. */
function handledIn(value: unknown): Handled {
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null) throw new TypeError('no list and no object')
    const entries = Object.entries(value)
    return new Map(entries.map(([id, times]) => [id, typeof times === 'number' ? times : 1]))
  }
  const counts = new Map<string, number>()
  for (const one of value) {
    const id = typeof one === 'object' && one !== null ? one.id : one
    if (typeof id !== 'string' && typeof id !== 'number') throw new TypeError('no id')
    counts.set(String(id), (counts.get(String(id)) ?? 0) + 1)
  }
  return counts
}

/** The most that is read of a list, in bytes. */
const MOST = 16 * 1024 * 1024

/** Reads a URL that the sender may call. */
export function readerOver(sender: Sender): (url: string) => Promise<string> {
  return async (url) => {
    const message = { method: 'GET', headers: { accept: 'application/json' } } as const
    const limits = { kept: MOST, read: MOST }
    const { status, reason, body } = await sender.request(url, message, limits)
    if (status === 200) return body
    const found = status === null ? reason : `status ${status}, not 200`
    throw new EffectsError(`--effects: the list of handled events cannot be read: ${found}.`)
  }
}
