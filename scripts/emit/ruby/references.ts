import type { Primitive, TypeRef } from '../../model/types.ts'
import type { Declarations } from './declarations.ts'
import { literal } from './literal.ts'
import { signatureType } from './naming.ts'

/** A primitive type: in a union, in YARD, in RBS; and as the runtime reads it, where it does. */
interface Forms {
  matched: string
  yard: string
  rbs: string
  read?: string
}

const TEXT: Forms = { matched: 'String', yard: 'String', rbs: 'String' }
const INTEGER: Forms = { matched: 'Integer', yard: 'Integer', rbs: 'Integer' }
const NUMBER: Forms = { matched: 'Numeric', yard: 'Numeric', rbs: 'Numeric' }
const BOOLEAN: Forms = { matched: 'TrueClass', yard: 'Boolean', rbs: 'bool' }

const PRIMITIVES: Readonly<Record<Primitive, Forms>> = {
  string: TEXT,
  base64: TEXT,
  binary: TEXT,
  integer: INTEGER,
  int64: INTEGER,
  number: NUMBER,
  boolean: BOOLEAN,
  date: { matched: 'Date', yard: 'Date', rbs: 'Date', read: 'Date' },
  'date-time': { matched: 'Time', yard: 'Time', rbs: 'Time', read: 'Time' },
  null: { matched: 'NilClass', yard: 'nil', rbs: 'nil' },
  any: { matched: 'nil', yard: 'Object', rbs: 'untyped' },
}

const ENUMS = { string: TEXT, integer: INTEGER, number: NUMBER } as const

/** The forms of the values that an enum has. */
export function enumForms(base: keyof typeof ENUMS): Forms {
  return ENUMS[base]
}

/** How deep lists and maps may nest; what nests deeper is an alias that holds itself. */
const MAX_DEPTH = 6

/** A type as each place of the gem writes it. */
export class References {
  readonly declarations: Declarations

  constructor(declarations: Declarations) {
    this.declarations = declarations
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
        return of && `[${of}]`
      }
      case 'map': {
        const of = this.read(resolved.of, depth + 1)
        return of && `{ String => ${of} }`
      }
      case 'nullable':
        return this.read(resolved.of, depth + 1)
      case 'ref':
        return this.declarations.get(resolved.id).kind === 'enum' ? null : resolved.id
    }
  }

  /** The expression by which the variants of a union are told apart. */
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
        return `{ String => ${this.matched(resolved.of, depth + 1)} }`
      case 'nullable':
        return this.matched(resolved.of, depth + 1)
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        return decl.kind === 'enum' ? ENUMS[decl.base].matched : resolved.id
      }
    }
  }

  /** The types of YARD, separated by commas. */
  yard(type: TypeRef): string {
    return unique(this.#yard(type)).join(', ')
  }

  /** What a result may be, as YARD says it. */
  yardOf(types: readonly TypeRef[], ...others: string[]): string {
    return unique([...types.flatMap((type) => this.#yard(type)), ...others]).join(', ')
  }

  /** What a caller may give for a parameter, as YARD says it. */
  yardGiven(type: TypeRef): string {
    return isBinary(this.#resolve(type, 0)) ? 'String, #read' : this.yard(type)
  }

  /** The enum whose values a type has, alone or in a list. */
  enumOf(type: TypeRef): string | null {
    const resolved = this.#resolve(type, 0)
    if (resolved.kind === 'nullable' || resolved.kind === 'list') return this.enumOf(resolved.of)
    const target = this.declarations.target(resolved)
    return target?.kind === 'enum' ? target.id : null
  }

  /** What a reader gives, in RBS. */
  out(type: TypeRef, depth = 0): string {
    const resolved = this.#resolve(type, depth)
    switch (resolved.kind) {
      case 'primitive':
        return PRIMITIVES[resolved.type].rbs
      case 'literal':
        return literal(resolved.value)
      case 'list':
        return `Array[${this.out(resolved.of, depth + 1)}]`
      case 'map':
        return `Hash[String, ${this.out(resolved.of, depth + 1)}]`
      case 'nullable':
        return orNil(this.out(resolved.of, depth + 1))
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        if (decl.kind === 'enum') return ENUMS[decl.base].rbs
        return decl.kind === 'union' ? signatureType(decl.name) : decl.id
      }
    }
  }

  /** What a caller may give, in RBS. */
  given(type: TypeRef, depth = 0): string {
    const resolved = this.#resolve(type, depth)
    switch (resolved.kind) {
      case 'list':
        return `Array[${this.given(resolved.of, depth + 1)}]`
      case 'map':
        return `Hash[String, ${this.given(resolved.of, depth + 1)}]`
      case 'nullable':
        return orNil(this.given(resolved.of, depth + 1))
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        const out = this.out(resolved, depth)
        if (decl.kind !== 'enum') return `${out} | Core::params`
        return decl.base === 'string' ? `${out} | Symbol` : out
      }
      default:
        return isBinary(resolved) ? 'untyped' : this.out(resolved, depth)
    }
  }

  /** @param within The unions that the type is a part of. */
  #yard(type: TypeRef, depth = 0, within: readonly string[] = []): string[] {
    const resolved = this.#resolve(type, depth)
    const part = (of: TypeRef) => this.#yard(of, depth + 1, within)
    switch (resolved.kind) {
      case 'primitive':
        return [PRIMITIVES[resolved.type].yard]
      case 'literal':
        return [literalClass(resolved.value)]
      case 'list':
        return [`Array<${unique(part(resolved.of)).join(', ')}>`]
      case 'map':
        return [`Hash{String => ${unique(part(resolved.of)).join(', ')}}`]
      case 'nullable':
        return [...part(resolved.of), 'nil']
      case 'ref': {
        const decl = this.declarations.get(resolved.id)
        if (decl.kind === 'enum') return [ENUMS[decl.base].yard]
        if (decl.kind !== 'union') return [decl.id]
        if (within.includes(decl.id)) return ['Object']
        const inside = [...within, decl.id]
        const variants = decl.variants.flatMap((one) => this.#yard(one, depth, inside))
        return [...variants, 'UnknownVariant']
      }
    }
  }

  #resolve(type: TypeRef, depth: number): TypeRef {
    if (depth > MAX_DEPTH) return { kind: 'primitive', type: 'any' }
    return this.declarations.resolve(type)
  }
}

/** An RBS type or nil. */
export function orNil(type: string): string {
  return /\?$|^(?:nil|untyped)$/.test(type) && !type.includes(' | ') ? type : `${grouped(type)}?`
}

/** An RBS type that can stand beside an operator. */
export function grouped(type: string): string {
  return type.replace(/\[[^\]]*\]/g, '').includes(' | ') ? `(${type})` : type
}

function literalClass(value: string | number | boolean): string {
  if (typeof value === 'string') return 'String'
  if (typeof value === 'boolean') return 'Boolean'
  return Number.isInteger(value) ? 'Integer' : 'Numeric'
}

function isBinary(type: TypeRef): boolean {
  return type.kind === 'primitive' && type.type === 'binary'
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)]
}
