import type { Api } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { grouped } from '../core/literal.ts'
import { constantName, hintsOf, isRange, leaves, policyGroups } from '../core/policy.ts'
import { hang } from './doc.ts'
import { PythonFile } from './file.ts'
import { literal, quote } from './literal.ts'

/** Constants of the runtime's behaviour. */
export function emitPolicy(api: Api, sources: Sources): OutFile {
  const { policy } = api
  const file = new PythonFile('_generated/policy.py', sources.behavior, 'How every SDK behaves.')
  for (const name of ['Final', 'Literal', 'TypeAlias']) file.use(name, 'typing')
  const { errors, webhooks } = policy
  const outcomes = Object.entries(errors.outcomes)
  const list = outcomes.flatMap(([outcome, text]) => hang(`- \`${outcome}\`: ${text}`, file.width))
  choice('Outcome', Object.keys(errors.outcomes), file)
  file.doc('Whether a failed request may have taken effect:', list)
  file.lines('')
  choice('LogLevel', policy.log.levels, file)
  file.doc('How much a client logs, from nothing to everything.')

  for (const group of policyGroups(policy)) {
    file.lines('')
    for (const [path, value] of leaves(group)) constant(path, value, file)
  }
  file.lines('')
  const codes = webhooks.failures.map(({ code }) => code)
  choice('WebhookFailure', codes, file)
  file.doc('The reasons to refuse a delivery, in the order of the checks.').lines('')
  const statuses = webhooks.failures.map(({ code, status }) => `${quote(code)}: ${status},`)
  mapping('WEBHOOKS_REFUSALS', 'int', statuses, file)
  file.doc('The status of the response to each refusal.')
  if (hasEvents(api)) {
    const hints = hintsOf(policy, api.signature)
    const texts = hints.map(({ code, hint }) => `${quote(code)}: ${quote(hint)},`)
    mapping('WEBHOOKS_HINTS', 'str', texts, file.lines(''))
    file.doc('The probable cause of each refusal.')
  }
  return file.finish()
}

/** A mapping by the codes of refusals. */
function mapping(name: string, value: string, entries: readonly string[], file: PythonFile): void {
  const type = `Final[${file.use('Mapping', 'collections.abc')}[WebhookFailure, ${value}]]`
  file.block(`${name}: ${type} = {`, () => file.lines(...entries), '}')
}

function choice(name: string, values: readonly string[], file: PythonFile): void {
  file.lines(`${name}: TypeAlias = Literal[${values.map(quote).join(', ')}]`)
}

function constant(path: readonly string[], value: unknown, file: PythonFile): void {
  const name = constantName(path)
  if (Array.isArray(value) && value.every(isRange)) {
    const pairs = value.map(({ from, to }) => [from, to])
    file.lines(`${name}: Final = ${literal(pairs)}`).doc('Ranges, including both ends.')
    return
  }
  file.lines(`${name}: Final = ${typeof value === 'number' ? grouped(value) : literal(value)}`)
}
