import type { Operation } from '../contract/load.ts'
import type { Faults } from '../faults/faults.ts'
import type { Requests } from '../requests/requests.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { Sandbox } from '../store/types.ts'
import type { Form, Limits } from './form.ts'
import type { ShownOnce } from './shown-once.ts'

/** A request for a page. */
export interface Visit {
  sandboxes: Sandboxes
  requests: Requests
  secrets: ShownOnce
  faults: Faults
  /** The paths of the API, in all its revisions. */
  paths: readonly string[]
  limits: Limits
  /** Those of the contract. */
  operations: readonly Operation[]
  /** Whether the contract is that of this package, for which there are SDKs. */
  isShipped: boolean
  /** Of the server, as the browser knows it. */
  baseUrl: string
  /** The API key of the sandbox. */
  key: string
  /** The key as pages show it. */
  shownKey: string
  sandbox: Sandbox
  /** By the names of the path template. */
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, string>
  /** A form that was sent and refused. */
  form?: Form
}
