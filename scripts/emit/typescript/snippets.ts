import { indexOf } from '../../model/index.ts'
import type { Api, Field, TypeRef } from '../../model/types.ts'
import { assemble, type Code, type Dialect, type Snippet, type Value } from '../core/snippets.ts'
import { TypeScriptFile } from './file.ts'
import { literal, quote } from './literal.ts'
import { variable } from './naming.ts'
import { expression, member, noun } from './readme.ts'
import { typeText } from './references.ts'

/** A snippet as a user writes it: with `client`, or with the `event` of a handler. */
export function writeSnippet(snippet: Snippet, api: Api): string {
  const imports = new Imports()
  const code = assemble(snippet, dialectOf(api, imports))
  return `${imports.text(api.platform.npm)}${code}`
}

function dialectOf({ decls }: Api, imports: Imports): Dialect {
  const index = indexOf(decls)
  const mayLack = ({ field }: Value) =>
    field !== null && (field.mayBeAbsent || index.isNullable(field.type))
  const typeOf = (type: TypeRef | null, field: Field | null): string | null => {
    if (type === null) return null
    const absent = field?.mayBeAbsent && !index.isNullable(type) ? ' | undefined' : ''
    return `${typeText(type, imports)}${absent}`
  }
  return {
    unit: '  ',
    begin: (source) => {
      if (source.of === 'event') {
        const open = `if (event.event === ${quote(source.webhook.event)}) {`
        return { blocks: [[open, '}']], value: 'event' }
      }
      const { call } = source
      const made = expression(call)
      if (source.of === 'problem') return problem(made, imports)
      const name = noun(call)
      if (call.operation.page) {
        return { blocks: [[`for await (const ${name} of ${made}) {`, '}']], value: name }
      }
      if (call.operation.result.format === 'none') return { lines: [`await ${made}`], value: '' }
      return { lines: [`const ${name} = await ${made}`], value: name }
    },
    enter: (step, value): Code => {
      const { text } = value
      switch (step.of) {
        case 'field': {
          const blocks = mayLack(value) ? [[`if (${text}) {`, '}'] as const] : []
          return { blocks, value: member(text, step.field) }
        }
        case 'item': {
          const name = variable(step.noun)
          const list = mayLack(value) ? `${text} ?? []` : text
          return { blocks: [[`for (const ${name} of ${list}) {`, '}']], value: name }
        }
        case 'variant': {
          const tag = member(text, { wire: step.tag.property })
          const known = mayLack(value) ? `${text} && ` : ''
          const open = `if (${known}${tag} === ${quote(step.tag.value)}) {`
          return { blocks: [[open, '}']], value: text }
        }
      }
    },
    use: (use, { text, type, field }): Code => {
      switch (use.of) {
        case 'show': {
          const shown = use.fields.map((one) => member(text, one)).join(', ') || text
          return { lines: [`console.log(${shown})`], value: '' }
        }
        case 'store': {
          const declared = typeOf(type, field)
          const name = field ? variable(field.name) : null
          if (declared === null) return { lines: [`console.log(${text})`], value: '' }
          const stored = name && name !== text ? name : 'value'
          return {
            lines: [`const ${stored}: ${declared} = ${text}`, `console.log(${stored})`],
            value: '',
          }
        }
        case 'compare': {
          const value = literal(use.value)
          return {
            lines: [`if (${text} === ${value}) console.log(${quote(String(use.value))})`],
            value: '',
          }
        }
      }
    },
  }
}

function problem(made: string, imports: Imports): Code {
  imports.use('APIError', '', 'value')
  return {
    lines: ['try {', `  await ${made}`],
    blocks: [
      ['} catch (error) {', '}'],
      ['if (error instanceof APIError && error.problem) {', '}'],
    ],
    value: 'error.problem',
  }
}

/** The names that a snippet imports from the package. */
class Imports extends TypeScriptFile {
  readonly #names = new Map<string, string>()

  constructor() {
    super('snippet.ts', '')
  }

  override use(name: string, _module: string, kind: 'type' | 'value' = 'type'): string {
    if (this.#names.get(name) !== name) {
      this.#names.set(name, kind === 'value' ? name : `type ${name}`)
    }
    return name
  }

  text(npm: string): string {
    const names = [...this.#names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
    return names.length > 0 ? `import { ${names.join(', ')} } from ${quote(npm)}\n\n` : ''
  }
}
