import type { Leases } from '../leases.ts'
import type { EndpointStore } from '../store.ts'
import { type Endpoint, isListener, LISTENER_SCHEME, type Sandbox } from '../types.ts'
import type { Database } from './database.ts'
import type { Numbers } from './numbers.ts'
import type { Removals } from './removals.ts'
import type { Targets } from './targets.ts'

export interface EndpointRow {
  id: string
  url: string
  kinds: string | null
  secret: string
  revision: string | null
  disabled: number
}

export interface EndpointsOptions {
  db: Database
  leases: Leases
  numbers: Numbers
  removals: Removals
  targets: Targets
  now: () => number
}

export class Endpoints implements EndpointStore {
  readonly #options: EndpointsOptions
  readonly #db: Database

  constructor(options: EndpointsOptions) {
    this.#options = options
    this.#db = options.db
    const sql = `SELECT number FROM endpoints WHERE url LIKE '${LISTENER_SCHEME}%'`
    for (const { number } of this.#db.rows<{ number: number }>(sql)) {
      options.leases.attend(number, false)
    }
  }

  async add(sandbox: Sandbox, endpoint: Endpoint): Promise<void> {
    const { numbers, now } = this.#options
    this.#db.transaction(() => {
      this.insert(sandbox, endpoint)
      numbers.use(sandbox, now())
    })
  }

  async list(sandbox: Sandbox): Promise<Endpoint[]> {
    const sql =
      'SELECT id, url, kinds, secret, revision, disabled FROM endpoints WHERE sandbox = ? ORDER BY number'
    return this.#db.rows<EndpointRow>(sql, sandbox.id).map(endpointOf)
  }

  async changeSecret(sandbox: Sandbox, id: string, secret: string): Promise<boolean> {
    const sql = 'UPDATE endpoints SET secret = ? WHERE sandbox = ? AND id = ?'
    return this.#db.run(sql, secret, sandbox.id, id).changes === 1
  }

  async change(
    sandbox: Sandbox,
    id: string,
    { kinds, revision = null }: Pick<Endpoint, 'kinds' | 'revision'>,
  ): Promise<void> {
    const sql = 'UPDATE endpoints SET kinds = ?, revision = ? WHERE sandbox = ? AND id = ?'
    this.#db.run(sql, kinds && JSON.stringify(kinds), revision, sandbox.id, id)
  }

  async remove(sandbox: Sandbox, id: string): Promise<boolean> {
    const { leases, removals } = this.#options
    const number = removals.add(sandbox, id)
    if (number === undefined) return false
    leases.drop([number])
    return true
  }

  async disable(sandbox: Sandbox, id: string, isDisabled: boolean): Promise<boolean> {
    const sql = 'UPDATE endpoints SET disabled = ? WHERE sandbox = ? AND id = ?'
    return this.#db.run(sql, Number(isDisabled), sandbox.id, id).changes === 1
  }

  async attended({ id }: Sandbox): Promise<Array<{ id: string; by: string | null }>> {
    const sql = 'SELECT id, number, url FROM endpoints WHERE sandbox = ? ORDER BY number'
    const rows = this.#db.rows<{ id: string; number: number; url: string }>(sql, id)
    return rows
      .filter((row) => isListener(row) && this.#options.leases.isAttended(row.number))
      .map((row) => ({ id: row.id, by: null }))
  }

  async attend(sandbox: Sandbox, id: string, isAttended: boolean): Promise<void> {
    const sql = 'SELECT number FROM endpoints WHERE sandbox = ? AND id = ?'
    for (const { number } of this.#db.rows<{ number: number }>(sql, sandbox.id, id)) {
      this.#options.leases.attend(number, isAttended)
    }
  }

  /** Adds an endpoint, as a part of a transaction. */
  insert(sandbox: Sandbox, { id, url, kinds, secret, revision = null }: Endpoint): void {
    this.#options.targets.expect(sandbox)
    const { inserted } = this.#db.run(
      'INSERT INTO endpoints (sandbox, id, url, kinds, secret, revision) VALUES (?, ?, ?, ?, ?, ?)',
      sandbox.id,
      id,
      url,
      kinds && JSON.stringify(kinds),
      secret,
      revision,
    )
    if (isListener({ url })) this.#options.leases.attend(inserted, false)
  }
}

export function endpointOf({ id, url, kinds, secret, revision, disabled }: EndpointRow): Endpoint {
  return {
    id,
    url,
    kinds: kinds === null ? null : JSON.parse(kinds),
    secret,
    ...(revision !== null && { revision }),
    ...(disabled === 1 && { isDisabled: true }),
  }
}
