import { indexOf, type TypeIndex } from '../../model/index.ts'
import { idsOf, referencedBy, typesOf } from '../../model/reach.ts'
import type { Api, Body, Decl, Enum, Field, Model, TypeRef, Union } from '../../model/types.ts'
import { constant } from './naming.ts'

/** The declarations of a contract in Ruby: the constants and their content. */
export class Declarations {
  /** The declarations that become constants. One that is only the keywords of a method does not. */
  readonly constants: readonly Decl[]
  readonly #byId: ReadonlyMap<string, Decl>
  readonly #index: TypeIndex
  readonly #variants: ReadonlySet<string>

  constructor({ decls, operations, webhooks }: Api) {
    this.#index = indexOf(decls)
    this.#byId = new Map(
      decls.map((decl): [string, Decl] => [decl.id, { ...decl, id: constant(decl.id) }]),
    )
    const variants = decls.flatMap((decl) =>
      decl.kind === 'union' ? Object.values(decl.tag?.mapping ?? {}) : [],
    )
    this.#variants = new Set(variants.map(constant))
    const named = operations.flatMap((operation) => {
      const form = operation.body && this.form(operation.body)
      return typesOf({ ...operation, params: null, body: form ? null : operation.body })
    })
    const ids = [...named, ...webhooks.map(({ payload }) => payload)].flatMap(idsOf)
    const used = new Set([...ids, ...decls.flatMap(referencedBy)].map(constant))
    const keywords = new Set(
      operations.flatMap(({ params, body }) => {
        const form = body && this.form(body)
        return [params && constant(params), form?.id].filter((id) => !used.has(id ?? ''))
      }),
    )
    this.constants = [...this.#byId.values()].filter(
      (decl) => !keywords.has(decl.id) && this.#isConstant(decl),
    )
  }

  /** The object whose fields, and nothing else, a body holds; null where it has another form. */
  object({ type, required }: Body): Model | null {
    const model = this.target(type)
    if (model?.kind !== 'model' || this.isOpen(model)) return null
    const isWhole = required || this.fields(model).every(({ presence }) => presence === 'optional')
    return isWhole ? model : null
  }

  /** The same for a body that is a form, whose values need not be JSON. */
  form(body: Body): Model | null {
    return body.format === 'multipart' || body.format === 'urlencoded' ? this.object(body) : null
  }

  /** The declaration of the document's id; its own is that of its constant. */
  get(id: string): Decl {
    const decl = this.#byId.get(id)
    if (!decl) throw new Error(`There is no declaration ${id}`)
    return decl
  }

  /**
   * A type without the names that Ruby has no constant for: aliases give way to their types, and
   * objects without fields to maps. One that names only itself is any JSON.
   */
  resolve(type: TypeRef): TypeRef {
    const seen = new Set<string>()
    let current = type
    while (current.kind === 'ref') {
      const decl = this.get(current.id)
      if (seen.has(decl.id)) return { kind: 'primitive', type: 'any' }
      seen.add(decl.id)
      if (decl.kind === 'alias') current = decl.type
      else if (decl.kind === 'model' && this.#isMap(decl)) {
        return { kind: 'map', of: decl.extra ?? { kind: 'primitive', type: 'any' } }
      } else break
    }
    return current
  }

  /** The declaration that a type stands for, if it has one. */
  target(type: TypeRef): Model | Enum | Union | null {
    const resolved = this.resolve(type)
    const decl = resolved.kind === 'ref' ? this.get(resolved.id) : null
    return decl?.kind === 'alias' ? null : decl
  }

  /** All fields of a model, inherited ones first. */
  fields(model: Model): Field[] {
    return this.#index.fields(model)
  }

  /** Whether it may hold more than its fields. */
  isOpen(model: Model): boolean {
    return this.#index.extra(model) !== null
  }

  #isMap(model: Model): boolean {
    return model.extra !== null && !this.#variants.has(model.id) && this.fields(model).length === 0
  }

  #isConstant(decl: Decl): boolean {
    if (decl.kind === 'model') return !this.#isMap(decl)
    if (decl.kind !== 'alias') return true
    return this.target(decl.type) !== null
  }
}
