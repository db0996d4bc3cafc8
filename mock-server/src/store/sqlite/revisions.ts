/** The names of the revisions of the contract that the data mentions. */
import type { Database } from './database.ts'

const CHOOSING = ['endpoints', 'sandboxes']

/** Those that endpoints and keys have chosen. */
export function chosenRevisions(db: Database): string[] {
  const parts = CHOOSING.map((table) => `SELECT revision FROM ${table} WHERE revision IS NOT NULL`)
  const sql = `${parts.join(' UNION ')} ORDER BY revision`
  return db.rows<{ revision: string }>(sql).map(({ revision }) => revision)
}

/** Gives revisions other names, all at once, so that two of them may exchange theirs. */
export function renameRevisions(db: Database, names: ReadonlyMap<string, string>): void {
  const json = JSON.stringify(Object.fromEntries(names))
  db.transaction(() => {
    for (const table of [...CHOOSING, 'events']) {
      db.run(
        `UPDATE ${table} SET revision = (SELECT value FROM json_each(?1) WHERE key = revision)
         WHERE revision IN (SELECT key FROM json_each(?1))`,
        json,
      )
    }
  })
}
