import {
  isObject,
  isRounded,
  type Json,
  object,
  pointerOf,
  sortedEntries,
  sortKeys,
} from '../contract/json.ts'
import type { Decl, Field, Model, Name, TypeRef } from '../model/types.ts'
import { words } from '../model/words.ts'
import { isMarked, type Part, type Path } from './composition.ts'
import { type Context, docOf } from './context.ts'
import type { Declarations } from './declarations.ts'
import { isConstraint } from './primitives.ts'

/** The properties of all declarations. */
export type Base = Pick<Decl, 'id' | 'name' | 'doc' | 'pointer' | 'example'>

/** Gives the type of a schema at some location. */
type Use = (schema: unknown, name: Name, path: Path) => TypeRef

/** Makes objects from the parts of schemas. */
export class Models {
  readonly #context: Context
  readonly #declarations: Declarations
  readonly #use: Use

  constructor(context: Context, declarations: Declarations, use: Use) {
    this.#context = context
    this.#declarations = declarations
    this.#use = use
  }

  /** @param parts References to other objects, and schemas with fields. */
  make(parts: readonly Part[], name: Name, required: readonly string[]): (base: Base) => Model {
    const bases: string[] = []
    const described = new Map<string, Part[]>()
    let extra: TypeRef | null = null
    for (const { schema, path } of parts) {
      if (typeof schema.$ref === 'string') {
        const type = this.#use(schema, name, path)
        if (type.kind === 'ref') bases.push(type.id)
        continue
      }
      this.#refusePatterns(schema)
      extra = this.#extraOf(schema, name, path) ?? extra
      for (const [wire, property] of sortedEntries(schema.properties)) {
        if (property === false) continue
        const part = { schema: object(property), path: [...path, 'properties', wire] }
        described.set(wire, [...(described.get(wire) ?? []), part])
      }
    }
    const fields = new Map(
      [...described].map(([wire, parts]) => [wire, this.#field(wire, parts, name)]),
    )
    const order = [...new Set(required)]
    const sorted = [
      ...order.flatMap((wire) => fields.get(wire) ?? []),
      ...[...fields.values()].filter(({ wire }) => !order.includes(wire)),
    ]
    const untyped = new Set(
      [...described]
        .filter(([, all]) => all.every(({ schema }) => isConstraint(schema)))
        .map(([wire]) => wire),
    )
    return (base) => {
      const model: Model = { ...base, kind: 'model', extends: bases, fields: sorted, extra }
      this.#declarations.inheritance.add(model, { required: order, untyped })
      const [first] = parts
      if (first) this.#declarations.checkBases(model, first.schema)
      return model
    }
  }

  #extraOf(schema: Json, name: Name, path: Path): TypeRef | null {
    const keyword = ['additionalProperties', 'unevaluatedProperties'].find(
      (key) => isObject(schema[key]) || schema[key] === true,
    )
    return keyword ? this.#use(schema[keyword], [...name, 'Value'], [...path, keyword]) : null
  }

  #refusePatterns(schema: Json): void {
    if (!('patternProperties' in schema)) return
    const fix = 'Describe these fields with "additionalProperties"'
    this.#context.unsupported(
      schema,
      'patternProperties',
      'patternProperties describes fields of different types',
      fix,
    )
  }

  /** @param parts All that describe the field, in one schema or in several of an allOf. */
  #field(wire: string, parts: readonly Part[], owner: Name): Field {
    const [first] = parts
    const node = Object.assign({}, ...parts.map(({ schema }) => schema)) as Json
    const own = node['x-sdk-name']
    const old = node['x-renamed-from']
    const name = words(typeof own === 'string' ? own : wire)
    const path = first?.path ?? []
    const schema = parts.length === 1 ? first?.schema : { allOf: parts.map(({ schema }) => schema) }
    const type = this.#use(schema, [...owner, ...name], path)
    if (isRounded(node.default)) {
      const message = 'a default is too large to be read exactly'
      this.#context.unsupported(first?.schema ?? node, 'default', message, 'Use a string')
    }
    // The target of a reference has its own description. This one describes the field.
    return {
      wire,
      name,
      type,
      presence: 'optional',
      mayBeAbsent: true,
      direction: this.#directionOf(parts),
      ...('default' in node ? { default: sortKeys(node.default) } : {}),
      ...(typeof old === 'string' ? { oldName: { wire: old, name: words(old) } } : {}),
      doc: docOf(node),
      pointer: pointerOf(path),
    }
  }

  #directionOf(parts: readonly Part[]): Field['direction'] {
    const has = (mark: string) => parts.some(({ schema }) => isMarked(schema, mark, this.#context))
    if (has('readOnly')) return 'read'
    return has('writeOnly') ? 'write' : 'both'
  }
}
