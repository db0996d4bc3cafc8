import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { Sandbox } from '../store/types.ts'
import type { ShownOnce } from './shown-once.ts'

/** What a page is shown for. */
export interface Visit {
  sandboxes: Sandboxes
  secrets: ShownOnce
  /** Whose sandbox it is. */
  key: string
  sandbox: Sandbox
  /** By the names of the path template. */
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, string>
}
