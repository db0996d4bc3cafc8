import { indexOf } from '../../model/index.ts'
import type { Api, Field } from '../../model/types.ts'
import { assemble, type Code, type Dialect, type Snippet, type Value } from '../core/snippets.ts'
import { Declarations } from './declarations.ts'
import { literal, quote } from './literal.ts'
import { constant, member, variable } from './naming.ts'
import { expression, noun } from './readme.ts'
import { References } from './references.ts'

/** A snippet as a user writes it: with `client`, or with the `event` of a handler. */
export function writeSnippet(snippet: Snippet, api: Api): string {
  return assemble(snippet, dialectOf(api))
}

function dialectOf(api: Api): Dialect {
  const { rubyModule } = api.platform
  const index = indexOf(api.decls)
  const declarations = new Declarations(api)
  const references = new References(api)
  const classOf = (id: string) => `${rubyModule}::${constant(id)}`
  const mayLack = ({ field }: Value) =>
    field !== null && (field.mayBeAbsent || index.isNullable(field.type))
  const dot = (value: Value) => `${value.text}${mayLack(value) ? '&' : ''}.`
  return {
    unit: '  ',
    begin: (source): Code => {
      if (source.of === 'event') {
        return {
          blocks: [[`case event\nwhen ${classOf(source.payload.id)}`, 'end']],
          value: 'event',
        }
      }
      const { call } = source
      const made = expression(call, declarations, [])
      if (source.of === 'problem') {
        const lines = ['begin', ...made.split('\n').map((line) => `  ${line}`)]
        const rescue = `rescue ${rubyModule}::APIError => e`
        return {
          lines,
          blocks: [
            [rescue, 'end'],
            ['if e.problem', 'end'],
          ],
          value: 'e.problem',
        }
      }
      const name = noun(call)
      const { page, result } = call.operation
      if (page) return { blocks: [[`${made}.auto_paging_each do |${name}|`, 'end']], value: name }
      if (result.format === 'none') return { lines: [made], value: '' }
      return { lines: [`${name} = ${made}`], value: name }
    },
    enter: (step, value): Code => {
      switch (step.of) {
        case 'field':
          return { value: `${dot(value)}${member(step.field.name)}` }
        case 'item': {
          const name = variable(step.noun)
          return { blocks: [[`${dot(value)}each do |${name}|`, 'end']], value: name }
        }
        case 'variant': {
          const open = `if ${value.text}.is_a?(${classOf(step.model.id)})`
          return { blocks: [[open, 'end']], value: value.text }
        }
      }
    },
    use: (use, { text, type }): Code => {
      switch (use.of) {
        case 'show':
          return { lines: [`puts ${shown(text, use.fields)}`], value: '' }
        case 'store': {
          const known = type ? ` # ${references.yard(type)}` : ''
          return { lines: [`puts ${text}${known}`], value: '' }
        }
        case 'compare': {
          const said = quote(String(use.value))
          return { lines: [`puts ${said} if ${text} == ${literal(use.value)}`], value: '' }
        }
      }
    },
  }
}

function shown(text: string, fields: readonly Field[]): string {
  const read = fields.map(({ name }) => `${text}.${member(name)}`)
  if (read.length < 2) return read[0] ?? text
  return `"${read.map((one) => `#{${one}}`).join(' ')}"`
}
