import type { Alias, Api, Decl, Enum, Field, Model, TypeRef, Union } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { docText, fieldDoc } from './doc.ts'
import { PythonFile } from './file.ts'
import { dictionary, literal, quote } from './literal.ts'
import { attribute, unionReader } from './naming.ts'
import {
  alternatives,
  builtin,
  hasReader,
  readerOf,
  readText,
  type Scope,
  scopeOf,
  typeText,
  untaggedArguments,
} from './references.ts'
import { arrange, baseOf } from './shapes.ts'

/** The classes and aliases of all data. */
export function emitTypes(api: Api, sources: Sources): OutFile {
  const file = new PythonFile('_generated/types.py', sources.contract, 'The objects of the API.')
  const scope = { ...scopeOf(api, file), isTypes: true }
  const { ordered, quoted } = arrange(typesOf(api), scope.index)
  for (const decl of ordered) {
    declaration(decl, scope, quoted.has(decl.id))
    file.lines('', '')
  }
  return file.finish()
}

/** All declarations but those whose fields are arguments of a method. */
export function typesOf({ decls, operations }: Api): Decl[] {
  const params = new Set(operations.map((operation) => operation.params))
  return decls.filter(({ id }) => !params.has(id))
}

function declaration(decl: Decl, scope: Scope, isQuoted: boolean): void {
  if (decl.kind === 'model') model(decl, scope)
  else if (decl.kind === 'union') union(decl, scope, isQuoted)
  else {
    const text = decl.kind === 'enum' ? enumText(decl, scope) : typeText(decl.type, scope)
    alias(decl, text, scope, isQuoted)
  }
}

function model(decl: Model, outer: Scope): void {
  const { file, index } = outer
  const base = baseOf(decl, index)
  const fields = base ? decl.fields : index.fields(decl)
  const old = fields.flatMap(({ oldName }) => (oldName ? attribute(oldName.name) : []))
  const members = new Set([...fields.map(({ name }) => attribute(name)), ...old])
  const scope = { ...outer, members }
  const parent = base?.id ?? file.use('Model', '_core.model')
  const body = () => {
    file.doc(docText(decl.doc))
    const names = index.fields(decl).filter(({ name, wire }) => attribute(name) !== wire)
    if (fields.length === 0 && docText(decl.doc) === '') file.lines('pass')
    if (names.length > 0 && fields.length > 0) wireNames(names, scope)
    if (fields.length > 0) file.lines('')
    for (const field of fields) {
      file
        .lines(`${attribute(field.name)}: ${fieldText(field, scope)}`)
        .doc(docText(fieldDoc(field)))
    }
    for (const field of fields) oldName(decl, field, scope)
    if (fields.length > 0) reader(index.fields(decl), scope)
  }
  file.lines(`@${file.use('model', '_core.model')}`)
  file.block(`class ${decl.id}(${parent}):`, body, '')
}

/** A field under its old name, which only reading knows. */
function oldName({ id }: Model, { name, type, mayBeAbsent, oldName }: Field, scope: Scope): void {
  if (!oldName) return
  const { file } = scope
  const [now, old] = [attribute(name), attribute(oldName.name)]
  const text = `${id}.${old} is deprecated. Use ${id}.${now} instead.`
  const result = mayBeAbsent ? absentText(type, scope).type : typeText(type, scope)
  const body = () => file.doc(`The old name of \`${now}\`.`).lines(`return self.${now}`)
  file.lines('', '@property', `@${file.use('deprecated', '_core.model')}(${quote(text)})`)
  file.block(`def ${old}(self) -> ${result}:`, body, '')
}

function wireNames(fields: readonly Field[], scope: Scope): void {
  const { file } = scope
  const str = builtin('str', scope)
  const type = `${file.use('ClassVar', 'typing')}[${file.use('Mapping', 'collections.abc')}[${str}, ${str}]]`
  const names = dictionary(fields.map(({ name, wire }) => [attribute(name), quote(wire)]))
  file.lines('', `_names: ${type} = ${names}`)
}

