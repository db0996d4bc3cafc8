import type { Api, StatusRange } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { hang } from './doc.ts'
import { PythonFile } from './file.ts'
import { literal, quote } from './literal.ts'

/** Constants of the runtime's behaviour. */
export function emitPolicy({ policy }: Api, sources: Sources): OutFile {
  const file = new PythonFile('_generated/policy.py', sources.behavior, 'How every SDK behaves.')
  for (const name of ['Final', 'Literal', 'TypeAlias']) file.use(name, 'typing')
  const { timeoutMs, retries, headers, errors, redaction, webhooks } = policy
  const outcomes = Object.entries(errors.outcomes)
  const list = outcomes.flatMap(([outcome, text]) => hang(`- \`${outcome}\`: ${text}`, file.width))
  choice('Outcome', Object.keys(errors.outcomes), file)
  file.doc('What is known about the effect of a request that failed:', list)

  const { unknownStatuses, maxMessageChars } = errors
  const { maxBodyBytes, maxNesting, tolerance, failures } = webhooks
  const groups: object[] = [
    { timeoutMs },
    { retries },
    { headers },
    { errors: { unknownStatuses, maxMessageChars } },
    { redaction },
    { webhooks: { maxBodyBytes, maxNesting, tolerance } },
  ]
  for (const group of groups) {
    file.lines('')
    for (const [path, value] of leaves(group)) constant(path, value, file)
  }
  file.lines('')
  const codes = failures.map(({ code }) => code)
  choice('WebhookFailure', codes, file)
  return file.doc('Why a delivery is refused, in the order in which it is checked.').finish()
}

function choice(name: string, values: readonly string[], file: PythonFile): void {
  file.lines(`${name}: TypeAlias = Literal[${values.map(quote).join(', ')}]`)
}

/** The values of a group by their keys; what is null is left out. */
function leaves(value: object, path: readonly string[] = []): Array<[string[], unknown]> {
  return Object.entries(value).flatMap(([key, item]): Array<[string[], unknown]> => {
    const at = [...path, key]
    if (item === null) return []
    return typeof item === 'object' && !Array.isArray(item) ? leaves(item, at) : [[at, item]]
  })
}

function constant(path: readonly string[], value: unknown, file: PythonFile): void {
  const name = path.map(shout).join('_')
  if (Array.isArray(value) && value.every(isRange)) {
    const pairs = value.map(({ from, to }) => [from, to])
    file.lines(`${name}: Final = ${literal(pairs)}`).doc('Ranges, both ends included.')
    return
  }
  file.lines(`${name}: Final = ${literal(value)}`)
}

function isRange(value: unknown): value is StatusRange {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

/** `maxBodyBytes` → `MAX_BODY_BYTES`. */
function shout(key: string): string {
  return key.replace(/[A-Z]/g, '_$&').toUpperCase()
}
