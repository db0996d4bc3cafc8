import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { Sandbox } from '../store/types.ts'

/** What a page is shown for. */
export interface Visit {
  sandboxes: Sandboxes
  /** Whose sandbox it is. */
  key: string
  sandbox: Sandbox
  /** By the names of the path template. */
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, string>
}
