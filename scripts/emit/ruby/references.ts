import type { Api, Primitive, TypeRef } from '../../model/types.ts'
import { Declarations } from './declarations.ts'
import { literal } from './literal.ts'
import { signatureType } from './naming.ts'

/**
 * A primitive type: in a union, in YARD, in RBS; and as the runtime reads it, where it does. base64
 * stays the text that JSON holds.
 */
interface Forms {
  matched: string
  yard: string
  rbs: string
  read?: string
}

const TEXT: Forms = { matched: '::String', yard: 'String', rbs: '::String' }
const INTEGER: Forms = { matched: '::Integer', yard: 'Integer', rbs: '::Integer' }
const NUMBER: Forms = { matched: '::Numeric', yard: 'Numeric', rbs: '::Numeric' }
const BOOLEAN: Forms = { matched: '::TrueClass', yard: 'Boolean', rbs: 'bool' }

const PRIMITIVES: Readonly<Record<Primitive, Forms>> = {
  string: TEXT,
  base64: TEXT,
  binary: TEXT,
  integer: INTEGER,
  int64: INTEGER,
  number: NUMBER,
  boolean: BOOLEAN,
  date: { matched: '::Date', yard: 'Date', rbs: '::Date', read: '::Date' },
  'date-time': { matched: '::Time', yard: 'Time', rbs: '::Time', read: '::Time' },
  null: { matched: '::NilClass', yard: 'nil', rbs: 'nil' },
  any: { matched: 'nil', yard: 'Object', rbs: 'untyped' },
}

const ENUMS = { string: TEXT, integer: INTEGER, number: NUMBER } as const

/** The forms of the values that an enum has. */
export function enumForms(base: keyof typeof ENUMS): Forms {
  return ENUMS[base]
}

/** The types that a caller may give for any model. */
const HASH = 'Hash'

/** The maximum depth of lists and maps. A deeper type is an alias that contains itself. */
const MAX_DEPTH = 6

interface YardOptions {
  depth?: number
  /** The unions that the type is a part of. */
  within?: readonly string[]
  /** The types that a caller may give for bytes. */
  given?: readonly string[] | null
}

/** A type in each notation of the gem. */
export class References {
  readonly declarations: Declarations

  constructor(api: Api) {
    this.declarations = new Declarations(api)
  }

