/**
 * Says what changes between two revisions of the contract. The mock server bundles it.
 *
 * ```ts
 * import { compare, loadRevision, partsOf } from '@support-chat/scripts/changes'
 *
 * const before = await loadRevision('old.yaml', surroundings)
 * const after = await loadRevision('new.yaml', surroundings)
 * const changes = compare(before, after, catalogue)
 * ```
 *
 * - `loadRevision` throws `Unreadable`, whose message is a sentence with its cure.
 * - `compare` gives the changes, the worst for users first. `partsOf` has, by fingerprint, the parts of
 *   both documents that each is about.
 * - `Side` finds parts of a document by their JSON pointers, through references.
 */
export { type Catalogue, loadCatalogue } from './catalogue.ts'
export type { Finding } from './compare/findings.ts'
export { compare, partsOf, severityOf } from './compare/index.ts'
export { type Pair, pairOperations } from './compare/operations.ts'
export { type Part, Side } from './compare/side.ts'
export { HEADINGS, worstOf } from './report/summary.ts'
export { loadRevision, type Revision, type Surroundings, Unreadable } from './revision.ts'
export {
  AUDIENCES,
  type Audience,
  type ByLanguage,
  type Change,
  EFFECTS,
  type Effect,
  type Kind,
  LANGUAGES,
  type Language,
} from './types.ts'
