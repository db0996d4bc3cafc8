/** References that lead nowhere: what they are part of cannot be served, and the rest can. */
import { type Json, METHODS, object } from './document.ts'

/** Stands for what a reference should have led to. */
const LOST = 'x-mock-unresolved'

/** How many references may follow each other. */
const LONGEST_CHAIN = 100

/**
 * Marks each reference of a document that leads nowhere, in place. A path without an item gets every
 * method, so that it is known to exist.
 *
 * @param isWhole Whether references to other documents lead nowhere.
 * @returns undefined if all of them lead somewhere
 */
export function markLost(document: Json, isWhole = true): Lost | undefined {
  let isFound = false
  const seen = new Set<object>()
  const open: [node: unknown, pointer: string][] = [[document, '#']]
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, pointer] = next
    if (typeof node !== 'object' || node === null || seen.has(node)) continue
    seen.add(node)
    const { $ref: ref, [LOST]: known } = node as Json
    isFound ||= known !== undefined
    const isOurs = typeof ref === 'string' && (isWhole || ref.startsWith('#'))
    if (isOurs && targetOf(document, ref) === undefined) {
      isFound = true
      for (const key of Object.keys(node)) delete (node as Json)[key]
      Object.assign(
        node,
        /^#\/paths\/[^/]*$/.test(pointer) ? lostItem(ref) : { [LOST]: ref, description: '' },
      )
      continue
    }
    for (const [key, part] of Object.entries(node)) {
      open.push([part, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`])
    }
  }
  return isFound ? new Lost(document) : undefined
}

function lostItem(ref: string): Json {
  const operation = () => ({ [LOST]: ref, responses: { 200: { description: '' } } })
  return Object.fromEntries(METHODS.map((method) => [method, operation()]))
}

/** What a reference leads to, at the end of a chain of them; undefined if it leads nowhere. */
function targetOf(document: Json, ref: string, depth = 0): unknown {
  if (!ref.startsWith('#') || depth > LONGEST_CHAIN) return undefined
  const followed = (node: unknown) => {
    const { $ref } = object(node)
    return typeof $ref === 'string' ? targetOf(document, $ref, depth + 1) : node
  }
  let at: unknown = document
  for (const step of stepsOf(ref)) {
    const node = followed(at)
    if (typeof node !== 'object' || node === null) return undefined
    at = (node as Json)[step]
  }
  return followed(at)
}

/** The steps of a pointer; one that no document has if it is malformed. */
function stepsOf(ref: string): string[] {
  try {
    const [, ...steps] = decodeURIComponent(ref.slice(1)).split('/')
    return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return [ref]
  }
}

/** Finds what the parts of a marked document lack. */
export class Lost {
  readonly #document: Json

  constructor(document: Json) {
    this.#document = document
  }

  /** Why no request of an operation can be served; undefined if they can. */
  ofRequest(path: string, method: string): string | undefined {
    const item = this.#at(object(this.#document.paths)[path])
    const operation = this.#at(item[method])
    const { responses: _, callbacks: __, ...rest } = operation
    return this.#first(rest, item.parameters)
  }

  /** Why responses of an operation cannot be made, by their codes. */
  ofResponses(path: string, method: string): Record<string, string> {
    const item = this.#at(object(this.#document.paths)[path])
    const { responses } = this.#at(item[method])
    return Object.fromEntries(
      Object.entries(object(responses)).flatMap(([code, response]) => {
        const reason = this.#first(response)
        return reason === undefined ? [] : [[code, reason]]
      }),
    )
  }

  #at(node: unknown): Json {
    const { $ref } = object(node)
    return typeof $ref === 'string' ? object(targetOf(this.#document, $ref)) : object(node)
  }

  /** The first reference on the way through some parts that leads nowhere, in words. */
  #first(...parts: unknown[]): string | undefined {
    const seen = new Set<object>()
    while (parts.length > 0) {
      const node = parts.pop()
      if (typeof node !== 'object' || node === null || seen.has(node)) continue
      seen.add(node)
      const { [LOST]: ref, $ref } = node as Json
      if (typeof ref === 'string') return `the reference ${ref} leads nowhere`
      if (typeof $ref === 'string') parts.push(targetOf(this.#document, $ref))
      for (const part of Object.values(node)) parts.push(part)
    }
    return undefined
  }
}
