import type { Subject } from '../subject.ts'
import type { Renamed } from '../types.ts'

/** Something that differs between two revisions. */
export interface Finding {
  /** The id of a kind of the catalogue. */
  kind: string
  /** Where it is, by names that stay the same when other things change. */
  key: string
  /** JSON pointers into both documents, or both policies. */
  before: string | null
  after: string | null
  subject: Subject
  /** The revision that names the subject. */
  named: 'before' | 'after'
  /** Texts for {before} and {after}. */
  values?: { before?: string; after?: string }
  users: readonly string[]
  renamed?: Renamed
}

/** Collects findings: one of a kind at one location, however many ways lead there. */
export class Findings {
  readonly #found = new Map<string, Finding>()

  add(finding: Finding): void {
    const id = `${finding.kind} ${finding.key}`
    const known = this.#found.get(id)
    const users = known ? [...new Set([...known.users, ...finding.users])] : finding.users
    this.#found.set(id, { ...(known ?? finding), users })
  }

  all(): Finding[] {
    return [...this.#found.values()]
  }
}
