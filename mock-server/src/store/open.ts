/** Opens the store of a server. */
import { made } from './data-dir.ts'
import type { PostgresOptions } from './postgres/index.ts'
import { SqliteStore } from './sqlite/index.ts'
import type { Store } from './store.ts'

/** What SQLite calls a file that is only in memory. */
const MEMORY = ':memory:'

/** Where the data of a server is. */
export type Place =
  | {
      /** The path of a SQLite file, which is made with its folder, or `:memory:`. */
      file: string
      /** Whether acknowledged data survives a power failure. @default false */
      isDurable?: boolean | undefined
    }
  | { postgres: PostgresOptions }

export interface StoreOptions {
  now?: (() => number) | undefined
}

/**
 * @param check Looks at the store, which is closed again if that fails.
 * @throws {StoreError} where the place cannot be used.
 */
export async function openStore(
  place: Place,
  { now }: StoreOptions,
  check: (store: Store) => Promise<void>,
): Promise<Store> {
  const store = 'file' in place ? openFile(place, now) : await openPostgres(place.postgres, now)
  try {
    await check(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

function openFile(
  { file, isDurable = false }: Extract<Place, { file: string }>,
  now: (() => number) | undefined,
): Store {
  const open = () => new SqliteStore(file, { isDurable, ...(now && { now }) })
  return file === MEMORY ? open() : made(file, open)
}

async function openPostgres(
  options: PostgresOptions,
  now: (() => number) | undefined,
): Promise<Store> {
  // Loaded here, since most servers have a file.
  const { PostgresStore } = await import('./postgres/index.ts')
  return PostgresStore.open({ ...options, now: options.now ?? now })
}
