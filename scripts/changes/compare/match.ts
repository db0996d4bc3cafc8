import { EDITORIAL } from '../../contract/editorial.ts'
import { isObject, type Json } from '../../contract/json.ts'

/** What stands on both sides, and what on one. */
export interface Matched<T> {
  pairs: Array<{ before: T; after: T; renamed: 'certain' | 'looks' | null }>
  removed: T[]
  added: T[]
}

export interface Matching<T> {
  name(part: T): string
  /** The old name that the new part says it had. */
  oldName(after: T): unknown
  /** Whether nothing but the names of two parts differs. */
  areAlike(before: T, after: T): boolean
}

/**
 * Matches parts by their names, then by the old names that new parts give. Where that leaves one part on
 * each side, and they are alike, the part looks renamed.
 */
export function match<T>(
  before: readonly T[],
  after: readonly T[],
  { name, oldName, areAlike }: Matching<T>,
): Matched<T> {
  const old = new Map(before.map((part) => [name(part), part]))
  const pairs: Matched<T>['pairs'] = []
  const take = (part: T, key: string, renamed: 'certain' | null): boolean => {
    const partner = old.get(key)
    if (partner === undefined) return false
    old.delete(key)
    pairs.push({ before: partner, after: part, renamed })
    return true
  }
  const strange = after.filter((part) => !take(part, name(part), null))
  const added = strange.filter((part) => {
    const from = oldName(part)
    return typeof from !== 'string' || !take(part, from, 'certain')
  })
  const removed = [...old.values()]
  const [gone, ...othersGone] = removed
  const [come, ...othersCome] = added
  const isOne = othersGone.length + othersCome.length === 0
  if (gone !== undefined && come !== undefined && isOne && areAlike(gone, come)) {
    return {
      pairs: [...pairs, { before: gone, after: come, renamed: 'looks' }],
      removed: [],
      added: [],
    }
  }
  return { pairs, removed, added }
}

/** Whether two parts of documents say the same, their texts aside. */
export function saySame(before: unknown, after: unknown): boolean {
  return JSON.stringify(plain(before)) === JSON.stringify(plain(after))
}

/** A part of a document without texts and marks, its keys in order. */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (!isObject(node)) return node
  const kept: Json = {}
  for (const key of Object.keys(node).sort()) {
    if (EDITORIAL.has(key) && typeof node[key] !== 'object') continue
    if (key === 'example' || key === 'examples' || key === 'x-assumed') continue
    kept[key] = plain(node[key])
  }
  return kept
}