  /** The expression by which the runtime reads a type; null where it is read as JSON has it. */
  read(type: TypeRef, depth = 0): string | null {
    const resolved = this.#resolve(type, depth)
    switch (resolved.kind) {
      case 'primitive':
        return PRIMITIVES[resolved.type].read ?? null
      case 'literal':
        return null
      case 'list': {
        const of = this.read(resolved.of, depth + 1)
        return of && this.#listOf(of, resolved.of)
      }
      case 'map': {
        const of = this.read(resolved.of, depth + 1)
        return of && this.#mapOf(of, resolved.of)
      }
      case 'nullable':
        return this.read(resolved.of, depth + 1)
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        return decl.kind === 'enum' ? null : decl.id
      }
    }
  }

  /** The pattern that matches a variant of a union. */
  matched(type: TypeRef, depth = 0): string {
    const resolved = this.#resolve(type, depth)
    switch (resolved.kind) {
      case 'primitive':
        return PRIMITIVES[resolved.type].matched
      case 'literal':
        return literal(resolved.value)
      case 'list':
        return `[${this.matched(resolved.of, depth + 1)}]`
      case 'map':
        return `{ ::String => ${this.matched(resolved.of, depth + 1)} }`
      case 'nullable':
        return this.matched(resolved.of, depth + 1)
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        return decl.kind === 'enum' ? ENUMS[decl.base].matched : decl.id
      }
    }
  }

  /** The type of a field that is read as JSON has it, by the class of its value; null for any. */
  plain(type: TypeRef, depth = 0): string | null {
    const resolved = this.#resolve(type, depth)
    switch (resolved.kind) {
      case 'primitive':
        return resolved.type === 'any' ? null : PRIMITIVES[resolved.type].matched
      case 'literal':
        return literalForms(resolved.value).matched
      case 'list': {
        const of = this.plain(resolved.of, depth + 1)
        return of ? this.#listOf(of, resolved.of) : '::Array'
      }
      case 'map': {
        const of = this.plain(resolved.of, depth + 1)
        return of ? this.#mapOf(of, resolved.of) : '::Hash'
      }
      case 'nullable':
        return this.plain(resolved.of, depth + 1)
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        return decl.kind === 'enum' ? ENUMS[decl.base].matched : null
      }
    }
  }

  /** The types of YARD, separated by commas. */
  yard(type: TypeRef): string {
    return unique(this.#yard(type)).join(', ')
  }

  /** The type of a result, in YARD. */
  yardOf(types: readonly TypeRef[], ...others: string[]): string {
    return unique([...types.flatMap((type) => this.#yard(type)), ...others]).join(', ')
  }

  /**
   * The types that a caller may give for a parameter, in YARD.
   *
   * @param isPart Whether it is a form field, where only a readable object is a file.
   */
  yardGiven(type: TypeRef, isPart = false): string {
    const types = this.#yard(type, { given: isPart ? ['#read'] : ['String', '#read'] })
    return unique(types).join(', ')
  }

  isNullable(type: TypeRef): boolean {
    return this.#resolve(type, 0).kind === 'nullable'
  }

  /** Whether a type is a time or a date, which is text in JSON. */
  isTime(type: TypeRef): boolean {
    const resolved = this.#resolve(type, 0)
    if (resolved.kind === 'nullable') return this.isTime(resolved.of)
    return resolved.kind === 'primitive' && PRIMITIVES[resolved.type].read !== undefined
  }

  /** Whether a value may be null by the contract. */
  mayBeNull(type: TypeRef, depth = 0): boolean {
    const resolved = this.#resolve(type, depth)
    if (resolved.kind === 'primitive') return resolved.type === 'any' || resolved.type === 'null'
    if (resolved.kind !== 'ref') return resolved.kind === 'nullable'
    const decl = this.declarations.get(resolved.id)
    return decl.kind === 'union' && decl.variants.some((one) => this.mayBeNull(one, depth + 1))
  }

  /** The enum whose values a type has, alone or in a list. */
  enumOf(type: TypeRef): string | null {
    const resolved = this.#resolve(type, 0)
    if (resolved.kind === 'nullable' || resolved.kind === 'list') return this.enumOf(resolved.of)
    const target = this.declarations.target(resolved)
    return target?.kind === 'enum' ? target.id : null
  }

  /** The type of a reader's result, in RBS. */
  out(type: TypeRef, depth = 0): string {
    const resolved = this.#resolve(type, depth)
    switch (resolved.kind) {
      case 'primitive':
        return PRIMITIVES[resolved.type].rbs
      case 'literal':
        return literalType(resolved.value)
      case 'list':
        return `::Array[${this.out(resolved.of, depth + 1)}]`
      case 'map':
        return `::Hash[::String, ${this.out(resolved.of, depth + 1)}]`
      case 'nullable':
        return orNil(this.out(resolved.of, depth + 1))
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        if (decl.kind === 'enum') return ENUMS[decl.base].rbs
        return decl.kind === 'union' ? signatureType(decl.name) : decl.id
      }
    }
  }

  /** The types that a caller may give, in RBS. */
  given(type: TypeRef, isPart = false, depth = 0): string {
    const resolved = this.#resolve(type, depth)
    const part = (of: TypeRef) => this.given(of, isPart, depth + 1)
    switch (resolved.kind) {
      case 'list':
        return `::Array[${part(resolved.of)}]`
      case 'map':
        return `::Hash[::String | ::Symbol, ${part(resolved.of)}]`
      case 'nullable':
        return orNil(part(resolved.of))
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        const out = this.out(resolved, depth)
        if (decl.kind !== 'enum') return `${out} | Core::params`
        return decl.base === 'string' ? `${out} | ::Symbol` : out
      }
      default:
        if (!isBinary(resolved)) return this.out(resolved, depth)
        return isPart ? 'Core::_Readable' : '::String | Core::_Readable'
    }
  }

  #yard(type: TypeRef, { depth = 0, within = [], given = null }: YardOptions = {}): string[] {
    const resolved = this.#resolve(type, depth)
    const part = (of: TypeRef) => this.#yard(of, { depth: depth + 1, within, given })
    switch (resolved.kind) {
      case 'primitive':
        return given && resolved.type === 'binary' ? [...given] : [PRIMITIVES[resolved.type].yard]
      case 'literal':
        return [literalForms(resolved.value).yard]
      case 'list':
        return [`Array<${unique(part(resolved.of)).join(', ')}>`]
      case 'map':
        return [`Hash{String => ${unique(part(resolved.of)).join(', ')}}`]
      case 'nullable':
        return [...part(resolved.of), 'nil']
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        if (decl.kind === 'enum') return [ENUMS[decl.base].yard]
        if (decl.kind !== 'union') return given ? [decl.id, HASH] : [decl.id]
        if (within.includes(decl.id)) return ['Object']
        const inside = { depth, within: [...within, decl.id], given }
        const variants = decl.variants.flatMap((one) => this.#yard(one, inside))
        return given ? variants : [...variants, 'UnknownVariant']
      }
    }
  }

  /** A list, with nil beside the type of its items where they may be null. */
  #listOf(of: string, type: TypeRef): string {
    return `[${of}${this.mayBeNull(type) ? ', nil' : ''}]`
  }

  #mapOf(of: string, type: TypeRef): string {
    return `{ ::String => ${of}${this.mayBeNull(type) ? ', nil => nil' : ''} }`
  }

  #resolve(type: TypeRef, depth: number): TypeRef {
    if (depth > MAX_DEPTH) return { kind: 'primitive', type: 'any' }
    return this.declarations.resolve(type)
  }
}

/** The RBS type of one value. RBS has none for a fraction, and RBS 2 none for text with such escapes. */
export function literalType(value: unknown): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return '::Float'
  const text = literal(value)
  return /\\[u#]/.test(text) ? '::String' : text
}

/** An RBS type or nil. */
export function orNil(type: string): string {
  return /\?$|^(?:nil|untyped)$/.test(type) && !type.includes(' | ') ? type : `${grouped(type)}?`
}

/** An RBS type that can stand beside an operator. */
export function grouped(type: string): string {
  return type.replace(/\[[^\]]*\]/g, '').includes(' | ') ? `(${type})` : type
}

function literalForms(value: string | number | boolean): Forms {
  if (typeof value === 'string') return TEXT
  if (typeof value === 'boolean') return BOOLEAN
  return Number.isInteger(value) ? INTEGER : NUMBER
}

function isBinary(type: TypeRef): boolean {
  return type.kind === 'primitive' && type.type === 'binary'
}

/** Each type once, those that stand in for others last. */
function unique(types: readonly string[]): string[] {
  const rank = (type: string) => [HASH, 'UnknownVariant', 'nil'].indexOf(type)
  return [...new Set(types)].sort((a, b) => rank(a) - rank(b))
}
