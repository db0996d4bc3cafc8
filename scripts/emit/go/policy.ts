import type { Api, Policy } from '../../model/types.ts'
import { words } from '../../model/words.ts'
import { listed } from '../core/comment.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { hintsOf, isRange, type Leaf, leaves } from '../core/policy.ts'
import { canonical } from './contract.ts'
import { clause } from './doc.ts'
import { GoFile, WIDTH } from './file.ts'
import { literal, quote } from './literal.ts'
import { pascal } from './naming.ts'

/** The constants of the runtime's behaviour. Only those that it uses: linters refuse the rest. */
export function emitPolicy(api: Api, sources: Sources): OutFile {
  const { policy, platform } = api
  const file = new GoFile('policy', sources.behavior, platform.goPackage)
  file.use('log/slog').use('time')
  const { timeoutMs, retries, errors, mismatches: unexpected, redaction, webhooks } = policy
  const { authorization: _, ...names } = policy.headers
  const headers = Object.fromEntries(
    Object.entries(names).map(([key, name]) => [key, canonical(name)]),
  )
  const { unknownStatuses, maxMessageChars, reasons } = errors
  const { failures: _failures, stores: _stores, tolerance: _tolerance, ...receiving } = webhooks

  file.doc('Outcome says whether a failed request had an effect.')
  file.lines('type Outcome string', '')
  const outcomes = () => {
    for (const [outcome, text] of Object.entries(errors.outcomes)) {
      const name = `Outcome${pascal(words(outcome))}`
      file.doc(`${name} means that ${clause(text)}`).lines(`${name} Outcome = ${quote(outcome)}`)
    }
  }
  file.block('const (', outcomes, ')')

  const groups: object[] = [
    { timeoutMs },
    { retries },
    { headers },
    { errors: { maxMessageChars, unknownStatuses, reasons } },
    { mismatches: unexpected },
    { redaction },
    hasEvents(api) ? { webhooks: receiving } : {},
  ]
  for (const group of groups) {
    const all = leaves(group)
    declare(
      'const',
      all.filter(([, value]) => !Array.isArray(value)),
      file,
    )
    declare(
      'var',
      all.filter(([, value]) => Array.isArray(value)),
      file,
    )
  }
  declareLevels(policy.log, file)
  if (hasEvents(api)) {
    declareCodes(webhooks.failures, file)
    const hints = () => {
      for (const { code, hint } of hintsOf(policy, api.signature)) {
        file.lines(`WebhookCode${pascal(words(code))}: ${quote(hint)},`)
      }
    }
    file.lines('').doc('webhookHints holds the probable cause of each refusal.')
    file.block('var webhookHints = map[string]string{', hints, '}')
  }
  return file.finish()
}

function declareLevels({ levels, level, events }: Policy['log'], file: GoFile): void {
  const constants = () => {
    file.lines(`policyLogNames = ${quote(listed(levels))}`)
    for (const [path, value] of leaves({ log: { level, events } })) {
      file.lines(`${nameOf(path)} = ${slogLevel(String(value))}`)
    }
  }
  file.lines('').block('const (', constants, ')').lines('')
  file.doc('policyLogLevels holds the levels by their names.')
  const byName = () => {
    for (const name of levels) file.lines(`${quote(name)}: ${slogLevel(name)},`)
  }
  file.block('var policyLogLevels = map[string]slog.Level{', byName, '}')
}

/** A level of the log; slog has none that logs nothing. */
function slogLevel(name: string): string {
  return name === 'off' ? 'LogOff' : `slog.Level${pascal(words(name))}`
}

function declareCodes(failures: Policy['webhooks']['failures'], file: GoFile): void {
  file.lines('').doc('The codes of a [WebhookVerificationError], in the order of the checks.')
  const codes = () => {
    for (const { code } of failures) {
      file.lines(`WebhookCode${pascal(words(code))} = ${quote(code)}`)
    }
  }
  file.block('const (', codes, ')').lines('')
  file.doc('webhookRefusals holds the status that a receiver returns for each refusal.')
  const statuses = () => {
    for (const { code, status } of failures) {
      file.lines(`WebhookCode${pascal(words(code))}: ${status},`)
    }
  }
  file.block('var webhookRefusals = map[string]int{', statuses, '}')
}

/** One declaration, or a block of several. */
function declare(keyword: 'const' | 'var', all: readonly Leaf[], file: GoFile): void {
  if (all.length === 0) return
  file.lines('')
  if (all.length > 1) {
    const inside = () => {
      for (const leaf of all) write('', leaf, file)
    }
    file.block(`${keyword} (`, inside, ')')
    return
  }
  for (const leaf of all) write(`${keyword} `, leaf, file)
}

function write(before: string, [path, value]: Leaf, file: GoFile): void {
  const key = path.at(-1) ?? ''
  const isDuration = key.endsWith('Ms')
  const keys = [...path.slice(0, -1), isDuration ? key.slice(0, -2) : key]
  const name = nameOf(keys)
  if (Array.isArray(value)) {
    list(`${before}${name}`, name, value, file)
    return
  }
  const text = typeof value === 'boolean' ? `${value}` : literal(value as string | number)
  file.lines(`${before}${name} = ${text}${isDuration ? ' * time.Millisecond' : ''}`)
}

function nameOf(path: readonly string[]): string {
  return `policy${path.map((part) => pascal(words(part))).join('')}`
}

function list(target: string, name: string, values: readonly unknown[], file: GoFile): void {
  const { type, items } = itemsOf(values)
  if (type === '[2]int') file.doc(`${name} holds ranges, both ends included.`)
  const line = `${target} = []${type}{${items.join(', ')}}`
  if (line.length + file.indentation <= WIDTH) file.lines(line)
  else
    file.block(`${target} = []${type}{`, () => file.lines(...items.map((item) => `${item},`)), '}')
}

function itemsOf(values: readonly unknown[]): { type: string; items: string[] } {
  if (values.every(isRange)) {
    return { type: '[2]int', items: values.map(({ from, to }) => `{${from}, ${to}}`) }
  }
  if (values.every((value) => typeof value === 'number')) {
    return { type: 'int', items: values.map(literal) }
  }
  return { type: 'string', items: values.map((value) => quote(String(value))) }
}
