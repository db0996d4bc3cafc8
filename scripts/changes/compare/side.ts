import { isObject, type Json, keysOf, list, object, pointerOf } from '../../contract/json.ts'
import { current, indexOf, type TypeIndex } from '../../model/index.ts'
import { idsOf, referencedBy } from '../../model/reach.ts'
import type { Api, Decl, Field, Operation, Response } from '../../model/types.ts'
import type { Revision } from '../revision.ts'

/** The way that data travels. Bodies of errors and of events are apart from those of successes. */
export type Direction = 'request' | 'response' | 'error' | 'event'

export type In = 'path' | 'query' | 'header'

/** A part of a document, after references. */
export interface Part {
  pointer: string
  node: Json
}

/** One of the two revisions, with what the comparison looks up in it. */
export class Side {
  /** Its operations are those of the document. */
  readonly api: Api
  /** The methods that have another name now, under their old ones. */
  readonly former: readonly Operation[]
  readonly document: Json
  readonly index: TypeIndex
  readonly #owners = new Map<Field, Decl>()
  /** What was looked up, by pointer. */
  readonly #nodes = new Map<string, unknown>()
  #users: { above: Map<string, string[]>; direct: Map<string, string[]> } | null = null

  constructor({ api, contract }: Pick<Revision, 'api' | 'contract'>) {
    this.api = { ...api, operations: current(api.operations) }
    this.former = api.operations.filter(({ successor }) => successor !== null)
    this.document = contract.document
    this.index = indexOf(api.decls)
    for (const decl of api.decls) {
      if (decl.kind === 'model') for (const field of decl.fields) this.#owners.set(field, decl)
    }
  }

  /** The declaration that describes a field, which others may inherit. */
  ownerOf(field: Field): Decl | undefined {
    return this.#owners.get(field)
  }

  /** What stands at a JSON pointer; undefined where nothing does. */
  at(pointer: string): unknown {
    if (pointer === '') return this.document
    const known = this.#nodes.get(pointer)
    if (known !== undefined) return known
    const end = pointer.lastIndexOf('/')
    const [key = ''] = keysOf(pointer.slice(end))
    const above = this.at(pointer.slice(0, end))
    const node = typeof above === 'object' && above !== null ? (above as Json)[key] : undefined
    this.#nodes.set(pointer, node)
    return node
  }

  /** What stands at a JSON pointer, through references. */
  part(pointer: string): Part {
    let part: Part = { pointer, node: object(this.at(pointer)) }
    for (let hops = 0; typeof part.node.$ref === 'string' && hops < 50; hops++) {
      const target = part.node.$ref.slice(1)
      part = { pointer: target, node: object(this.at(target)) }
    }
    return part
  }

  /** A parameter of an operation, described there or at its path. */
  parameter({ pointer }: Operation, location: In, wire: string): Part {
    const lists = [pointer, pointer.slice(0, pointer.lastIndexOf('/'))]
    for (const at of lists) {
      for (const index of list(object(this.at(at)).parameters).keys()) {
        const part = this.part(`${at}/parameters/${index}`)
        if (part.node.in === location && part.node.name === wire) return part
      }
    }
    return { pointer: `${pointer}/parameters`, node: {} }
  }

  response({ pointer }: Operation, { status }: Response): Part {
    return this.part(`${pointer}/responses/${status}`)
  }

  requestBody({ pointer }: Operation): Part {
    return this.part(`${pointer}/requestBody`)
  }

  /** Whether an object is the whole body of a request. */
  isBody(decl: Decl): boolean {
    return this.api.operations.some(({ body }) => body && this.index.target(body.type) === decl)
  }

  /** Whether a part or something around it is an assumption. */
  isAssumed(pointer: string): boolean {
    const keys = keysOf(pointer)
    return keys.some((_, depth) => {
      const node = this.at(pointerOf(keys.slice(0, keys.length - depth)))
      return isObject(node) && typeof node['x-assumed'] === 'string'
    })
  }

  /** The operations and events in which a declaration travels. */
  usersOf(id: string, direction: Direction): string[] {
    this.#users ??= this.#findUsers()
    const { above, direct } = this.#users
    const seen = new Set<string>()
    const found = new Set<string>()
    const pending = [id]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      for (const user of direct.get(`${direction} ${next}`) ?? []) found.add(user)
      pending.push(...(above.get(next) ?? []))
    }
    return [...found].sort()
  }

  #findUsers() {
    const above = new Map<string, string[]>()
    const direct = new Map<string, string[]>()
    const add = (map: Map<string, string[]>, key: string, value: string) => {
      const known = map.get(key)
      if (known) known.push(value)
      else map.set(key, [value])
    }
    for (const decl of this.api.decls) {
      for (const id of referencedBy(decl)) add(above, id, decl.id)
    }
    for (const operation of this.api.operations) {
      const { pathParams, queryParams, headerParams, body, responses, id } = operation
      const sent = [...pathParams, ...queryParams, ...headerParams, ...(body ? [body] : [])]
      for (const { type } of sent)
        for (const used of idsOf(type)) add(direct, `request ${used}`, id)
      for (const response of responses) {
        const direction = isError(response, operation) ? 'error' : 'response'
        for (const used of response.body ? idsOf(response.body.type) : []) {
          add(direct, `${direction} ${used}`, id)
        }
      }
    }
    for (const { event, payload } of this.api.webhooks) {
      for (const used of idsOf(payload)) add(direct, `event ${used}`, `webhook ${event}`)
    }
    return { above, direct }
  }
}

/** Whether a response is that of a failure. The only response that there is may be a default one. */
export function isError({ status }: Response, { responses }: Operation): boolean {
  if (status === 'default') return responses.some(({ status }) => status.startsWith('2'))
  return !/^[23]/.test(status)
}
