import type { TypeIndex } from '../model/index.ts'
import type { Field, Model } from '../model/types.ts'

/** The constraints of a schema on fields that it does not describe. */
export interface Stated {
  /** All that it requires, also where it does not describe them. */
  required: readonly string[]
  /** Fields of which it says nothing that makes a type: they have the inherited one. */
  untyped: ReadonlySet<string>
}

/**
 * Settles the fields that models inherit. `allOf` is a conjunction: what one member requires is
 * required, null is a value only where no member forbids it, and a field that one member calls
 * read-only is read-only. A field that comes out other than a model inherits it becomes one of the
 * model's own, so that nothing later needs to combine fields again.
 */
export class Inheritance {
  readonly #index: TypeIndex
  readonly #stated = new Map<Model, Stated>()
  /** The required fields of the settled models, inherited ones included. */
  readonly #required = new Map<Model, ReadonlySet<string>>()

  constructor(index: TypeIndex) {
    this.#index = index
  }

  add(model: Model, stated: Stated): void {
    this.#stated.set(model, stated)
  }

  /** Settles the models added since the last time, bases before the models that inherit from them. */
  settle(): void {
    for (const model of this.#stated.keys()) this.#settle(model)
  }

  #settle(model: Model): ReadonlySet<string> {
    const known = this.#required.get(model)
    if (known) return known
    const { required, untyped } = this.#stated.get(model) ?? { required: [], untyped: new Set() }
    const all = new Set(required)
    // Entered first, for a model that inherits from itself.
    this.#required.set(model, all)
    const inherited = new Map<string, Field[]>()
    for (const base of this.#index.bases(model)) {
      for (const wire of this.#settle(base)) all.add(wire)
      for (const field of this.#index.fields(base)) {
        inherited.set(field.wire, [...(inherited.get(field.wire) ?? []), field])
      }
    }
    const own = model.fields.map((field) =>
      this.#conjunction(inherited.get(field.wire) ?? [], field, {
        isRequired: all.has(field.wire),
        isTyped: !untyped.has(field.wire),
      }),
    )
    const names = new Set(own.map(({ wire }) => wire))
    const others = [...new Set([...required, ...inherited.keys()])].flatMap((wire) => {
      const described = names.has(wire) ? [] : (inherited.get(wire) ?? [])
      const last = described.at(-1)
      if (!last) return []
      const settled = this.#conjunction(described.slice(0, -1), last, {
        isRequired: all.has(wire),
        isTyped: true,
      })
      return isSame(settled, last) ? [] : [settled]
    })
    model.fields = [...own, ...others]
    return all
  }

  /** A field that several members of an allOf describe, with the texts of the last one. */
  #conjunction(
    inherited: readonly Field[],
    last: Field,
    { isRequired, isTyped }: { isRequired: boolean; isTyped: boolean },
  ): Field {
    const all = [...inherited, last]
    const typed = isTyped || inherited.length === 0 ? all : inherited
    const { type } = typed.findLast(({ type }) => !isAny(type)) ?? last
    const isNullable = typed.every(({ type }) => this.#index.isNullable(type))
    return {
      ...last,
      type: isNullable ? type : this.#index.nonNull(type),
      presence:
        isRequired || all.some(({ presence }) => presence === 'required') ? 'required' : 'optional',
      direction: all.map(({ direction }) => direction).reduce(narrower),
    }
  }
}

/** A field that only responses hold is never sent. */
function narrower(a: Field['direction'], b: Field['direction']): Field['direction'] {
  if (a === 'both' || b === 'read') return b
  return a
}

function isAny(type: Field['type']): boolean {
  return type.kind === 'primitive' && type.type === 'any'
}

function isSame(a: Field, b: Field): boolean {
  const factsOf = ({ type, presence, direction }: Field) =>
    JSON.stringify([type, presence, direction])
  return factsOf(a) === factsOf(b)
}
