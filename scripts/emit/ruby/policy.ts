import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { constantName, isRange, leaves, policyGroups } from '../core/policy.ts'
import { apart, type RubyWriter, rubyFile } from './file.ts'
import { isWord, literal } from './literal.ts'

/** Constants of the runtime's behaviour. */
export function emitPolicy({ platform, policy }: Api, sources: Sources): OutFile {
  return rubyFile(platform, 'policy', sources.behavior, (file) => {
    const constants = policyGroups(policy).map((group) => () => {
      for (const [path, value] of leaves(group, isRange)) constant(path, value, file)
    })
    const module = () => {
      apart(file, constants)
      file.doc(
        'The reasons to refuse a delivery, in the order of the checks, each with the status to return.',
      )
      const rows = policy.webhooks.failures.map(({ code, status }) => `${code}: ${status}`)
      file.block('WEBHOOKS_REFUSALS = {', () => file.lines(rows.join(',\n')), '}.freeze')
    }
    const core = () => {
      file.doc('How every client behaves.').tags(['@api private'])
      file.block('module Policy', module, 'end')
    }
    file.block('module Core', core, 'end')
  })
}

function constant(path: readonly string[], value: unknown, file: RubyWriter): void {
  const open = `${constantName(path)} = `
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
