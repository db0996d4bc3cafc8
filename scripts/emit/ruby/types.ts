import type { Api, Decl, Doc, Enum, Field, Model, Union } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { apart, assumedText, groupBy, type RubyWriter, rubyFile } from './file.ts'
import { literal, quote } from './literal.ts'
import { enumConstants, member, snake } from './naming.ts'
import { enumForms, type References } from './references.ts'

/** A constant per declaration, loaded when it is first used. */
export function emitTypes(api: Api, references: References, sources: Sources): OutFile[] {
  const { constants } = references.declarations
  const index = rubyFile(api.platform, 'types', sources.contract, (file) => {
    for (const { id, name } of constants) {
      file.lines(`autoload :${id}, "#{__dir__}/types/${snake(name)}"`)
    }
  })
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
  file.doc(decl.doc.text ?? `The schema \`${decl.id}\`.`, assumedText(decl.doc))
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
      file.lines(`${decl.id} = ${references.read(decl.type)}`)
  }
}

function model(decl: Model, references: References, file: RubyWriter): void {
  const fields = references.declarations.fields(decl)
  const parts = fields.map((one) => () => field(one, references, file))
  file.block(`class ${decl.id} < Core::Model`, () => apart(file, parts), 'end')
}

const DIRECTIONS = { both: null, read: 'Read-only.', write: 'Write-only.' } as const

function field(field: Field, references: References, file: RubyWriter): void {
  const { wire, type, presence, doc } = field
  const text = [doc.text, DIRECTIONS[field.direction]].filter((part) => part !== null).join(' ')
  file.doc(text, assumedText(doc))
  const isOptional = presence === 'optional'
  const enumeration = references.enumOf(type)
  const types = references.yardOf([type], ...(isOptional ? ['nil'] : []))
  file.tags([`@return [${types}]${enumeration ? ` see {${enumeration}}` : ''}`])
  file.tags(deprecation(doc))

  const name = member(field.name)
  const declared = [`:${name}`]
  if (name !== wire) declared.push(`wire: ${quote(wire)}`)
  if (type.kind === 'literal') declared.push(`const: ${literal(type.value)}`)
  if (isOptional) declared.push('optional: true')
  const read = references.read(type)
  if (read === null) file.lines(`field ${declared.join(', ')}`)
  else block(`field(${declared.join(', ')})`, read, file)
}

function enumeration({ id, base, values }: Enum, file: RubyWriter): void {
  const names = enumConstants(values)
  const inside = () => {
    for (const [index, name] of (names ?? []).entries()) {
      file.lines(`${name} = ${literal(values[index])}`)
    }
    if (names) file.lines('')
    file.tags([`@return [Array<${enumForms(base).yard}>] the values that this version knows`])
    const list = () => file.lines(file.list('[', names ?? values.map(literal), '].freeze'))
    file.block('def self.values', list, 'end')
  }
  file.block(`module ${id}`, inside, 'end')
}

function union({ id, tag, variants }: Union, references: References, file: RubyWriter): void {
  if (!tag) {
    const matched = [...new Set(variants.map((variant) => references.matched(variant)))]
    block(`${id} = Core::Union.new`, `[${matched.join(', ')}]`, file)
    return
  }
  const rows = Object.entries(tag.mapping)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, variant]) => `${quote(value)} => ${variant}`)
  const hash = () => file.block('{', () => file.lines(rows.join(',\n')), '}')
  file.block(`${id} = Core::Union.new(tag: ${quote(tag.property)}) do`, hash, 'end')
}

/** A call with a block that gives an expression. */
export function block(call: string, expression: string, file: RubyWriter): void {
  const line = `${call} { ${expression} }`
  if (file.fits(line)) file.lines(line)
  else file.block(`${call} do`, () => file.lines(expression), 'end')
}

export function deprecation({ deprecated }: Doc): string[] {
  return deprecated ? ['@deprecated'] : []
}
