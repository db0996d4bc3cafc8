/** The names of the revisions of the contract that the data mentions. */
import type { Database } from './database.ts'

const CHOOSING = ['endpoints', 'sandboxes']

/** Those that endpoints and keys have chosen. */
export async function chosenRevisions(db: Database): Promise<string[]> {
  const parts = CHOOSING.map(
    (table) => `SELECT revision FROM {${table}} WHERE revision IS NOT NULL`,
  )
  const sql = `${parts.join(' UNION ')} ORDER BY revision`
  return (await db.rows<{ revision: string }>(sql)).map(({ revision }) => revision)
}

/** Gives revisions other names, all at once, so that two of them may exchange theirs. */
export async function renameRevisions(
  db: Database,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const json = JSON.stringify(Object.fromEntries(names))
  await db.transaction(async (queries) => {
    for (const table of [...CHOOSING, 'events']) {
      const sql = `UPDATE {${table}} SET revision = ?::jsonb ->> revision WHERE jsonb_exists(?::jsonb, revision)`
      await queries.run(sql, json, json)
    }
  })
}
