import type { TypeIndex } from '../../model/index.ts'
import type { Decl, Primitive, TypeRef } from '../../model/types.ts'

/** The placeholders for values without an example in the contract. */
export const PLACEHOLDERS: Readonly<Record<Primitive, unknown>> = {
  string: 'text',
  integer: 1,
  int64: 1,
  number: 1,
  boolean: true,
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
  base64: 'AA==',
  binary: '',
  null: null,
  any: {},
}

/** Makes values by their types, where the document shows none. */
export class Shaper {
  readonly #index: TypeIndex

  constructor(index: TypeIndex) {
    this.#index = index
  }

  /** The least that is valid. */
  make(type: TypeRef, within: readonly string[] = []): unknown {
    switch (type.kind) {
      case 'primitive':
        return PLACEHOLDERS[type.type]
      case 'literal':
        return type.value
      case 'list':
        return []
      case 'map':
        return {}
      case 'nullable':
        return within.length > 1 ? null : this.make(type.of, within)
      case 'ref':
        return this.#makeDecl(this.#index.decl(type.id), within)
    }
  }

  #makeDecl(decl: Decl | undefined, within: readonly string[]): unknown {
    if (!decl || within.includes(decl.id)) return null
    const inside = [...within, decl.id]
    if (decl.example !== undefined) return decl.example
    switch (decl.kind) {
      case 'enum':
        return decl.values[0]
      case 'alias':
        return this.make(decl.type, inside)
      case 'union':
        return decl.variants[0] ? this.make(decl.variants[0], inside) : null
      case 'model': {
        const needed = this.#index.fields(decl).filter(({ presence }) => presence === 'required')
        return Object.fromEntries(needed.map(({ wire, type }) => [wire, this.make(type, inside)]))
      }
    }
  }
}
