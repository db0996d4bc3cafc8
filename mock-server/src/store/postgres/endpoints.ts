import type { Leases } from '../leases.ts'
import type { EndpointStore } from '../store.ts'
import { type Endpoint, isListener, type Sandbox } from '../types.ts'
import type { Database, Queries } from './database.ts'
import { FIRST_DUE } from './due.ts'
import type { Notices } from './notices.ts'
import { alive, type Replicas } from './replicas.ts'

export interface EndpointRow {
  id: string
  url: string
  kinds: string[] | null
  secret: string
  revision: string | null
  disabled: boolean
}

/** Encrypts what must not be readable at rest. */
export interface Seal {
  seal(text: string): string
  open(sealed: string): string
  /** Whether a text is sealed as it would be now. */
  isCurrent(sealed: string): boolean
}

export interface EndpointsOptions {
  db: Database
  leases: Leases
  notices: Notices
  replicas: Replicas
  cipher: Seal
}

export const COLUMNS = 'id, url, kinds, secret, revision, disabled'

export class Endpoints implements EndpointStore {
  readonly #options: EndpointsOptions
  readonly #db: Database

  constructor(options: EndpointsOptions) {
    this.#options = options
    this.#db = options.db
  }

  async add(sandbox: Sandbox, endpoint: Endpoint): Promise<void> {
    await this.insert(this.#db, sandbox, [endpoint])
  }

  async list(sandbox: Sandbox): Promise<Endpoint[]> {
    const sql = `SELECT ${COLUMNS} FROM {endpoints} WHERE sandbox = ? ORDER BY number`
    const rows = await this.#db.rows<EndpointRow>(sql, sandbox.id)
    return rows.map((row) => this.of(row))
  }

  async changeSecret(sandbox: Sandbox, id: string, secret: string): Promise<boolean> {
    const sql = 'UPDATE {endpoints} SET secret = ? WHERE sandbox = ? AND id = ?'
    const sealed = this.#options.cipher.seal(secret)
    return this.#changed(sandbox, id, await this.#db.run(sql, sealed, sandbox.id, id))
  }

  async change(
    sandbox: Sandbox,
    id: string,
    { kinds, revision = null }: Pick<Endpoint, 'kinds' | 'revision'>,
  ): Promise<void> {
    const sql = 'UPDATE {endpoints} SET kinds = ?, revision = ? WHERE sandbox = ? AND id = ?'
    this.#changed(sandbox, id, await this.#db.run(sql, kinds, revision, sandbox.id, id))
  }

  async remove(sandbox: Sandbox, id: string): Promise<boolean> {
    const sql = `WITH gone AS (DELETE FROM {endpoints} WHERE sandbox = ? AND id = ? RETURNING sandbox, number)
      INSERT INTO {removed_endpoints} (sandbox, number) SELECT sandbox, number FROM gone RETURNING number`
    const gone = await this.#db.rows<{ number: number }>(sql, sandbox.id, id)
    this.#options.leases.drop(gone.map(({ number }) => number))
    return this.#changed(sandbox, id, gone.length)
  }

  async disable(sandbox: Sandbox, id: string, isDisabled: boolean): Promise<boolean> {
    const sql = 'UPDATE {endpoints} SET disabled = ? WHERE sandbox = ? AND id = ?'
    const changes = await this.#db.run(sql, isDisabled, sandbox.id, id)
    if (!isDisabled) await this.refreshDue(sandbox)
    return this.#changed(sandbox, id, changes)
  }

  async attended({ id }: Sandbox): Promise<Array<{ id: string; by: string | null }>> {
    const sql = `SELECT p.id, nullif(p.attendant, ?) AS by FROM {endpoints} p
      WHERE p.sandbox = ? AND p.listener AND ${alive('p.attendant')} ORDER BY p.number`
    return this.#db.rows(sql, this.#options.replicas.id, id)
  }

  async attend(sandbox: Sandbox, id: string, isAttended: boolean): Promise<void> {
    const { replicas } = this.#options
    const sql = isAttended
      ? 'UPDATE {endpoints} SET attendant = ? WHERE sandbox = ? AND id = ?'
      : 'UPDATE {endpoints} SET attendant = NULL WHERE attendant = ? AND sandbox = ? AND id = ?'
    this.#changed(sandbox, id, await this.#db.run(sql, replicas.id, sandbox.id, id))
    if (isAttended) await this.refreshDue(sandbox)
  }

  /** Adds endpoints, as a part of a transaction. */
  async insert(queries: Queries, { id }: Sandbox, endpoints: readonly Endpoint[]): Promise<void> {
    for (const endpoint of endpoints) {
      const { kinds, revision = null, isDisabled = false } = endpoint
      await queries.run(
        `INSERT INTO {endpoints} (sandbox, id, url, kinds, secret, revision, disabled, listener)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        endpoint.id,
        endpoint.url,
        kinds,
        this.#options.cipher.seal(endpoint.secret),
        revision,
        isDisabled,
        isListener(endpoint),
      )
    }
  }

  /** Seals secrets again that are not sealed as they would be now. */
  async reseal(): Promise<void> {
    const { cipher } = this.#options
    const sql = 'SELECT number, secret FROM {endpoints}'
    const rows = await this.#db.rows<{ number: number; secret: string }>(sql)
    for (const { number, secret } of rows) {
      if (cipher.isCurrent(secret)) continue
      const sealed = cipher.seal(cipher.open(secret))
      // It may have been changed meanwhile.
      const sql = 'UPDATE {endpoints} SET secret = ? WHERE number = ? AND secret = ?'
      await this.#db.run(sql, sealed, number, secret)
    }
  }

  /** Notes when the endpoints of a sandbox, or of all, may have something to attempt. @returns those that may now */
  async refreshDue(
    sandbox: Pick<Sandbox, 'id'> | null,
    queries: Queries = this.#db,
  ): Promise<void> {
    const rows = await queries.rows<{ number: number }>(
      `UPDATE {endpoints} p SET due = ${FIRST_DUE} WHERE (?::bigint IS NULL OR p.sandbox = ?)
       RETURNING p.number`,
      sandbox?.id ?? null,
      sandbox?.id ?? null,
    )
    this.#options.notices.due(rows.map(({ number }) => number))
  }

  of({ secret, revision, disabled, ...row }: EndpointRow): Endpoint {
    return {
      id: row.id,
      url: row.url,
      kinds: row.kinds,
      secret: this.#options.cipher.open(secret),
      ...(revision !== null && { revision }),
      ...(disabled && { isDisabled: true }),
    }
  }

  #changed({ id: sandbox }: Sandbox, id: string, changes: number): boolean {
    if (changes === 1) this.#options.notices.changed(sandbox, id)
    return changes === 1
  }
}
