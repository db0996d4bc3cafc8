/** Opens the store of a server. */
import { made } from './data-dir.ts'
import { SqliteStore } from './sqlite/index.ts'
import type { Store } from './store.ts'

/** What SQLite calls a file that is only in memory. */
const MEMORY = ':memory:'

export interface StoreOptions {
  isDurable: boolean
  now?: (() => number) | undefined
}

/**
 * @param file A path, or `:memory:`.
 * @param check Looks at the store, which is closed again if that fails.
 * @throws {StoreError} where the file cannot be used.
 */
export async function openStore(
  file: string,
  { isDurable, now }: StoreOptions,
  check: (store: SqliteStore) => Promise<void>,
): Promise<Store> {
  const open = () => new SqliteStore(file, { isDurable, ...(now && { now }) })
  const store = file === MEMORY ? open() : made(file, open)
  try {
    await check(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
