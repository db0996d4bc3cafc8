import type { Api, Decl, Enum, Field, Model, TypeRef, Union } from '../../model/types.ts'

/** The declarations of a contract as Ruby has them: which are constants, and what they hold. */
export class Declarations {
  /** Those that become constants; parameters of an operation are keywords of its method. */
  readonly constants: readonly Decl[]
  readonly #byId: ReadonlyMap<string, Decl>
  readonly #variants: ReadonlySet<string>

  constructor({ decls, operations }: Api) {
    const params = new Set(operations.map((operation) => operation.params))
    this.#byId = new Map(decls.map((decl) => [decl.id, decl]))
    this.#variants = new Set(
      decls.flatMap((decl) =>
        decl.kind === 'union' ? Object.values(decl.tag?.mapping ?? {}) : [],
      ),
    )
    this.constants = decls.filter((decl) => !params.has(decl.id) && this.#isConstant(decl))
  }

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

  /** All fields of a model, inherited ones first; its own replace those of the same name. */
  fields(model: Model): Field[] {
    return [...this.#collect(model, new Set()).values()]
  }

  #collect(model: Model, seen: Set<string>): Map<string, Field> {
    const fields = new Map<string, Field>()
    if (seen.has(model.id)) return fields
    seen.add(model.id)
    for (const id of model.extends) {
      const base = this.target({ kind: 'ref', id })
      if (base?.kind !== 'model') continue
      for (const [wire, field] of this.#collect(base, new Set(seen))) fields.set(wire, field)
    }
    for (const field of model.fields) fields.set(field.wire, field)
    return fields
  }

  #isMap(model: Model): boolean {
    return model.extra !== null && !this.#variants.has(model.id) && this.fields(model).length === 0
  }

  #isConstant(decl: Decl): boolean {
    if (decl.kind === 'model') return !this.#isMap(decl)
    if (decl.kind !== 'alias') return true
    const kind = this.target(decl.type)?.kind
    return kind === 'model' || kind === 'union'
  }
}
