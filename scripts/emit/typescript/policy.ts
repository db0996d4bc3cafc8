import type { Api } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { constantName, hintsOf, isRange, leaves, policyGroups } from '../core/policy.ts'
import { TypeScriptFile } from './file.ts'
import { literal, quote } from './literal.ts'

/** Constants of the runtime's behaviour, one by one, so that a bundler can drop and inline each. */
export function emitPolicy(api: Api, sources: Sources): OutFile {
  const { policy } = api
  const file = new TypeScriptFile('generated/policy.ts', sources.behavior)
  const { errors, webhooks } = policy
  const outcomes = Object.entries(errors.outcomes)
  file.doc(
    'Whether a failed request may have had an effect:',
    outcomes.map(([outcome, text]) => `- \`${outcome}\`: ${text}`).join('\n'),
  )
  file.lines(`export type Outcome = ${outcomes.map(([outcome]) => quote(outcome)).join(' | ')}`)
  file.lines('').doc('How much a client logs, from nothing to everything.')
  file.lines(`export type LogLevel = ${policy.log.levels.map(quote).join(' | ')}`)

  for (const group of policyGroups(policy)) {
    file.lines('')
    for (const [path, value] of leaves(group)) constant(path, value, file)
  }
  file.lines('').doc('Why a delivery is refused, in the order of the checks.')
  const codes = webhooks.failures.map(({ code }) => quote(code))
  file.lines(`export type WebhookFailure = ${codes.join(' | ')}`, '')
  file.doc('The status that a receiver returns for each refusal.')
  const statuses = Object.fromEntries(webhooks.failures.map(({ code, status }) => [code, status]))
  const type = 'Readonly<Record<WebhookFailure, number>>'
  file.lines(`export const WEBHOOKS_REFUSALS: ${type} = ${literal(statuses)}`)
  if (hasEvents(api)) hints(hintsOf(policy, api.signature), file)
  return file.finish()
}

function hints(all: ReturnType<typeof hintsOf>, file: TypeScriptFile): void {
  const texts = Object.fromEntries(all.map(({ code, hint }) => [code, hint]))
  file.lines('').doc('The probable cause of each refusal.')
  const type = 'Readonly<Record<WebhookFailure, string>>'
  file.lines(`export const WEBHOOKS_HINTS: ${type} = ${literal(texts)}`)
}

function constant(path: readonly string[], value: unknown, file: TypeScriptFile): void {
  const name = constantName(path)
  if (Array.isArray(value) && value.every(isRange)) {
    const pairs = value.map(({ from, to }) => [from, to])
    const type = 'readonly (readonly [from: number, to: number])[]'
    file.doc('Ranges, both ends included.')
    file.lines(`export const ${name}: ${type} = ${literal(pairs)}`)
    return
  }
  file.lines(`export const ${name} = ${literal(value)}`)
}
