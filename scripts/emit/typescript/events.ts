import { indexOf } from '../../model/index.ts'
import { holding, idsOf, reachableFrom } from '../../model/reach.ts'
import type { Api, Signature } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { samplesOf } from '../core/samples.ts'
import { compareNames, TypeScriptFile } from './file.ts'
import { literal, propertyKey, quote } from './literal.ts'
import { typeText } from './references.ts'

/** The events and how they are signed; nothing where the contract does not say both. */
export function emitEvents(api: Api, sources: Sources): OutFile[] {
  if (!hasEvents(api)) return []
  return [
    eventsFile(api, sources),
    signatureFile(api.signature, api, sources),
    samplesFile(api, sources),
  ]
}

function eventsFile({ webhooks, decls }: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/events.ts', sources.contract)
  const payloads = webhooks.map(({ payload }) => payload)
  const types = [...reachableFrom(payloads.flatMap(idsOf), indexOf(decls).decl)].sort(compareNames)
  const kinds = webhooks.map(({ event }) => quote(event))
  file.lines(`export type { ${types.join(', ')} } from './types.js'`, '')
  file.doc('Every event of the contract. `event` is the discriminator.')
  file.lines(
    `export type KnownEvent = ${payloads.map((type) => typeText(type, file)).join(' | ')}`,
    '',
  )
  file.doc('The kind of an event of the contract.')
  file.lines("export type EventKind = KnownEvent['event']", '')
  file.doc('Every kind of event of the contract.')
  return file
    .lines(`export const eventKinds: readonly EventKind[] = [${kinds.join(', ')}]`)
    .finish()
}

function signatureFile(signature: Signature, api: Api, sources: Sources): OutFile {
  const { header, eventHeader, prefix, encodings } = signature
  const file = new TypeScriptFile('generated/signature.ts', sources.contract)
  file.doc('The encodings of a digest.')
  file.lines("export type SignatureEncoding = 'hex' | 'base64' | 'base64url'", '')
  file.doc('The parts of a signature. The digest is HMAC-SHA256 over the body.')
  file.lines(`export const SIGNATURE_HEADER = ${quote(header.toLowerCase())}`)
  file.lines(`export const SIGNATURE_EVENT_HEADER = ${quote(eventHeader.toLowerCase())}`)
  file.lines(`export const SIGNATURE_PREFIX = ${quote(prefix)}`, '')
  file.doc('`sign` uses the first one.')
  const type = 'readonly [SignatureEncoding, ...SignatureEncoding[]]'
  file.lines(`export const SIGNATURE_ENCODINGS: ${type} = ${literal(encodings)}`, '')
  file.doc('Reads the JSON of a delivery.')
  const isLarge = api.webhooks.map(({ payload }) => payload).some(holding('int64', api.decls))
  const parse = isLarge ? file.use('parseExact', 'core/json', 'value') : 'JSON.parse'
  return file.lines(`export const parseEvent: (text: string) => unknown = ${parse}`).finish()
}

/** As JSON, in which no key has a meaning to JavaScript and every number keeps its digits. */
function samplesFile(api: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/samples.ts', sources.contract)
  const kinds = file.use('EventKind', 'generated/events')
  const lines = samplesOf(api).map(
    ({ kind, envelope }) => `${propertyKey(kind)}: ${quote(JSON.stringify(envelope))},`,
  )
  file.doc('An event of each kind as JSON. `future` has a kind that is not in the contract.')
  const type = `Readonly<Record<${kinds} | 'future', string>>`
  return file.block(`export const samples: ${type} = {`, () => file.lines(...lines), '}').finish()
}
