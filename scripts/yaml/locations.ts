import { dirname, join, relative } from 'node:path'
import { escapePointerFragment, getLineColLocation, type Source } from '@redocly/openapi-core'
import type { Location } from './problem.ts'

interface Origin {
  source: Source
  parent: object | null
  key: string
}

/**
 * Where each object of a document was read, also after references, overlays and bundling have moved
 * it elsewhere in the tree.
 */
export class Locations {
  readonly #origins = new WeakMap<object, Origin>()
  readonly #main: Source
  readonly #mainName: string

  /** @param mainName How the main file is to be called in messages. */
  constructor(main: Source, mainName: string) {
    this.#main = main
    this.#mainName = mainName
  }

  /** Records where every object of a tree stands. Objects that are recorded keep their location. */
  add(source: Source, root: unknown): void {
    const pending: Array<{ node: unknown; parent: object | null; key: string }> = [
      { node: root, parent: null, key: '' },
    ]
    const seen = new Set<object>()
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { node, parent, key } = next
      if (typeof node !== 'object' || node === null || seen.has(node)) continue
      seen.add(node)
      if (!this.#origins.has(node)) this.#origins.set(node, { source, parent, key })
      // Last first, so that of an object that YAML aliases the first location is kept.
      for (const child of Object.keys(node).reverse()) {
        pending.push({ node: (node as Record<string, unknown>)[child], parent: node, key: child })
      }
    }
  }

  /** Gives an object that was made from another one the location of that one. */
  adopt(made: object, original: object): void {
    const origin = this.#origins.get(original)
    if (origin) this.#origins.set(made, origin)
  }

  /** Where a JSON pointer leads in a tree, or the last node on the way to it. */
  find(root: object, pointer: string): Location {
    const keys = pointer
      .replace(/^#/, '')
      .split('/')
      .filter((key) => key !== '')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    let node = root
    for (const [index, key] of keys.entries()) {
      const next = (node as Record<string, unknown>)[key]
      if (typeof next !== 'object' || next === null) {
        return this.of(node, index === keys.length - 1 ? key : undefined)
      }
      node = next
    }
    return this.of(node)
  }

  /** Where an object stands, or a key of it. */
  of(node: object, key?: string | number): Location {
    const { source, pointer } = this.#pointer(node)
    return this.at(source, key === undefined ? pointer : child(pointer, String(key)))
  }

  /** Where a JSON pointer (with a leading `#`) leads in a file. */
  at(source: Source, pointer: string): Location {
    const { start } = getLineColLocation({ source, pointer, reportOnKey: true })
    return { file: this.#fileName(source), line: start.line, column: start.col }
  }

  #pointer(node: object): { source: Source; pointer: string } {
    const keys: string[] = []
    let source = this.#main
    for (let at: object | null = node; at; ) {
      const origin = this.#origins.get(at)
      if (!origin) break
      source = origin.source
      if (origin.parent) keys.push(origin.key)
      at = origin.parent
    }
    return {
      source,
      pointer: keys
        .reverse()
        .reduce(child, '#/')
        .replace(/^#\/\//, '#/'),
    }
  }

  #fileName(source: Source): string {
    if (source === this.#main) return this.#mainName
    return join(
      dirname(this.#mainName),
      relative(dirname(this.#main.absoluteRef), source.absoluteRef),
    )
  }
}

function child(pointer: string, key: string): string {
  return `${pointer === '#/' ? '#' : pointer}/${escapePointerFragment(key)}`
}
