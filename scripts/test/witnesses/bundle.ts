import { isDeepStrictEqual } from 'node:util'
import { BASE, type Document, VERSIONS, type Version, type Witness } from './witness.ts'

/** Witnesses whose documents are merged, so that two packages in each language serve them all. */
export interface Bundle {
  witnesses: Witness[]
  documents: Record<Version, Document>
}

/** The parts of a document that are maps by name, and how deep the names are. */
const MAPS: Readonly<Record<string, number>> = { paths: 1, webhooks: 1, components: 2 }

/**
 * Merges the documents of as many witnesses as possible. A change of what a whole document has in
 * common, such as its security, happens to all of a bundle: only changes of other such parts join it.
 */
export function bundle(witnesses: readonly Witness[]): Bundle[] {
  const bundles: Bundle[] = []
  for (const witness of witnesses) {
    if (bundles.some((candidate) => joins(candidate, witness))) continue
    const created = { witnesses: [], documents: basesOf(witness) }
    if (!joins(created, witness)) throw new Error(`${witness.kind} contradicts the base.`)
    bundles.push(created)
  }
  return bundles
}

/** What every bundle has, but for what a witness says of whole documents. */
function basesOf({ documents: { before, after } }: Witness): Bundle['documents'] {
  return { before: baseOf(before), after: baseOf(after) }
}

function baseOf(document: Document): Document {
  const parts = Object.entries(BASE).filter(([part]) => part in MAPS || !(part in document))
  return Object.fromEntries(parts)
}

/** Adds a witness to a bundle. Returns false where their documents contradict each other. */
function joins(target: Bundle, witness: Witness): boolean {
  const changed = changedParts(target)
  const changing = changedParts(witness)
  const isFirst = target.witnesses.length === 0
  if (!isFirst && (changed.length === 0) !== (changing.length === 0)) return false
  if (changing.some((part) => changed.includes(part))) return false
  const [before, after] = VERSIONS.map((version) =>
    merge(target.documents[version], witness.documents[version]),
  )
  if (!before || !after) return false
  target.documents = { before, after }
  target.witnesses.push(witness)
  return true
}

/** The parts that all operations or events of a document have in common, where they change. */
function changedParts({ documents: { before, after } }: Pick<Bundle, 'documents'>): string[] {
  const [old, now] = [commonParts(before), commonParts(after)]
  const parts = Object.keys({ ...old, ...now })
  return parts.filter((part) => !isDeepStrictEqual(old[part], now[part]))
}

function commonParts({
  paths: _paths,
  webhooks: _webhooks,
  components,
  ...parts
}: Document): Document {
  const { securitySchemes, schemas } = (components ?? {}) as Record<string, Document>
  return { ...parts, securitySchemes, problem: schemas?.Problem }
}

function merge(left: Document, right: Document): Document | null {
  const merged: Document = { ...left }
  for (const [key, value] of Object.entries(right)) {
    const united = unite(merged[key], value, MAPS[key] ?? 0)
    if (united === null) return null
    merged[key] = united
  }
  return merged
}

/** Both values in one; null where they contradict each other. */
function unite(left: unknown, right: unknown, depth: number): unknown {
  if (left === undefined) return right
  if (depth === 0) return isDeepStrictEqual(left, right) ? left : null
  const united = { ...(left as Document) }
  for (const [key, value] of Object.entries(right as Document)) {
    const both = unite(united[key], value, depth - 1)
    if (both === null) return null
    united[key] = both
  }
  return united
}
