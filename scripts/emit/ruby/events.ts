import type { Api, Signature } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { samplesOf } from '../core/samples.ts'
import { type RubyWriter, rubyFile, signatureFile } from './file.ts'
import { heredoc, isWord, quote } from './literal.ts'
import { baseError } from './names.ts'
import type { References } from './references.ts'

/** The events, the format of signatures, and samples. Empty unless the contract describes both. */
export function emitEvents(api: Api, references: References, sources: Sources): OutFile[] {
  if (!hasEvents(api)) return []
  return [
    eventsFile(api, references, sources),
    signingFile(api.signature, api, sources),
    samplesFile(api, sources),
    signatures(api, references, sources),
  ]
}

function eventsFile({ platform, webhooks }: Api, references: References, sources: Sources) {
  const rows = webhooks.map(
    ({ event, payload }) => `${quote(event)} => ${references.matched(payload)}`,
  )
  return rubyFile(platform, 'events', sources.contract, (file) => {
    const kinds = () => {
      file.doc('All event kinds of the contract.')
      const names = webhooks.map(({ event }) => event)
      file.lines(strings('EVENT_KINDS', names, file))
    }
    file.block('class Webhooks', kinds, 'end').lines('')
    file.doc('An event of a kind in the contract. Its field `event` selects the class.')
    const hash = () => file.block('{', () => file.lines(rows.join(',\n')), '}')
    file.block('KnownEvent = Core::Union.new(tag: "event") do', hash, 'end')
  })
}

function signingFile(signature: Signature, { platform }: Api, sources: Sources) {
  const { header, eventHeader, prefix, encodings } = signature
  return rubyFile(platform, 'signature', sources.contract, (file) => {
    const constants = () => {
      file.doc('The format of signatures. The digest is the HMAC-SHA256 of the body.')
      file.lines(`SIGNATURE_HEADER = ${quote(header.toLowerCase())}`)
      file.lines(`EVENT_HEADER = ${quote(eventHeader.toLowerCase())}`)
      file.lines(`SIGNATURE_PREFIX = ${quote(prefix)}`, '')
      file.doc('The encodings of the digest. `sign` uses the first one.')
      file.lines(strings('SIGNATURE_ENCODINGS', encodings, file))
    }
    file.block('class Webhooks', constants, 'end')
  })
}

function samplesFile(api: Api, sources: Sources) {
  const json = Object.fromEntries(samplesOf(api).map(({ kind, envelope }) => [kind, envelope]))
  return rubyFile(api.platform, 'samples', sources.contract, (file) => {
    const constant = () => {
      file.doc('An event of each kind, in JSON.').tags(['@api private'])
      file.lines(heredoc('SAMPLES', 'JSON', JSON.stringify(json, null, 2)))
    }
    file.block('module Testing', constant, 'end')
  })
}

function strings(name: string, values: readonly string[], file: RubyWriter): string {
  const areWords = values.length > 1 && values.every(isWord)
  return areWords
    ? file.list(`${name} = %w[`, values, '].freeze', ' ')
    : file.list(`${name} = [`, values.map(quote), '].freeze')
}

/** With the superclass of the webhook error, because only generated files may name the base error. */
function signatures(api: Api, references: References, sources: Sources) {
  const { platform, policy, webhooks } = api
  const payloads = webhooks.map(({ payload }) => references.out(payload))
  const codes = policy.webhooks.failures.map(({ code }) => `:${code}`)
  return signatureFile(platform, 'events', sources.contract, (file) => {
    file.lines(`class WebhookVerificationError < ${baseError(api)}`, 'end', '')
    file.lines('KnownEvent: Core::Union', '')
    file.lines(oneOf('known_event', [...new Set(payloads)]), '')
    const failure = () => file.lines(oneOf('failure', codes))
    file.block('class Webhooks', failure, 'end')
  })
}

/** A type of RBS, with one alternative per line. */
function oneOf(name: string, types: readonly string[]): string {
  const start = `type ${name} = `
  return start + types.join(`\n${' '.repeat(start.length - 2)}| `)
}
