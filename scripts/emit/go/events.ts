import type { Api, Model, Primitive, Signature } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { canonical } from './contract.ts'
import { GoFile } from './file.ts'
import { quote } from './literal.ts'
import { fieldName } from './naming.ts'
import { isPrimitive, isRequired, Types } from './references.ts'
import { emitSamples, writeSignature } from './samples.ts'

/** The events, how they are signed and samples; nothing where the contract does not say both. */
export function emitEvents(api: Api, sources: Sources): OutFile[] {
  if (!hasEvents(api)) return []
  return [
    eventsFile(api, sources),
    signatureFile(api.signature, api, sources),
    emitSamples(api.signature, api, sources),
  ]
}

function eventsFile(api: Api, sources: Sources): OutFile {
  const types = new Types(api)
  const file = new GoFile('events', sources.contract, api.platform.goPackage).use('time')
  const events = api.webhooks.flatMap(({ event, payload }) => {
    const model = types.model(payload)
    return model ? [{ kind: quote(event), model, type: types.name(model.id) }] : []
  })
  file.doc('The kinds of the events, as EventKind returns them.')
  const kinds = () => {
    for (const { kind, type } of events) file.lines(`${type}Kind = ${kind}`)
  }
  file.block('const (', kinds, ')').lines('')
  file.doc('The headers of a delivery: its signature, and the kind of its event.')
  const headers = () => {
    const { header, eventHeader } = api.signature ?? { header: '', eventHeader: '' }
    file.lines(`SignatureHeader = ${quote(canonical(header))}`)
    file.lines(`EventHeader = ${quote(canonical(eventHeader))}`)
  }
  file.block('const (', headers, ')').lines('')
  for (const { kind, model, type } of events) writeMethods(kind, model, type, types, file)
  file.doc('newEvent returns an empty event of the kind, or an UnknownEvent.')
  const choose = () => {
    for (const { kind, type } of events) file.lines(`case ${kind}:`, `\treturn &${type}{}`)
    file.lines('default:', '\treturn &UnknownEvent{}')
  }
  const body = () => file.block('switch kind {', choose, '}')
  return file.block('func newEvent(kind string) Event {', body, '}').finish()
}

/** The methods of every event. */
function writeMethods(kind: string, model: Model, type: string, types: Types, file: GoFile): void {
  const [first = ''] = type
  const self = first.toLowerCase()
  /** The field that always holds a member, else an expression that reads a member of any type. */
  const member = (wire: string, primitive: Primitive, read: string) => {
    const field = types.fields(model).find((one) => one.wire === wire)
    const isPlain = field && isRequired(field) && isPrimitive(types.resolve(field.type), primitive)
    return isPlain ? `${self}.${fieldName(field)}` : `${read}(${self}, ${quote(wire)})`
  }
  const id = member('id', 'string', 'memberText')
  const time = member('occurred_at', 'date-time', 'memberTime')
  file.lines(
    `func (${self} *${type}) EventKind() string { return ${kind} }`,
    `func (${self} *${type}) EventID() string { return ${id} }`,
    `func (${self} *${type}) EventTime() time.Time { return ${time} }`,
    `func (${self} *${type}) isEvent() {}`,
    '',
  )
}

/** The runtime's forms of a digest, by their names in a contract. */
const FORMS: Readonly<Record<string, string>> = {
  hex: 'hexForm',
  base64: 'base64Form',
  base64url: 'base64URLForm',
}

function signatureFile(signature: Signature, { platform }: Api, sources: Sources): OutFile {
  const file = new GoFile('signature', sources.contract, platform.goPackage)
  writeSignature(signature, file)
  file.doc('signatureForms lists the encodings of a digest. SignWebhook uses the first one.')
  const forms = signature.encodings.map((encoding) => FORMS[encoding])
  return file.lines(`var signatureForms = []signatureForm{${forms.join(', ')}}`).finish()
}
