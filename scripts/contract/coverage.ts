import { EDITORIAL } from './editorial.ts'
import { isObject, type Json, pointerOf } from './json.ts'

/** Compares a contract with the facts that the service has published. */
export interface Coverage {
  /** Neither assumed nor described. */
  unlisted: string[]
  /** Assumed and described. */
  twice: string[]
  /** Described, but not in the contract, or nothing that could be described. */
  unknown: string[]
}

/** Keys whose mappings hold operations, events and the like: to be there says something. */
const DECLARING = new Set(['paths', 'webhooks'])

/** Mappings under which an unused or wholly assumed entry is covered by its users. */
const SHARED = 'components'

/**
 * Compares a contract's values, and the presence of its paths, operations and webhooks, with the
 * published and the assumed locations.
 *
 * @param described Pointers; one that ends in `/**` stands for everything beneath it.
 */
export function coverageOf(document: Json, described: readonly string[]): Coverage {
  const exact = new Set(described)
  const subtrees = described
    .filter((pointer) => pointer.endsWith('/**'))
    .map((pointer) => pointer.slice(0, -2))
  const seen = new Set<string>()
  const coverage: Coverage = { unlisted: [], twice: [], unknown: [] }

  const judge = (pointer: string, isAssumed: boolean, mayBeUnlisted = false): void => {
    seen.add(pointer)
    const isListed = exact.has(pointer) || subtrees.some((tree) => pointer.startsWith(tree))
    if (isListed && isAssumed) coverage.twice.push(pointer)
    if (!isListed && !isAssumed && !mayBeUnlisted) coverage.unlisted.push(pointer)
  }
  const visit = (node: unknown, path: readonly string[], assumed: boolean): void => {
    const isAssumed = assumed || (isObject(node) && typeof node['x-assumed'] === 'string')
    if (typeof node !== 'object' || node === null || Object.keys(node).length === 0) {
      judge(pointerOf(path), isAssumed, refersToAssumption(node, path, document))
      return
    }
    if (declares(path)) judge(pointerOf(path), isAssumed)
    for (const [key, value] of Object.entries(node)) {
      const isName = NAMED_AT.some((at) => path.at(-1) === at)
      if (key === 'x-assumed' || (!isName && EDITORIAL.has(key))) continue
      visit(value, [...path, key], isAssumed)
    }
  }
  visit(document, [], false)

  coverage.unknown = described.filter((pointer) =>
    pointer.endsWith('/**')
      ? ![...seen].some((location) => location.startsWith(pointer.slice(0, -2)))
      : !seen.has(pointer),
  )
  return coverage
}

/** Keys beneath which every key is a name; a field may be called `title`. */
const NAMED_AT = [
  'properties',
  'schemas',
  'parameters',
  'responses',
  'headers',
  'paths',
  'webhooks',
]

/** Paths and webhooks, and the operations in them. */
function declares(path: readonly string[]): boolean {
  const [root = ''] = path
  if (!DECLARING.has(root)) return false
  return (
    path.length === 2 ||
    (path.length === 3 && /^(?:get|put|post|patch|delete)$/.test(path[2] ?? ''))
  )
}

/**
 * Whether a `$ref` leads to something that is wholly assumed. That something is there may be published
 * all the same, and then is described.
 */
function refersToAssumption(value: unknown, path: readonly string[], document: Json): boolean {
  if (path.at(-1) !== '$ref' || typeof value !== 'string') return false
  const target = value
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), document)
  return value.startsWith(`#/${SHARED}/`) && isObject(target) && 'x-assumed' in target
}
