/** Where servers under test keep their data: in SQLite, or in PostgreSQL where TEST_STORE says so. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore, type Place } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'
import { Schema } from './postgres.ts'

/** Whether these tests run on two servers that share a database. */
export const isReplicated = process.env.TEST_STORE === 'replicas'
/** Whether these tests run on PostgreSQL. */
export const onPostgres = process.env.TEST_STORE === 'postgres' || isReplicated

/** A new place for the data of one server. */
export function place(): Place {
  return onPostgres ? { postgres: new Schema().options() } : { file: ':memory:' }
}

/** A new place whose data outlives a server. It is removed with the test. */
export function lastingPlace(): Place {
  if (onPostgres) return place()
  const folder = mkdtempSync(join(tmpdir(), 'mock-lasting-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { file: join(folder, 'mock.db') }
}

/** A new store. */
export function newStore(now: () => number): Promise<Store> {
  return openStore(place(), { now }, async () => {})
}
