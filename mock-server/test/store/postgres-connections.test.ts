import { afterEach, describe, expect, test } from 'vitest'
import { Database } from '../../src/store/postgres/database.ts'
import { StoreError } from '../../src/store/types.ts'
import { Schema } from '../postgres.ts'

const schema = new Schema()
const errors: string[] = []
let db: Database

function open(): Database {
  db = new Database({ connectionString: schema.url, max: 2 }, schema.name, ({ message }) =>
    errors.push(message),
  )
  return db
}

afterEach(async () => {
  await db.end()
  errors.length = 0
})

describe('A database that cannot be reached', () => {
  test('is a failure of the store, for a statement and for a transaction', async () => {
    open()
    const gone = new Database(
      { connectionString: 'postgresql://127.0.0.1:1/gone' },
      'gone',
      () => {},
    )
    await expect(gone.row('SELECT 1')).rejects.toThrow(StoreError)
    await expect(gone.transaction(({ row }) => row('SELECT 1'))).rejects.toThrow(StoreError)
    await expect(db.row('SELECT no_column')).rejects.not.toThrow(StoreError)
    await gone.end()
  })
})

describe('A connection that PostgreSQL ends', () => {
  test('between two statements of a transaction fails that transaction only', async () => {
    open()
    const transaction = db.transaction(async (queries) => {
      const backend = await queries.row<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      await schema.run('SELECT pg_terminate_backend($1)', [backend?.pid])
      await expect.poll(() => errors.length).toBeGreaterThan(0)
      await queries.row('SELECT 1')
    })

    await expect(transaction).rejects.toThrow(/not queryable|terminat/i)
    await expect(transaction).rejects.toThrow(StoreError)
    expect(await db.row('SELECT 1 AS one')).toEqual({ one: 1 })
  })

  test('while it is idle is replaced', async () => {
    open()
    const backend = await db.row<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await schema.run('SELECT pg_terminate_backend($1)', [backend?.pid])
    await expect.poll(() => errors.length).toBeGreaterThan(0)

    expect(await db.row('SELECT 1 AS one')).toEqual({ one: 1 })
  })
})
