import { keysOf } from './json.ts'

/** A part of a document without which the rest can be made. */
export type Part =
  | { kind: 'path'; path: string; verb: string | null }
  | { kind: 'webhook'; event: string }
  | { kind: 'schema'; key: string }

const VERBS = /^(?:get|put|post|delete|options|head|patch)$/

/** The part that a JSON pointer leads into, or null where it leads elsewhere. */
export function partAt(pointer: string): Part | null {
  const [section, first, second = ''] = keysOf(pointer)
  if (first === undefined) return null
  if (section === 'paths') {
    return { kind: 'path', path: first, verb: VERBS.test(second) ? second.toUpperCase() : null }
  }
  if (section === 'webhooks') return { kind: 'webhook', event: first }
  const isSchema = section === 'components' && first === 'schemas' && second !== ''
  return isSchema ? { kind: 'schema', key: second } : null
}