/** None is what an absent field is read as, and UNSET where null may stand there and means more. */
function fieldText(field: Field, scope: Scope): string {
  const type = typeText(field.type, scope)
  if (!field.mayBeAbsent) {
    return field.type.kind === 'literal' ? `${type} = ${literal(field.type.value)}` : type
  }
  const absent = absentText(field.type, scope)
  return `${absent.type} = ${absent.value}`
}

function absentText(type: TypeRef, scope: Scope): { type: string; value: string } {
  const text = typeText(type, scope)
  if (!scope.index.isNullable(type)) return { type: alternatives([text, 'None']), value: 'None' }
  const unset = scope.file.use('Unset', '_core.unset')
  return { type: alternatives([text, unset]), value: scope.file.use('UNSET', '_core.unset') }
}

/** Reads all fields in one function, also those of the base, because calls are what takes long. */
function reader(fields: readonly Field[], scope: Scope): void {
  const { file } = scope
  const any = file.use('Any', 'typing')
  const callable = file.use('Callable', 'collections.abc')
  const read = () => {
    file.lines('if data.__class__ is not dict:')
    file.lines(`    return ${file.use('as_object', '_core.model')}(read, data)`)
    file.lines('draft = new_draft()', 'draft._wire = data')
    for (const field of fields) {
      const isUnset = field.mayBeAbsent && scope.index.isNullable(field.type)
      const value = `data.get(${quote(field.wire)}${isUnset ? ', UNSET' : ''})`
      file.lines(`draft.${attribute(field.name)} = ${readText(field.type, value, scope)}`)
    }
    file.lines('draft.__class__ = cls', 'return draft')
  }
  const make = () => {
    file.block(`def read(data: ${any}) -> ${any}:`, read, '')
    file.lines('', 'return read')
  }
  const made = `${callable}[[${any}], ${any}]`
  file.lines('', '@staticmethod')
  file.block(`def _reader(new_draft: ${callable}[[], ${any}], cls: ${any}) -> ${made}:`, make, '')
}

function enumText({ base, values }: Enum, { file }: Scope): string {
  const type = { string: 'str', integer: 'int', number: 'float' }[base]
  // A literal type has no decimals.
  if (base === 'number' || values.length === 0) return type
  const listed = `${file.use('Literal', 'typing')}[${values.map(literal).join(', ')}]`
  return `${listed} | ${type}`
}

function alias(decl: Alias | Enum | Union, text: string, { file }: Scope, isQuoted: boolean): void {
  file.lines(`${decl.id}: ${file.use('TypeAlias', 'typing')} = ${isQuoted ? `"${text}"` : text}`)
  file.doc(docText(decl.doc))
}

function union(decl: Union, scope: Scope, isQuoted: boolean): void {
  const { file } = scope
  const types = decl.variants.map((variant) => typeText(variant, scope))
  const isRead = hasReader(decl, scope)
  if (isRead) types.push(file.use('UnknownVariant', '_core.model'))
  alias(decl, alternatives(types), scope, isQuoted)
  if (!isRead) return
  const any = file.use('Any', 'typing')
  const read = () => file.lines(`variant: ${decl.id} = ${reading(decl, scope)}`, 'return variant')
  file.lines('', '')
  file.block(`def ${unionReader(decl.id)}(value: ${any}) -> ${decl.id}:`, read, '')
}

function reading({ tag, variants }: Union, scope: Scope): string {
  const { file } = scope
  if (!tag) {
    const given = [...untaggedArguments(variants, scope), 'value']
    return `${file.use('untagged', '_core.untagged')}(${given.join(', ')})`
  }
  const rows = Object.entries(tag.mapping)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, id]) => {
      const reader = readerOf({ kind: 'ref', id }, scope) ?? file.use('as_is', '_core.model')
      return `${quote(value)}: ${reader},`
    })
  return `${file.use('tagged', '_core.model')}(${quote(tag.property)}, {${rows.join(' ')}}, value)`
}
