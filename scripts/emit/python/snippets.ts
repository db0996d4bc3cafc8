import { indexOf } from '../../model/index.ts'
import { idsOf } from '../../model/reach.ts'
import type { Api, Field, Model, TypeRef } from '../../model/types.ts'
import { assemble, type Code, type Dialect, type Snippet, type Value } from '../core/snippets.ts'
import { PythonFile } from './file.ts'
import { formatCode } from './format.ts'
import { literal, quote } from './literal.ts'
import { attribute } from './naming.ts'
import { compareMembers } from './order.ts'
import { Writer } from './readme.ts'
import { alternatives, type Scope, scopeOf, typeText } from './references.ts'

/** A snippet as a user writes it: with `client`, or with the `event` of a handler. */
export function writeSnippet(snippet: Snippet, api: Api): string {
  const names = new Set<string>()
  const file = new PythonFile('snippet.py', '', '')
  const scope: Scope = { ...scopeOf(api, file), isTypes: true }
  const code = assemble(snippet, dialectOf(api, scope, names))
  const types = STANDARD.flatMap(({ name, line }) => (name.test(code) ? [line] : []))
  const own = [...names].sort(compareMembers).join(', ')
  const imports = [
    ...types,
    ...(own ? [`from ${api.platform.pythonImport} import ${own}`] : []),
  ].join('\n\n')
  return formatCode(imports ? `${imports}\n\n${code}` : code)
}

/** The imports of the standard library that annotations need. */
const STANDARD = [
  { name: /\bdt\./, line: 'import datetime as dt' },
  { name: /: (?:.*\W)?Any\b/, line: 'from typing import Any' },
  { name: /\bLiteral\[/, line: 'from typing import Literal' },
]

function dialectOf(api: Api, scope: Scope, names: Set<string>): Dialect {
  const index = indexOf(api.decls)
  const writer = new Writer(api)
  const use = (name: string) => {
    names.add(name)
    return name
  }
  const mayLack = ({ field }: Value) =>
    field !== null && (field.mayBeAbsent || index.isNullable(field.type))
  const modelOf = ({ type }: Value): Model | undefined =>
    type ? index.model(index.nonNull(type)) : undefined
  const typeOf = (type: TypeRef, field: Field | null): string => {
    for (const id of idsOf(type)) use(id)
    const text = typeText(type, scope)
    if (!field?.mayBeAbsent) return text
    return index.isNullable(type)
      ? alternatives([text, use('Unset')])
      : alternatives([text, 'None'])
  }
  return {
    unit: '    ',
    begin: (source): Code => {
      if (source.of === 'event') {
        const open = `if isinstance(event, ${use(source.payload.id)}):`
        return { blocks: [[open, null]], value: 'event' }
      }
      const { call } = source
      for (const name of writer.classes(call)) use(name)
      const made = writer.call(call)
      if (source.of === 'problem') {
        return {
          lines: ['try:', ...made.split('\n').map((line) => `    ${line}`)],
          blocks: [
            [`except ${use('APIError')} as error:`, null],
            ['if error.problem:', null],
          ],
          value: 'error.problem',
        }
      }
      const name = writer.noun(call)
      if (call.operation.page) return { blocks: [[`for ${name} in ${made}:`, null]], value: name }
      if (call.operation.result.format === 'none') return { lines: [made], value: '' }
      return { lines: [`${name} = ${made}`], value: name }
    },
    enter: (step, value): Code => {
      const { text } = value
      switch (step.of) {
        case 'field': {
          const model = mayLack(value) ? modelOf(value) : undefined
          const open = model && `if isinstance(${text}, ${use(model.id)}):`
          const name = attribute(step.field.name)
          return { blocks: open ? [[open, null]] : [], value: `${text}.${name}` }
        }
        case 'item': {
          const name = attribute(step.noun)
          const list = mayLack(value) ? `${text} or []` : text
          return { blocks: [[`for ${name} in ${list}:`, null]], value: name }
        }
        case 'variant': {
          const open = `if isinstance(${text}, ${use(step.model.id)}):`
          return { blocks: [[open, null]], value: text }
        }
      }
    },
    use: (how, { text, type, field }): Code => {
      switch (how.of) {
        case 'show': {
          const shown = how.fields.map(({ name }) => `${text}.${attribute(name)}`).join(', ')
          return { lines: [`print(${shown || text})`], value: '' }
        }
        case 'store': {
          if (!type) return { lines: [`print(${text})`], value: '' }
          const own = field ? attribute(field.name) : 'value'
          const name = own === text ? 'value' : own
          return {
            lines: [`${name}: ${typeOf(type, field)} = ${text}`, `print(${name})`],
            value: '',
          }
        }
        case 'compare': {
          const said = `    print(${quote(String(how.value))})`
          return { lines: [`if ${text} == ${literal(how.value)}:`, said], value: '' }
        }
      }
    },
  }
}
