import type { Api, Decl, Doc, Enum, Field, Model, Union } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { assumptionText, directionText } from '../core/remarks.ts'
import { apart, defaultText, groupBy, type RubyWriter, rubyFile } from './file.ts'
import { isWord, literal, quote } from './literal.ts'
import { enumConstants, member, snake, variable } from './naming.ts'
import { enumForms, type References } from './references.ts'

/** A constant per declaration, loaded when it is first used. */
export function emitTypes(api: Api, references: References, sources: Sources): OutFile[] {
  const { constants } = references.declarations
  const list = (file: RubyWriter) => {
    for (const { id, name } of constants) {
      call('autoload', [`:${id}`, `"#{__dir__}/types/${snake(name)}"`], file)
    }
  }
  // RuboCop requires a comment on an empty module.
  const about = constants.length === 0 ? { doc: 'The contract declares no types.' } : {}
  const index = rubyFile(api.platform, 'types', sources.contract, list, about)
  // Constants that differ in case only share a file.
  const byFile = groupBy(constants, ({ name }) => snake(name))
  const files = [...byFile].map(([name, decls]) =>
    rubyFile(api.platform, `types/${name}`, sources.contract, (file) => {
      const parts = decls.map((decl) => () => declaration(decl, references, file))
      apart(file, parts)
    }),
  )
  return [index, ...files]
}

function declaration(decl: Decl, references: References, file: RubyWriter): void {
  const more =
    decl.kind === 'model' && decl.extra ? 'It may have other fields, which `[]` reads.' : null
  file.doc(decl.doc.text ?? `The schema \`${decl.id}\`.`, more, assumptionText(decl.doc))
  file.tags(deprecation(decl.doc))
  switch (decl.kind) {
    case 'model':
      model(decl, references, file)
      break
    case 'enum':
      enumeration(decl, file)
      break
    case 'union':
      union(decl, references, file)
      break
    case 'alias':
      file.lines(`${decl.id} = ${references.declarations.target(decl.type)?.id}`)
      if (decl.isOldName) file.lines(`deprecate_constant :${decl.id}`)
  }
}

function model(decl: Model, references: References, file: RubyWriter): void {
  const fields = references.declarations.fields(decl)
  const parts = [
    ...fields.map((one) => () => field(one, references, file)),
    ...fields
      .filter(({ oldName }) => oldName)
      .map((one) => () => oldName(decl, one, references, file)),
  ]
  file.block(`class ${decl.id} < Core::Model`, () => apart(file, parts), 'end')
}

function field(field: Field, references: References, file: RubyWriter): void {
  const { wire, type, mayBeAbsent, doc } = field
  const notes = [directionText(field), defaultText(field)].filter((note) => note !== null)
  file.doc(doc.text, notes.join(' '), assumptionText(doc))
  const enumeration = references.enumOf(type)
  const types = references.yardOf([type], ...(mayBeAbsent ? ['nil'] : []))
  file.tags([`@return [${types}]${enumeration ? ` see {${enumeration}}` : ''}`])
  file.tags(deprecation(doc))

  const name = member(field.name)
  const read = references.read(type)
  // The block of another type is called when the type is first used.
  const isPlain = read === null || references.isTime(type)
  const plain = isPlain ? references.plain(type) : null
  const declared = [`:${name}`, ...(plain === null ? [] : [plain])]
  if (name !== wire) declared.push(`wire: ${quote(wire)}`)
  if (type.kind === 'literal') declared.push(`const: ${literal(type.value)}`)
  if (mayBeAbsent) declared.push('optional: true')
  if (references.mayBeNull(type)) declared.push('nullable: true')
  if (isPlain) call('field', declared, file)
  else block(file.column('field(', declared, ')'), read, file)
}

/** Reads a field under its old name. Ruby shows such warnings with -W:deprecated. */
function oldName({ id }: Model, field: Field, references: References, file: RubyWriter): void {
  const [now, old] = [member(field.name), member(field.oldName?.name ?? [])]
  const types = references.yardOf([field.type], ...(field.mayBeAbsent ? ['nil'] : []))
  file.doc(`The old name of {#${now}}.`)
  file.tags([`@return [${types}]`, '@deprecated'])
  const text = quote(`${id}#${old} is deprecated. Use ${id}#${now} instead.`)
  const inside = () => {
    file.lines(file.list('::Kernel.warn(', [text, 'category: :deprecated', 'uplevel: 1'], ')'))
    // A keyword is a reader only after a dot.
    file.lines(variable(field.name) === now ? now : `self.${now}`)
  }
  file.block(`def ${old}`, inside, 'end')
}

function enumeration({ id, base, values }: Enum, file: RubyWriter): void {
  const names = enumConstants(values)
  const inside = () => {
    for (const [index, name] of names.entries()) {
      if (name !== null) file.lines(`${name} = ${literal(values[index])}`)
    }
    if (names.some((name) => name !== null)) file.lines('')
    file.tags([`@return [Array<${enumForms(base).yard}>] the known values`])
    const expressions = values.map((value, index) => names[index] ?? literal(value))
    const areWords = values.every((value, index) => names[index] === null && isWord(String(value)))
    const words = areWords && values.length > 1 && base === 'string'
    const list = () =>
      file.lines(
        words
          ? file.list('%w[', values.map(String), '].freeze', ' ')
          : file.list('[', expressions, '].freeze'),
      )
    file.block('def self.values', list, 'end')
  }
  file.block(`module ${id}`, inside, 'end')
}

function union({ id, tag, variants }: Union, references: References, file: RubyWriter): void {
  if (!tag) {
    const matched = [...new Set(variants.map((variant) => references.matched(variant)))]
    untagged(id, matched, file)
    return
  }
  const rows = Object.entries(tag.mapping)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, id]) => `${quote(value)} => ${references.matched({ kind: 'ref', id })}`)
  const hash = () => file.block('{', () => file.lines(rows.join(',\n')), '}')
  file.block(`${id} = Core::Union.new(tag: ${quote(tag.property)}) do`, hash, 'end')
}

/** A union without a discriminator. */
export function untagged(name: string, matched: readonly string[], file: RubyWriter): void {
  const line = `${name} = Core::Union.new { [${matched.join(', ')}] }`
  const inside = () => file.lines(file.list('[', matched, ']'))
  if (file.fits(line)) file.lines(line)
  else file.block(`${name} = Core::Union.new do`, inside, 'end')
}

/** A call without brackets where it fits into a line. */
function call(method: string, items: readonly string[], file: RubyWriter): void {
  const line = `${method} ${items.join(', ')}`
  file.lines(file.fits(line) ? line : file.column(`${method}(`, items, ')'))
}

/** A call with a block that gives an expression. */
function block(call: string, expression: string, file: RubyWriter): void {
  const line = `${call} { ${expression} }`
  if (file.fits(line)) file.lines(line)
  else file.block(`${call} do`, () => file.lines(expression), 'end')
}

export function deprecation({ deprecated }: Doc): string[] {
  return deprecated ? ['@deprecated'] : []
}
