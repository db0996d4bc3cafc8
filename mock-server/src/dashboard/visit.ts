import type { RequestLog } from '../requests/log.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { Sandbox } from '../store/types.ts'
import type { Limits } from './form.ts'
import type { ShownOnce } from './shown-once.ts'

/** A request for a page. */
export interface Visit {
  sandboxes: Sandboxes
  requests: RequestLog
  secrets: ShownOnce
  limits: Limits
  /** The API key of the sandbox. */
  key: string
  sandbox: Sandbox
  /** By the names of the path template. */
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, string>
}
