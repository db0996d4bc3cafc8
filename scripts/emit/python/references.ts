import { indexOf, type TypeIndex } from '../../model/index.ts'
import type { Api, Model, Primitive, TypeRef, Union } from '../../model/types.ts'
import type { PythonFile } from './file.ts'
import { literal } from './literal.ts'
import { unionReader } from './naming.ts'

const PRIMITIVES: Readonly<Record<Primitive, string>> = {
  string: 'str',
  base64: 'str',
  integer: 'int',
  int64: 'int',
  number: 'float',
  boolean: 'bool',
  'date-time': 'dt.datetime',
  date: 'dt.date',
  binary: 'bytes',
  null: 'None',
  any: 'Any',
}

/** Functions of the runtime that read types which JSON has only as text. */
const READERS: Partial<Record<Primitive, readonly [name: string, module: string]>> = {
  'date-time': ['parse_date_time', '_core.scalars'],
  date: ['parse_date', '_core.dates'],
}

/** Where a type is written: its name there, and the names that hide it. */
export interface Scope {
  file: PythonFile
  index: TypeIndex
  /** Whether it is the module of the types itself; others name it before them. */
  isTypes: boolean
  /** Names of the class around it, which hide builtins of equal names. */
  members: ReadonlySet<string>
}

/** The scope of a module's top level. */
export function scopeOf({ decls }: Api, file: PythonFile): Scope {
  return { file, index: indexOf(decls), isTypes: false, members: new Set() }
}

/** A use of a type as an annotation. */
export function typeText(type: TypeRef, scope: Scope): string {
  switch (type.kind) {
    case 'primitive':
      return primitive(type.type, scope)
    case 'literal':
      return `${scope.file.use('Literal', 'typing')}[${literal(type.value)}]`
    case 'list':
      return `${builtin('list', scope)}[${typeText(type.of, scope)}]`
    case 'map':
      return `${builtin('dict', scope)}[${builtin('str', scope)}, ${typeText(type.of, scope)}]`
    case 'nullable':
      return alternatives([typeText(type.of, scope), 'None'])
    case 'ref':
      return named(type.id, scope)
  }
}

/** A name of the module of types. */
export function named(name: string, { file, isTypes }: Scope): string {
  return isTypes ? name : `${file.use('types', '_generated')}.${name}`
}

const OR_NONE = / \| None$/

/** Types of which one applies, each once; None is the last. */
export function alternatives(types: readonly string[]): string {
  const some = types.map((type) => type.replace(OR_NONE, '')).filter((type) => type !== 'None')
  const hasNone = types.some((type) => type === 'None' || OR_NONE.test(type))
  return [...new Set([...some, ...(hasNone ? ['None'] : [])])].join(' | ')
}

function primitive(type: Primitive, scope: Scope): string {
  const text = PRIMITIVES[type]
  if (text.startsWith('dt.')) scope.file.useModule('datetime', 'dt')
  if (type === 'any') scope.file.use('Any', 'typing')
  return builtin(text, scope)
}

/** A builtin type, also where the class around it has a member of its name. */
export function builtin(name: string, { file, members }: Scope): string {
  return members.has(name) ? `${file.useModule('builtins')}.${name}` : name
}

/** The function that reads a type; null if the JSON value needs no conversion. */
export function readerOf(
  type: TypeRef,
  scope: Scope,
  within: readonly string[] = [],
): string | null {
  switch (type.kind) {
    case 'primitive': {
      const reader = READERS[type.type]
      return reader ? scope.file.use(...reader) : null
    }
    case 'literal':
      return null
    case 'nullable':
      return readerOf(type.of, scope, within)
    case 'list':
    case 'map': {
      const reader = readerOf(type.of, scope, within)
      return reader && `${scope.file.use('partial', 'functools')}(${each(type, scope)}, ${reader})`
    }
    case 'ref':
      return declReader(type.id, scope, within)
  }
}

function declReader(id: string, scope: Scope, within: readonly string[]): string | null {
  const decl = scope.index.decl(id)
  // A type that contains itself, without an object between, has no finite reader.
  if (!decl || within.includes(id)) return null
  switch (decl.kind) {
    case 'model':
      return `${named(id, scope)}.read`
    case 'enum':
      return null
    case 'alias':
      return readerOf(decl.type, scope, [...within, id])
    case 'union':
      return hasReader(decl, scope, within) ? named(unionReader(id), scope) : null
  }
}

/** Whether any variant needs a conversion from JSON. */
export function hasReader(union: Union, scope: Scope, within: readonly string[] = []): boolean {
  const inner = [...within, union.id]
  // Only a check, so the imports of the readers are not recorded.
  return union.variants.some((variant) => needsReader(variant, scope, inner))
}

function needsReader(type: TypeRef, scope: Scope, within: readonly string[]): boolean {
  if (type.kind === 'primitive') return type.type in READERS
  if ('of' in type) return needsReader(type.of, scope, within)
  const decl = type.kind === 'ref' ? scope.index.decl(type.id) : undefined
  if (!decl || within.includes(decl.id)) return false
  if (decl.kind === 'alias') return needsReader(decl.type, scope, [...within, decl.id])
  return decl.kind === 'model' || (decl.kind === 'union' && hasReader(decl, scope, within))
}

/** The expression that reads `value`. */
export function readText(type: TypeRef, value: string, scope: Scope): string {
  if (type.kind === 'nullable') return readText(type.of, value, scope)
  if (type.kind === 'list' || type.kind === 'map') {
    const reader = readerOf(type.of, scope)
    return reader ? `${each(type, scope)}(${reader}, ${value})` : value
  }
  const alias = type.kind === 'ref' ? scope.index.decl(type.id) : undefined
  if (alias?.kind === 'alias' && readerOf(type, scope)) return readText(alias.type, value, scope)
  const reader = readerOf(type, scope)
  return reader ? `${reader}(${value})` : value
}

function each(type: { kind: 'list' | 'map' }, { file }: Scope): string {
  return file.use(type.kind === 'list' ? 'each' : 'values', '_core.model')
}

/** The arguments of `untagged`: the objects among some types, and a reader for the others. */
export function untaggedArguments(types: readonly TypeRef[], scope: Scope): string[] {
  const ids = types.map((type) => modelOf(type, scope)?.id)
  const models = ids.filter((id) => id !== undefined).map((id) => named(id, scope))
  const others = types
    .filter((_, index) => ids[index] === undefined)
    .map((type) => readerOf(type, scope))
    .filter((reader) => reader !== null)
  return [models, others].map((readers) => `[${[...new Set(readers)].join(', ')}]`)
}

/** The object that a type is, without aliases and null. */
export function modelOf(type: TypeRef, { index }: Pick<Scope, 'index'>): Model | undefined {
  return index.model(index.nonNull(type))
}
