import type { Api, StatusRange } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { TypeScriptFile } from './file.ts'
import { literal, quote } from './literal.ts'

/** Constants of the runtime's behaviour, one by one, so that a bundler can drop and inline each. */
export function emitPolicy({ policy }: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/policy.ts', sources.behavior)
  const { timeoutMs, retries, headers, errors, redaction, webhooks } = policy
  const outcomes = Object.entries(errors.outcomes)
  file.doc(
    'What is known about the effect of a request that failed:',
    outcomes.map(([outcome, text]) => `- \`${outcome}\`: ${text}`).join('\n'),
  )
  file.lines(`export type Outcome = ${outcomes.map(([outcome]) => quote(outcome)).join(' | ')}`)

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
  file.lines('').doc('Why a delivery is refused, in the order in which it is checked.')
  return file
    .lines(`export type WebhookFailure = ${failures.map(({ code }) => quote(code)).join(' | ')}`)
    .finish()
}

/** The values of a group by their keys; what is null is left out. */
function leaves(value: object, path: readonly string[] = []): Array<[string[], unknown]> {
  return Object.entries(value).flatMap(([key, item]): Array<[string[], unknown]> => {
    const at = [...path, key]
    if (item === null) return []
    return typeof item === 'object' && !Array.isArray(item) ? leaves(item, at) : [[at, item]]
  })
}

function constant(path: readonly string[], value: unknown, file: TypeScriptFile): void {
  const name = path.map(shout).join('_')
  if (Array.isArray(value) && value.every(isRange)) {
    const pairs = value.map(({ from, to }) => [from, to])
    const type = 'readonly (readonly [from: number, to: number])[]'
    file.doc('Ranges, both ends included.')
    file.lines(`export const ${name}: ${type} = ${literal(pairs)}`)
    return
  }
  file.lines(`export const ${name} = ${literal(value)}`)
}

function isRange(value: unknown): value is StatusRange {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

/** `maxBodyBytes` → `MAX_BODY_BYTES`. */
function shout(key: string): string {
  return key.replace(/[A-Z]/g, '_$&').toUpperCase()
}
