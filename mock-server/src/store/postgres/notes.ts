import type { NoteStore } from '../store.ts'
import type { Sandbox } from '../types.ts'
import type { Database } from './database.ts'
import { encoded } from './free-text.ts'

export class Notes implements NoteStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async read({ id }: Sandbox, name: string) {
    const sql = 'SELECT text, version FROM {notes} WHERE sandbox = ? AND name = ?'
    const note = await this.#db.row<{ text: string; version: number }>(sql, id, encoded(name))
    return note ?? null
  }

  async write({ id }: Sandbox, name: string, text: string, version: number | null) {
    const values = [text, id, encoded(name)]
    if (version === null) {
      const sql = `INSERT INTO {notes} (text, sandbox, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`
      return (await this.#db.run(sql, ...values)) === 1
    }
    const sql = `UPDATE {notes} SET text = ?, version = version + 1
      WHERE sandbox = ? AND name = ? AND version = ?`
    return (await this.#db.run(sql, ...values, version)) === 1
  }
}
