import { indexOf, TypeIndex } from '../../model/index.ts'
import type {
  Alias,
  Api,
  Enum,
  Field,
  Model,
  Primitive,
  TypeRef,
  Union,
} from '../../model/types.ts'
import type { GoFile } from './file.ts'
import { typeNames } from './naming.ts'

const PRIMITIVES: Readonly<Record<Primitive, string>> = {
  string: 'string',
  integer: 'int64',
  int64: 'int64',
  number: 'float64',
  boolean: 'bool',
  date: 'string',
  'date-time': 'time.Time',
  base64: '[]byte',
  binary: 'File',
  null: 'any',
  any: 'any',
}

/** A union of models with a discriminator. */
export interface TaggedUnion {
  property: string
  variants: Model[]
  /** By the value of the field. */
  mapping: ReadonlyMap<string, Model>
}

/**
 * The types of an API, and how Go writes a use of one:
 *
 * | of the document | in Go |
 * |---|---|
 * | a day | `string`, as it came: Go has no type for it |
 * | base64 | `[]byte`, decoded |
 * | any integer | `int64` |
 * | any JSON, null | `any`, its numbers as `json.Number` |
 * | bytes | `File` in a form, `[]byte` as a whole body or response |
 * | nullable | a pointer, unless the type can be nil |
 * | a union with a tag | an interface that its variants implement, by value |
 * | a union without | a struct that holds one of them; a method reads it as a variant |
 * | another name | an alias, or a defined type if it contains itself |
 */
export class Types extends TypeIndex {
  readonly #names: ReadonlyMap<string, string>

  constructor(api: Api) {
    super(indexOf(api.decls).decl)
    this.#names = typeNames(api)
  }

  /** The enum of which an alias is the old name. */
  renamedEnum({ isOldName, type }: Alias): Enum | null {
    const target = isOldName ? this.target(type) : undefined
    return target?.kind === 'enum' ? target : null
  }

  /** The name of a declaration. */
  name(id: string): string {
    const name = this.#names.get(id)
    if (name === undefined) throw new Error(`The model has no type ${id}`)
    return name
  }

  /** A use of a type, with its imports. */
  text(type: TypeRef, file: GoFile): string {
    switch (type.kind) {
      case 'primitive':
      case 'literal':
        if (isPrimitive(type, 'date-time')) file.use('time')
        return scalarType(type)
      case 'list':
        return `[]${this.text(type.of, file)}`
      case 'map':
        return `map[string]${this.text(type.of, file)}`
      case 'nullable':
        return `${this.holdsNull(type.of) ? '' : '*'}${this.text(type.of, file)}`
      case 'ref':
        return this.name(type.id)
    }
  }

  /** A whole body or response, where bytes are no file. */
  content(type: TypeRef, file: GoFile): string {
    return isPrimitive(type, 'binary') ? '[]byte' : this.text(type, file)
  }

  /** A use of a type in a comment, as a link where it is of this package. */
  linked(type: TypeRef, file: GoFile): string {
    const text = this.text(type, file)
    return type.kind === 'ref' ? `[${text}]` : text
  }

  /** The result type of a method: a pointer to a model, any other type as it is. */
  result(type: TypeRef, file: GoFile): string {
    return `${this.model(type) ? '*' : ''}${this.content(type, file)}`
  }

  /** Whether nil is a value of the Go type by itself. */
  holdsNull(type: TypeRef): boolean {
    const resolved = this.resolve(type)
    const isNilable = ['list', 'map', 'nullable'].includes(resolved.kind)
    return isNilable || isPrimitive(resolved, 'base64') || this.isInterface(type)
  }

  isInterface(type: TypeRef): boolean {
    const resolved = this.resolve(type)
    const decl = this.target(resolved)
    if (decl) return decl.kind === 'union' && this.tagged(decl) !== null
    return isPrimitive(resolved, 'any') || isPrimitive(resolved, 'null')
  }

  isPointer(type: TypeRef): boolean {
    const resolved = this.resolve(type)
    return resolved.kind === 'nullable' && !this.holdsNull(resolved.of)
  }

  /** The union as an interface; null if it has no discriminator. */
  tagged(union: Union): TaggedUnion | null {
    const mapping = this.#mapping(union, new Set())
    if (!union.tag || !mapping) return null
    const variants = union.variants.flatMap((variant) => this.#models(variant))
    return {
      property: union.tag.property,
      variants: [...new Set([...variants, ...mapping.values()])],
      mapping,
    }
  }

  /** Whether a model holds itself by the values of its fields, which Go has no room for. */
  isRecursive(model: Model, through: TypeRef): boolean {
    const seen = new Set<Model>()
    const pending = [through]
    for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
      const next = this.model(type)
      if (next === model) return true
      if (!next || seen.has(next)) continue
      seen.add(next)
      pending.push(
        ...this.fields(next)
          .filter(isRequired)
          .map(({ type }) => type),
      )
    }
    return false
  }

  /** Whether an alias contains itself, so that it needs a defined type. */
  containsItself({ id, type }: Alias): boolean {
    const seen = new Set<string>()
    let inner: TypeRef = type
    for (;;) {
      while ('of' in inner) inner = inner.of
      const decl = inner.kind === 'ref' ? this.decl(inner.id) : undefined
      if (decl?.kind !== 'alias' || seen.has(decl.id)) return false
      if (decl.id === id) return true
      seen.add(decl.id)
      inner = decl.type
    }
  }

  /** Models by the value of the tag, those of unions inside it included; null where it cannot be. */
  #mapping(union: Union, seen: Set<string>): Map<string, Model> | null {
    if (!union.tag || seen.has(union.id)) return null
    seen.add(union.id)
    const mapping = new Map<string, Model>()
    for (const variant of union.variants) {
      const decl = this.target(variant)
      if (decl?.kind === 'model') continue
      const inner = decl?.kind === 'union' ? this.#mapping(decl, seen) : null
      if (decl?.kind !== 'union' || !inner || decl.tag?.property !== union.tag.property) return null
      for (const [value, model] of inner) mapping.set(value, model)
    }
    for (const [value, id] of Object.entries(union.tag.mapping)) {
      const model = this.model({ kind: 'ref', id })
      if (model) mapping.set(value, model)
    }
    return mapping
  }

  #models(type: TypeRef): Model[] {
    const decl = this.target(type)
    if (decl?.kind === 'union') return decl.variants.flatMap((variant) => this.#models(variant))
    return decl?.kind === 'model' ? [decl] : []
  }
}

/** The type of a primitive or a literal. */
export function scalarType(type: TypeRef & { kind: 'primitive' | 'literal' }): string {
  return type.kind === 'primitive' ? PRIMITIVES[type.type] : literalType(type.value)
}

/** The type of a constant. */
export function literalType(value: string | number | boolean): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

export function isPrimitive(type: TypeRef, primitive: Primitive): boolean {
  return type.kind === 'primitive' && type.type === primitive
}

export function isRequired({ presence }: Field): boolean {
  return presence === 'required'
}
