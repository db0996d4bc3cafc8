import type { Api, StatusRange } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { apart, type RubyWriter, rubyFile } from './file.ts'
import { isWord, literal } from './literal.ts'
import { snakeKey } from './naming.ts'

/** Constants of the runtime's behaviour. */
export function emitPolicy({ platform, policy }: Api, sources: Sources): OutFile {
  const { timeoutMs, retries, headers, errors, redaction, webhooks } = policy
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
  return rubyFile(platform, 'policy', sources.behavior, (file) => {
    const constants = groups.map((group) => () => {
      for (const [path, value] of leaves(group)) constant(path, value, file)
    })
    const module = () => {
      apart(file, constants)
      file.doc('Why a delivery is refused, in the order in which it is checked.')
      const codes = failures.map(({ code }) => code)
      file.lines(file.list('WEBHOOKS_FAILURES = %i[', codes, '].freeze', ' '))
    }
    const core = () => {
      file.doc('How every client behaves.').tags(['@api private'])
      file.block('module Policy', module, 'end')
    }
    file.block('module Core', core, 'end')
  })
}

/** The values of a group by their keys; what is null is left out. */
function leaves(value: object, path: readonly string[] = []): Array<[string[], unknown]> {
  return Object.entries(value).flatMap(([key, item]): Array<[string[], unknown]> => {
    const at = [...path, key]
    if (item === null) return []
    const isGroup = typeof item === 'object' && !Array.isArray(item) && !isRange(item)
    return isGroup ? leaves(item, at) : [[at, item]]
  })
}

function constant(path: readonly string[], value: unknown, file: RubyWriter): void {
  const open = `${path.map(snakeKey).join('_').toUpperCase()} = `
  if (isRange(value))
    file.lines(file.list(`${open}[`, [value.from, value.to].map(literal), '].freeze'))
  else if (!Array.isArray(value)) file.lines(open + literal(value))
  else if (value.every((item) => typeof item === 'string' && isWord(item))) {
    file.lines(file.list(`${open}%w[`, value, '].freeze', ' '))
  } else file.lines(file.list(`${open}[`, value.map(element), '].freeze'))
}

function element(value: unknown): string {
  return isRange(value) ? `${value.from}..${value.to}` : literal(value)
}

function isRange(value: unknown): value is StatusRange {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}
