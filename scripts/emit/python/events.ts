import type { Api, Signature } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { PythonFile } from './file.ts'
import { literal, quote } from './literal.ts'
import { readerOf, scopeOf, typeText } from './references.ts'
import { emitSamples } from './samples.ts'

/** The events and how they are signed; nothing where the contract does not say both. */
export function emitEvents(api: Api, sources: Sources): OutFile[] {
  if (!hasEvents(api)) return []
  const { signature } = api
  return [eventsFile(api, sources), signatureFile(signature, sources), emitSamples(api, sources)]
}

function eventsFile(api: Api, sources: Sources): OutFile {
  const summary = 'The event kinds of the contract.'
  const file = new PythonFile('_generated/events.py', sources.contract, summary)
  const scope = scopeOf(api, file)
  const alias = file.use('TypeAlias', 'typing')
  const kinds = api.webhooks.map(({ event }) => quote(event))
  const types = api.webhooks.map(({ payload }) => typeText(payload, scope))
  file.lines(`KnownEvent: ${alias} = ${types.join(' | ')}`)
  file.doc('An event of a kind in the contract. Each kind has its class.').lines('')
  file.lines(`EventKind: ${alias} = ${file.use('Literal', 'typing')}[${kinds.join(', ')}]`)
  file.doc('An event kind of the contract.').lines('')
  file.lines(`EVENT_KINDS: tuple[EventKind, ...] = (${kinds.join(', ')},)`)
  file.doc('All event kinds of the contract.').lines('')

  const callable = file.use('Callable', 'collections.abc')
  const reader = `${callable}[[${file.use('Any', 'typing')}], KnownEvent]`
  const write = () => {
    for (const { event, payload } of api.webhooks) {
      file.lines(`${quote(event)}: ${readerOf(payload, scope)},`)
    }
  }
  return file
    .block(`READERS: ${file.use('Mapping', 'collections.abc')}[str, ${reader}] = {`, write, '}')
    .doc('The functions that read events, by kind.')
    .finish()
}

function signatureFile(signature: Signature, sources: Sources): OutFile {
  const { header, eventHeader, prefix, encodings } = signature
  const summary = 'The format of signatures. The digest is the HMAC-SHA256 of the body.'
  const file = new PythonFile('_generated/signature.py', sources.contract, summary)
  const final = file.use('Final', 'typing')
  const alias = file.use('TypeAlias', 'typing')
  const choice = file.use('Literal', 'typing')
  return file
    .lines(`SIGNATURE_HEADER: ${final} = ${quote(header.toLowerCase())}`)
    .lines(`SIGNATURE_EVENT_HEADER: ${final} = ${quote(eventHeader.toLowerCase())}`)
    .lines(`SIGNATURE_PREFIX: ${final} = ${quote(prefix)}`, '')
    .lines(`SignatureEncoding: ${alias} = ${choice}[${encodings.map(quote).join(', ')}]`)
    .doc('An encoding of the digest.')
    .lines('', `SIGNATURE_ENCODINGS: ${final} = ${literal(encodings)}`)
    .doc('All encodings. `sign` uses the first one.')
    .finish()
}
