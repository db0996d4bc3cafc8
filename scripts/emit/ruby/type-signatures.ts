import { isSent } from '../../model/index.ts'
import type { Api, Decl, Field, Model } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { apart, type RubyWriter, signatureFile } from './file.ts'
import { enumConstants, member, signatureType } from './naming.ts'
import { enumForms, literalType, orNil, type References } from './references.ts'
import { signature } from './signature.ts'

/** The signatures of the constants of `types`, in RBS. */
export function emitTypeSignatures(api: Api, references: References, sources: Sources): OutFile {
  return signatureFile(api.platform, 'types', sources.contract, (file) => {
    const { constants } = references.declarations
    const parts = constants.map((decl) => () => declaration(decl, references, file))
    apart(file, parts)
  })
}

function declaration(decl: Decl, references: References, file: RubyWriter): void {
  switch (decl.kind) {
    case 'model':
      model(decl, references, file)
      break
    case 'enum': {
      const names = enumConstants(decl.values)
      const inside = () => {
        for (const [index, name] of names.entries()) {
          if (name !== null) file.lines(`${name}: ${literalType(decl.values[index])}`)
        }
        if (names.some((name) => name !== null)) file.lines('')
        file.lines(`def self.values: () -> ::Array[${enumForms(decl.base).rbs}]`)
      }
      file.block(`module ${decl.id}`, inside, 'end')
      break
    }
    case 'union': {
      const variants = new Set(decl.variants.map((variant) => references.out(variant)))
      file.lines(`${decl.id}: Core::Union`, '')
      const types = [...variants, 'UnknownVariant'].join(' | ')
      file.lines(`type ${signatureType(decl.name)} = ${types}`)
      break
    }
    case 'alias': {
      // RBS 2 has no aliases of classes.
      const target = references.declarations.target(decl.type)
      const isUnion = target?.kind === 'union'
      file.lines(`${decl.id}: ${isUnion ? 'Core::Union' : `singleton(${target?.id})`}`)
    }
  }
}

function model(decl: Model, references: References, file: RubyWriter): void {
  const fields = references.declarations.fields(decl)
  const given = fields.map((field) => {
    const { name, type, presence } = field
    // A constant is filled in.
    const isRequired = presence === 'required' && type.kind !== 'literal' && isSent(field)
    return { keyword: `${member(name)}: ${references.given(type)}`, isRequired }
  })
  const all = given.map(({ keyword, isRequired }) => (isRequired ? keyword : `?${keyword}`))
  const some = changesOf(decl, references)
  const inside = () => {
    for (const one of fields) file.lines(`attr_reader ${member(one.name)}: ${out(one, references)}`)
    for (const one of fields.filter(({ oldName }) => oldName)) {
      file.lines(`def ${member(one.oldName?.name ?? [])}: () -> ${out(one, references)}`)
    }
    if (fields.length > 0) file.lines('')
    signature('initialize', [{ parameters: all, result: 'void' }], file)
    file.lines('')
    signature('with', [{ parameters: some, result: decl.id }], file)
  }
  file.block(`class ${decl.id} < Core::Model`, inside, 'end')
}

/** Parameters for other values of any fields. */
export function changesOf(decl: Model, references: References): string[] {
  const fields = references.declarations.fields(decl)
  return fields.map(({ name, type }) => `?${member(name)}: ${references.given(type)}`)
}

function out({ type, mayBeAbsent }: Field, references: References): string {
  const read = references.out(type)
  return mayBeAbsent ? orNil(read) : read
}
