/** PostgreSQL for the tests. The script `test` of the package starts one. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type PostgresOptions, PostgresStore } from '../src/store/postgres/index.ts'

export function databaseUrl(): string {
  const url = process.env.TEST_POSTGRES_URL
  if (url) return url
  throw new Error(
    'These tests need PostgreSQL. Run them with `npm test`, or with `node ../scripts/services/run.ts postgres -- npx vitest run`.',
  )
}

/** A schema of its own, which the stores of a test share. */
export class Schema {
  readonly name: string
  readonly url = databaseUrl()
  readonly errors: string[] = []

  constructor(name = `test_${randomBytes(6).toString('hex')}`) {
    this.name = name
  }

  /** What a store is opened with, as one file has it: with a capacity. */
  options(): PostgresOptions {
    return {
      url: this.url,
      directUrl: this.url,
      schema: this.name,
      capacity: 1000,
      precision: 0,
      connections: 4,
      onError: (message) => this.errors.push(message),
    }
  }

  open(options: Partial<PostgresOptions> = {}): Promise<PostgresStore> {
    return PostgresStore.open({ ...this.options(), ...options })
  }

  /** Runs statements on a connection of its own. `{table}` is a table of the schema. */
  async run(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      const text = sql.replace(/\{(\w+)\}/g, `${this.name}.$1`)
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }

  async drop(): Promise<void> {
    await this.run(`DROP SCHEMA IF EXISTS ${this.name} CASCADE`)
  }
}
