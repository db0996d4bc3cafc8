/** The parts of a contract that some data shows. */
import type { Side } from '@support-chat/scripts/changes'
import { object } from '../contract/document.ts'

/** A value at a part of the contract. */
export interface Seen {
  value: unknown
  /** Where it is in the body, as a JSON pointer. */
  at: string
}

/** By JSON pointers into the document. */
export type Evidence = Map<string, Seen[]>

type Json = Record<string, unknown>

/** How many references may follow each other. */
const MAX_HOPS = 50

/**
 * Follows a value through its schema.
 *
 * @param pointer Of a request body, a response or a webhook, or of a part that refers to one.
 */
export function evidenceOf(side: Side, pointer: string, value: unknown): Evidence {
  const evidence: Evidence = new Map()
  const note = (at: string, seen: Seen) => {
    const known = evidence.get(at)
    if (known) known.push(seen)
    else evidence.set(at, [seen])
  }
  const part = side.part(pointer)
  for (const one of new Set([pointer, part.pointer])) note(one, { value, at: '' })
  for (const type of Object.keys(object(part.node.content))) {
    visit(`${part.pointer}/content/${escaped(type)}/schema`, value, '', 0)
  }
  return evidence

  function visit(pointer: string, value: unknown, at: string, hops: number): void {
    const node = object(side.at(pointer))
    note(pointer, { value, at })
    if (hops > MAX_HOPS) return
    if (typeof node.$ref === 'string') visit(node.$ref.slice(1), value, at, hops + 1)
    for (const index of listOf(node.allOf).keys()) {
      visit(`${pointer}/allOf/${index}`, value, at, hops + 1)
    }
    for (const variant of variantsOf(side, pointer, node, value))
      visit(variant, value, at, hops + 1)
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        visit(`${pointer}/items`, item, `${at}/${index}`, 0)
    } else if (typeof value === 'object' && value !== null) {
      visitFields(pointer, node, value as Json, at)
    }
  }

  function visitFields(pointer: string, node: Json, value: Json, at: string): void {
    const properties = object(node.properties)
    for (const [name, field] of Object.entries(value)) {
      const where = `${at}/${escaped(name)}`
      if (Object.hasOwn(properties, name)) {
        visit(`${pointer}/properties/${escaped(name)}`, field, where, 0)
      } else if (typeof node.additionalProperties === 'object') {
        visit(`${pointer}/additionalProperties`, field, where, 0)
      }
    }
  }
}

/** The variants of a union that a value may be. */
function variantsOf(side: Side, pointer: string, node: Json, value: unknown): string[] {
  const all = ['oneOf', 'anyOf'].flatMap((keyword) =>
    listOf(node[keyword]).map((_, index) => `${pointer}/${keyword}/${index}`),
  )
  const tagged = object(node.discriminator)
  const target = object(tagged.mapping)[String(object(value)[String(tagged.propertyName)])]
  const byTag = all.filter((one) => target !== undefined && object(side.at(one)).$ref === target)
  if (byTag.length > 0) return byTag
  const likely = all.filter((one) => isLikely(side, one, value))
  return likely.length > 0 ? likely : all
}

/** Whether the outside of a value is as a schema says. */
function isLikely(side: Side, pointer: string, value: unknown): boolean {
  const { node } = side.part(pointer)
  const types = [node.type].flat().filter((type) => typeof type === 'string')
  if (types.length > 0 && !types.some((type) => TYPES[type]?.(value))) return false
  const fields = object(value)
  if (listOf(node.required).some((name) => !Object.hasOwn(fields, String(name)))) return false
  return Object.entries(object(node.properties)).every(([name, property]) => {
    const { const: only, enum: some } = object(property)
    const field = fields[name]
    if (field === undefined) return true
    return only !== undefined ? only === field : !Array.isArray(some) || some.includes(field)
  })
}

const TYPES: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

function listOf(node: unknown): unknown[] {
  return Array.isArray(node) ? node : []
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
