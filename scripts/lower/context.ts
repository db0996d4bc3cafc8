import { isObject, isRounded, type Json, keysOf } from '../contract/json.ts'
import { FATES } from '../contract/keywords.ts'
import type { Contract } from '../contract/load.ts'
import type { Doc, Example, Stability } from '../model/types.ts'
import type { Location, Problem } from '../yaml/index.ts'

/** A problem, and the operation or type that cannot be made because of it. */
export interface OwnedProblem extends Problem {
  owner: string | null
}

/** The state that all parts of lowering share: the document and its problems. */
export class Context {
  readonly document: Json
  readonly problems: OwnedProblem[] = []
  /** The id of the operation or the declaration that is being built. */
  owner: string | null = null
  readonly #contract: Contract

  constructor(contract: Contract) {
    this.#contract = contract
    this.document = contract.document
  }

  /** Whether what stands beside a $ref says nothing, as in OpenAPI 3.0. */
  get ignoresSiblings(): boolean {
    return String(this.document.openapi).startsWith('3.0')
  }

  /** Gives a node that was made from another one the location of that one. */
  like<T extends object>(original: object, made: T): T {
    this.#contract.locations.adopt(made, original)
    return made
  }

  location(node: object, key?: string): Location {
    return this.#contract.locations.of(node, key)
  }

  /** Reports what must be corrected before anything can be written. */
  error(node: object, key: string | undefined, message: string, fix: string): void {
    this.#report('error', node, key, message, fix)
  }

  /** Reports a valid part of the document that the SDKs cannot express. */
  unsupported(node: object, key: string | undefined, message: string, fix: string): void {
    this.#report('unsupported', node, key, message, fix)
  }

  /** Reports a part that is left out although nothing is wrong. */
  note(node: object, key: string | undefined, message: string, fix: string): void {
    this.#report('note', node, key, message, fix)
  }

  /** The operations, events and types that cannot be made. */
  spoilt(): string[] {
    return this.problems.flatMap(({ severity, owner }) =>
      severity === 'unsupported' && owner !== null ? [owner] : [],
    )
  }

  /** The target of a node's `$ref` in this document, or the node itself. */
  resolve(node: unknown): Json {
    let target = node
    for (let hops = 0; isObject(target) && typeof target.$ref === 'string'; hops++) {
      if (hops > 50) {
        this.error(target, '$ref', 'this $ref refers to itself', 'Point it at a definition')
        return {}
      }
      target = this.find(target.$ref)
    }
    return isObject(target) ? target : {}
  }

  /** What stands at a reference like `#/components/schemas/Order`. */
  find(ref: string): unknown {
    return this.#follow(pathOf(ref))
  }

  /** What stands at a JSON pointer like `/paths/~1v1~1orders`. */
  at(pointer: string): unknown {
    return this.#follow(keysOf(pointer))
  }

  #follow(keys: readonly string[]): unknown {
    return keys.reduce<unknown>(
      (node, key) => (typeof node === 'object' && node !== null ? (node as Json)[key] : undefined),
      this.document,
    )
  }

  /** Reports every keyword of an object that the SDKs cannot express. */
  refuse(kind: keyof typeof FATES, node: Json): void {
    for (const [keyword, value] of Object.entries(node)) {
      const fate = FATES[kind].get(keyword)
      if (typeof fate !== 'object' || value === fate.unless) continue
      this.unsupported(node, keyword, fate.message, fate.fix)
    }
  }

  #report(
    severity: Problem['severity'],
    node: object,
    key: string | undefined,
    message: string,
    fix: string,
  ): void {
    const location = this.location(node, key)
    this.problems.push({ severity, location, message, fix, owner: this.owner })
  }
}

/** The keys that a reference names. */
export function pathOf(ref: string): string[] {
  return keysOf(ref).map((key) => (/%[0-9a-f]{2}/i.test(key) ? decodeURIComponent(key) : key))
}

/** The documentation of a node. */
export function docOf(node: Json, fallback: string | null = null): Doc {
  const text = typeof node.description === 'string' ? node.description.trim() : ''
  return {
    text: text || fallback,
    assumed: assumedOf(node),
    deprecated: node.deprecated === true,
  }
}

/** The reason of a node's mark, if it has one. */
export function assumedOf(node: Json): string | null {
  const mark = node['x-assumed']
  return typeof mark === 'string' ? mark.trim() : null
}

export function stabilityOf(node: Json, inherited: Stability): Stability {
  const own = node['x-stability']
  return own === 'preview' || own === 'stable' ? own : inherited
}

/** The examples of a media type, by key. */
export function examplesOf(media: Json, context: Context): Example[] {
  const named = Object.entries(isObject(media.examples) ? media.examples : {})
    .map(([key, node]): Example => {
      const example = context.resolve(node)
      const summary = typeof example.summary === 'string' ? example.summary : null
      return { key, summary, value: example.value }
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const own = 'example' in media ? [{ key: 'example', summary: null, value: media.example }] : []
  // A rounded number would show a value that the API never sends.
  return [...own, ...named].filter(({ value }) => !isRounded(value))
}
