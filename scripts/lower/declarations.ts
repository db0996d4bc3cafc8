import type { Json } from '../contract/json.ts'
import { TypeIndex } from '../model/index.ts'
import type { Decl, Field, Model, Name, TypeRef, Union } from '../model/types.ts'
import { fold, pascal, words } from '../model/words.ts'
import type { Context } from './context.ts'
import { Inheritance } from './inheritance.ts'
import { tagOf } from './unions.ts'

/** No honest document inherits deeper; one that inherits from itself ends here. */
const MAX_DEPTH = 20

/** All named types. No two of them may be called alike in any language. */
export class Declarations {
  readonly index = new TypeIndex((id) => this.#decls.get(id))
  readonly inheritance = new Inheritance(this.index)
  readonly #context: Context
  readonly #decls = new Map<string, Decl>()
  /** Which node took a name, by the name without case and punctuation. */
  readonly #taken = new Map<string, object>()
  readonly #ids = new Map<string, string>()
  readonly #later: Array<() => void> = []

  constructor(context: Context) {
    this.#context = context
  }

  /** Sorted by id. */
  all(): Decl[] {
    return [...this.#decls.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  }

  /** The id of a schema by its key in the document. */
  idOf(key: string): string {
    return this.#ids.get(key) ?? pascal(words(key))
  }

  /** Gives a schema of the document its name before inline ones are named. */
  reserve(key: string, schema: unknown, name: Name): void {
    this.#ids.set(key, pascal(name))
    if (typeof schema === 'object' && schema !== null) this.#claim(name, schema)
  }

  add(decl: Decl, node: object): void {
    if (this.#claim(decl.name, node)) this.#decls.set(decl.id, decl)
  }

  /** Only objects have fields that others can inherit. */
  checkBases(model: Model, node: object): void {
    const { owner } = this.#context
    this.#later.push(() => {
      if (this.index.bases(model).length === model.extends.length) return
      this.#context.owner = owner
      const fix = 'Use only objects in allOf'
      this.#context.unsupported(node, undefined, 'allOf holds something other than objects', fix)
      this.#context.owner = null
    })
  }

  /** Whether a value holds more than can be written as one text, or a list of such. */
  isStructured(type: TypeRef, depth = 0): boolean {
    if (type.kind === 'map') return true
    if ('of' in type) return this.isStructured(type.of, depth + 1)
    const decl = type.kind === 'ref' && depth < MAX_DEPTH ? this.index.decl(type.id) : undefined
    if (decl?.kind === 'alias') return this.isStructured(decl.type, depth + 1)
    if (decl?.kind === 'union') {
      return decl.variants.some((variant) => this.isStructured(variant, depth + 1))
    }
    return decl?.kind === 'model'
  }

  /** Finds what distinguishes a union's variants once all declarations are known. */
  tagLater(union: Union, schema: Json, keys: ReadonlyArray<string | null>): void {
    const { owner } = this.#context
    this.#later.push(() => {
      union.tag = tagOf(union, schema, keys, this.index, (key) => this.idOf(key))
      this.#refuseForeign(union, schema, owner)
    })
  }

  /** A value of a tag that stands for no variant would be read as something that the union is not. */
  #refuseForeign(union: Union, schema: Json, owner: string | null): void {
    const ids = union.variants.map((variant) => (variant.kind === 'ref' ? variant.id : null))
    for (const [value, id] of Object.entries(union.tag?.mapping ?? {})) {
      if (ids.includes(id)) continue
      this.#context.owner = owner
      const message = `the discriminator maps "${value}" to a schema that is not a variant of the union`
      const fix = 'Map it to a schema in oneOf or anyOf'
      this.#context.unsupported(schema, 'discriminator', message, fix)
      this.#context.owner = null
    }
  }

  /** Settles what depends on other declarations. */
  finish(): void {
    this.inheritance.settle()
    for (const step of this.#later.splice(0)) step()
    this.#closeTags()
  }

  /**
   * A variant that stands for one value of a union's tag has that value, also where the document
   * types the field as any string.
   */
  #closeTags(): void {
    const values = new Map<string, Array<{ property: string; value: string }>>()
    for (const decl of this.#decls.values()) {
      if (decl.kind !== 'union' || !decl.tag) continue
      const { property, mapping } = decl.tag
      for (const [value, id] of Object.entries(mapping)) {
        const known = values.get(id) ?? []
        if (known.some((one) => one.property === property && one.value === value)) continue
        values.set(id, [...known, { property, value }])
      }
    }
    for (const [id, [tag, ...others]] of values) {
      const decl = this.index.decl(id)
      if (!tag || others.length > 0 || decl?.kind !== 'model') continue
      const field = this.index.fields(decl).find(({ wire }) => wire === tag.property)
      if (!field || field.type.kind === 'literal') continue
      const type: TypeRef = { kind: 'literal', value: tag.value }
      const closed: Field = { ...field, type, presence: 'required' }
      decl.fields = [closed, ...decl.fields.filter(({ wire }) => wire !== tag.property)]
    }
  }

  #claim(name: Name, node: object): boolean {
    const key = fold(name)
    if (!/^\p{L}/u.test(pascal(name))) {
      const message = `"${pascal(name)}" cannot be the name of a type`
      this.#context.unsupported(node, undefined, message, 'Choose another name with x-sdk-name')
      return false
    }
    const owner = this.#taken.get(key)
    if (owner === undefined || owner === node) {
      this.#taken.set(key, node)
      return true
    }
    const { file, line, column } = this.#context.location(owner)
    this.#context.unsupported(
      node,
      undefined,
      `two types would be named ${pascal(name)}: this one and the one at ${file}:${line}:${column}`,
      'Rename one of them with x-sdk-name, in the document or in an --overlay',
    )
    return false
  }
}
