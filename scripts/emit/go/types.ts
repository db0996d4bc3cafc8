import type { Api, Decl, Enum, Model, Operation, Union } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { modelFields, parameterFields } from './fields.ts'
import { GoFile, remarks } from './file.ts'
import { literal } from './literal.ts'
import { methodName, serviceType, valueNames } from './naming.ts'
import { Types } from './references.ts'
import { receivedBy, shapesOf, writeUnion, writeUnions } from './unions.ts'

const BASES = { string: 'string', integer: 'int64', number: 'float64' } as const

/** The types of all data. */
export function emitTypes(api: Api, sources: Sources): OutFile {
  const file = new GoFile('models', sources.contract, api.platform.goPackage)
  const types = new Types(api)
  const received = receivedBy(api)
  const takers = new Map(api.operations.map((operation) => [operation.params, operation]))
  const events = new Map(
    api.webhooks.map(({ payload, event }) => [payload.kind === 'ref' ? payload.id : '', event]),
  )
  for (const decl of api.decls) {
    const name = types.name(decl.id)
    const taker = takers.get(decl.id)
    const about = aboutOf(name, decl, taker, events.get(decl.id))
    const variants = decl.kind === 'union' ? variantsText(decl, types, file) : null
    file.doc(
      about ?? (variants && `${name} is ${variants}.`),
      ...remarks(decl.doc),
      about && variants && `It is ${variants}.`,
    )
    declare(name, decl)
    file.lines('')
  }
  writeUnions(api, received, types, file)
  return file.finish()

  function declare(name: string, decl: Decl): void {
    switch (decl.kind) {
      case 'model':
        writeModel(name, decl, takers.get(decl.id), types, file)
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
      }
    }
  }
}

function writeModel(
  name: string,
  model: Model,
  taker: Operation | undefined,
  types: Types,
  file: GoFile,
): void {
  const fields = () => {
    if (taker) parameterFields(model, taker, types, file)
    else modelFields(model, types, file)
  }
  file.block(`type ${name} struct {`, fields, '}')
  if (taker) return
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
  file.doc(`The values of ${name} that this version knows.`)
  const names = valueNames(name, values)
  const constants = () => {
    for (const [index, value] of values.entries()) {
      file.lines(`${names[index]} ${name} = ${literal(value)}`)
    }
  }
  file.block('const (', constants, ')')
}

function aboutOf(
  name: string,
  { doc }: Decl,
  taker: Operation | undefined,
  event: string | undefined,
): string | null {
  if (event !== undefined) return `${name} is the event ${event}. ${doc.text ?? ''}`
  if (taker) {
    const method = `${serviceType({ path: taker.resource })}.${methodName(taker)}`
    return `${name} is what [${method}] takes; zero values are left out.`
  }
  return doc.text && opening(name, doc.text.trim())
}

const NOUN = /^(?:A|An|The|One|Who|What|Where|Why|How|Which)\b/

/** A text as a sentence that begins with the name of the type. */
function opening(name: string, text: string): string {
  if (!NOUN.test(text)) return `${name}: ${text}`
  const isShouted = /^[A-Z]{2}/.test(text)
  return `${name} is ${isShouted ? text : text.slice(0, 1).toLowerCase() + text.slice(1)}`
}

/** Which types a union may be, as links where they are of this package. */
function variantsText(union: Union, types: Types, file: GoFile): string {
  const tagged = types.tagged(union)
  const names = tagged
    ? tagged.variants.map(({ id }) => `[${types.name(id)}]`)
    : [...shapesOf(union, types).values()].map((variant) => {
        const text = types.text(variant, file)
        return variant.kind === 'ref' ? `[${text}]` : text
      })
  const last = names.pop() ?? ''
  return names.length > 0 ? `one of ${names.join(', ')} or ${last}` : last
}
