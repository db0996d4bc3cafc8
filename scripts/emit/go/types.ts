import type { Alias, Api, Decl, Enum, Model, Operation } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { aboutOf, remarks, usesOf, variantsOf } from './doc.ts'
import { modelFields, parameterFields } from './fields.ts'
import { GoFile } from './file.ts'
import { literal } from './literal.ts'
import { valueNames } from './naming.ts'
import { Types } from './references.ts'
import { readTypes, writeUnion, writeUnions } from './unions.ts'

const BASES = { string: 'string', integer: 'int64', number: 'float64' } as const

/** The types of all data. */
export function emitTypes(api: Api, sources: Sources): OutFile {
  const file = new GoFile('models', sources.contract, api.platform.goPackage)
  const types = new Types(api)
  const received = readTypes(api)
  const uses = usesOf(api)
  for (const decl of api.decls) {
    const name = types.name(decl.id)
    const about = aboutOf(decl, uses, types, file)
    const variants = decl.kind === 'union' ? variantsOf(decl, types, file) : null
    file.doc(
      about ?? (variants && `${name} is ${variants}.`),
      ...remarksOn(decl),
      about && variants && `It is ${variants}.`,
    )
    declare(name, decl)
    file.lines('')
  }
  writeUnions(api, received, types, file)
  return file.finish()

  function remarksOn(decl: Decl): string[] {
    const isOldName = decl.kind === 'alias' && decl.isOldName
    return isOldName ? [`Deprecated: use ${types.linked(decl.type, file)}.`] : remarks(decl.doc)
  }

  function declare(name: string, decl: Decl): void {
    switch (decl.kind) {
      case 'model':
        writeModel(name, decl, uses.operations.get(decl.id), types, file)
        break
      case 'enum':
        writeEnum(name, decl, file)
        break
      case 'union':
        writeUnion(decl, received.has(decl.id), types, file)
        break
      case 'alias': {
        const sign = types.containsItself(decl) ? ' ' : ' = '
        file.lines(`type ${name}${sign}${types.text(decl.type, file)}`)
        writeOldValues(name, decl, types, file)
      }
    }
  }
}

/** The known values of an enum under its old name. */
function writeOldValues(name: string, alias: Alias, types: Types, file: GoFile): void {
  const target = types.renamedEnum(alias)
  if (!target) return
  const now = types.name(target.id)
  const current = valueNames(now, target.values)
  const old = valueNames(name, target.values)
  file.lines('')
  file.doc(`The known values of ${name}.`, `Deprecated: use those of [${now}].`)
  const constants = () => {
    for (const [index, value] of old.entries()) file.lines(`${value} = ${current[index]}`)
  }
  file.block('const (', constants, ')')
}

function writeModel(
  name: string,
  model: Model,
  operation: Operation | undefined,
  types: Types,
  file: GoFile,
): void {
  const fields = () => {
    if (operation) parameterFields(model, operation, types, file)
    else modelFields(model, types, file)
  }
  file.block(`type ${name} struct {`, fields, '}')
  if (operation) return
  const [first = ''] = name
  const self = first.toLowerCase()
  file.lines(
    '',
    `func (${self} ${name}) MarshalJSON() ([]byte, error) { return encodeJSON(${self}) }`,
    `func (${self} *${name}) UnmarshalJSON(data []byte) error { return decodeJSON(data, ${self}) }`,
  )
}

function writeEnum(name: string, { base, values }: Enum, file: GoFile): void {
  file.lines(`type ${name} ${BASES[base]}`, '')
  file.doc(`The known values of ${name}.`)
  const names = valueNames(name, values)
  const constants = () => {
    for (const [index, value] of values.entries()) {
      file.lines(`${names[index]} ${name} = ${literal(value)}`)
    }
  }
  file.block('const (', constants, ')')
}
