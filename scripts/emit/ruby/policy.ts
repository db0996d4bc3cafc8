import type { Api } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { constantName, hintsOf, isRange, leaves, policyGroups } from '../core/policy.ts'
import { apart, type RubyWriter, rubyFile } from './file.ts'
import { isWord, literal, quote } from './literal.ts'

/** Constants of the runtime's behaviour. */
export function emitPolicy(api: Api, sources: Sources): OutFile {
  const { platform, policy } = api
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
      if (!hasEvents(api)) return
      file.doc('The probable cause of each refusal.')
      const hints = hintsOf(policy, api.signature)
      const texts = () =>
        file.lines(hints.map(({ code, hint }) => entry(code, quote(hint), file)).join(',\n'))
      file.block('WEBHOOKS_HINTS = {', texts, '}.freeze')
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

/** An entry of a hash, with a long value in a line of its own. */
function entry(key: string, value: string, file: RubyWriter): string {
  const line = `${key}: ${value}`
  return file.fits(`${line},`) ? line : `${key}:\n  ${value}`
}

function element(value: unknown): string {
  return isRange(value) ? `${value.from}..${value.to}` : literal(value)
}
