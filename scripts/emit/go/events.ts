import type { Api, Signature } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { GoFile } from './file.ts'
import { quote } from './literal.ts'
import { Types } from './references.ts'

/** The events and how they are signed; nothing where the contract does not say both. */
export function emitEvents(api: Api, sources: Sources): OutFile[] {
  const { signature, webhooks } = api
  if (!signature || webhooks.length === 0) return []
  return [eventsFile(api, sources), signatureFile(signature, api, sources)]
}

function eventsFile(api: Api, sources: Sources): OutFile {
  const types = new Types(api)
  const file = new GoFile('events', sources.contract, api.platform.goPackage)
  const events = api.webhooks.flatMap(({ event, payload }) => {
    const model = types.model(payload)
    return model ? [{ kind: quote(event), type: types.name(model.id) }] : []
  })
  file.lines(...events.map(({ type }) => `func (*${type}) isEvent() {}`), '')
  file.doc('newEvent returns the type of a kind; that of a kind that is not known holds any event.')
  const choose = () => {
    for (const { kind, type } of events) file.lines(`case ${kind}:`, `\treturn &${type}{}`)
    file.lines('default:', '\treturn &UnknownEvent{}')
  }
  const body = () => file.block('switch kind {', choose, '}')
  return file.block('func newEvent(kind string) Event {', body, '}').finish()
}

/** The runtime's forms of a digest, by their names in a contract. */
const FORMS: Readonly<Record<string, string>> = {
  hex: 'hexForm',
  base64: 'base64Form',
  base64url: 'base64URLForm',
}

function signatureFile(
  { header, eventHeader, prefix, encodings }: Signature,
  { platform }: Api,
  sources: Sources,
): OutFile {
  const file = new GoFile('signature', sources.contract, platform.goPackage)
  file.doc('How deliveries are signed; the digest is HMAC-SHA256 over the body.')
  const constants = () => {
    file.lines(`signatureHeader = ${quote(header)}`)
    file.lines(`signatureEventHeader = ${quote(eventHeader)}`)
    file.lines(`signaturePrefix = ${quote(prefix)}`)
  }
  file.block('const (', constants, ')').lines('')
  file.doc(
    'signatureForms says how the digest may be written. The first one is that of SignWebhook.',
  )
  const forms = encodings.map((encoding) => FORMS[encoding])
  return file.lines(`var signatureForms = []signatureForm{${forms.join(', ')}}`).finish()
}
