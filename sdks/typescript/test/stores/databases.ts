// Real servers for the tests of one file.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { startPostgres } from '../../../../scripts/services/postgres.ts'
import { startRedis } from '../../../../scripts/services/redis.ts'

const STARTS = { redis: startRedis, postgres: startPostgres }

/** The URLs of the databases, and a folder for files, once the tests run. */
export interface Databases {
  redis: string
  postgres: string
  folder: string
}

/** Starts the databases, unless `scripts/services/run.ts` has. */
export function useDatabases(...names: Array<keyof typeof STARTS>): Databases {
  const found: Databases = { redis: '', postgres: '', folder: '' }
  const stops: Array<() => Promise<void>> = []
  beforeAll(async () => {
    found.folder = mkdtempSync(join(tmpdir(), 'stores-'))
    chmodSync(found.folder, 0o755) // for the account of PostgreSQL
    for (const name of names) {
      const given = process.env[`TEST_${name.toUpperCase()}_URL`]
      if (given) {
        found[name] = given
        continue
      }
      const folder = join(found.folder, name)
      mkdirSync(folder)
      const service = await STARTS[name](folder)
      found[name] = service.url
      stops.push(() => service.stop())
    }
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
    rmSync(found.folder, { recursive: true, force: true })
  })
  return found
}
