import type { Locations, Problem } from '../yaml/index.ts'
import { isObject, type Json, list, object, sortedEntries, walk } from './json.ts'

type Report = (node: object, key: string | undefined, message: string, fix: string) => void

/** Rules for this repository's own contract that Redocly does not have. */
export function ownRules(document: Json, locations: Locations): Problem[] {
  const problems: Problem[] = []
  const report: Report = (node, key, message, fix) => {
    problems.push({ severity: 'error', location: locations.of(node, key), message, fix })
  }
  marksAreHighest(document, report)
  unionsAreDecodable(document, report)
  everythingHasExamples(document, report)
  operationsHaveMethods(document, report)
  return problems
}

/** A mark covers all beneath it, so a mark beneath a mark says nothing. */
function marksAreHighest(document: Json, report: Report): void {
  const marked: string[] = []
  walk(document, (node, path, names) => {
    if (names || !('x-assumed' in node)) return
    const pointer = `/${path.join('/')}/`
    if (marked.some((above) => pointer.startsWith(above))) {
      report(node, 'x-assumed', 'a node above is assumed already', 'Keep the highest mark only')
    }
    marked.push(pointer)
  })
}

/** A receiver must be able to find the variant of a union without trying each. */
function unionsAreDecodable(document: Json, report: Report): void {
  walk(document, (node, _path, names) => {
    if (names || !isObject(node)) return
    for (const keyword of ['oneOf', 'anyOf']) {
      const variants = list(node[keyword]).filter((variant) => object(variant).type !== 'null')
      if (variants.length < 2 || isObject(node.discriminator)) continue
      const types = variants.map((variant) => object(variant).type)
      if (types.every((type) => typeof type === 'string') && new Set(types).size === types.length) {
        continue
      }
      report(
        node,
        keyword,
        'the variants of this union cannot be distinguished',
        'Give it a discriminator, or variants of different types',
      )
    }
  })
}

function everythingHasExamples(document: Json, report: Report): void {
  walk(document, (node, path, names) => {
    if (names || path.at(-2) !== 'content' || !isObject(node)) return
    if ('example' in node || sortedEntries(node.examples).length > 0) return
    report(node, undefined, 'this media type has no example', 'Add at least one under "examples"')
  })
}

function operationsHaveMethods(document: Json, report: Report): void {
  for (const [, item] of sortedEntries(document.paths)) {
    for (const [verb, operation] of sortedEntries(item)) {
      if (!isObject(operation) || !('responses' in operation) || 'x-sdk-method' in operation) {
        continue
      }
      report(
        object(item),
        verb,
        'this operation has no x-sdk-method',
        'Name its resource and method',
      )
    }
  }
}
