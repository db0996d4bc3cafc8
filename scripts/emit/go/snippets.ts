import type { Api, Field } from '../../model/types.ts'
import type { Call } from '../core/examples.ts'
import { assemble, type Code, type Dialect, type Snippet, type Value } from '../core/snippets.ts'
import { fieldType } from './fields.ts'
import { GoFile } from './file.ts'
import { literal, quote } from './literal.ts'
import { allName, argument, fieldName, valueNames } from './naming.ts'
import { Writer } from './readme.ts'
import { isRequired, Types } from './references.ts'

/** A snippet as a user writes it: with `ctx` and `client`, or with the `event` of a handler. */
export function writeSnippet(snippet: Snippet, api: Api): string {
  return assemble(snippet, dialectOf(api))
}

/** The types as another package names them. */
class ForeignTypes extends Types {
  readonly #goPackage: string

  constructor(api: Api) {
    super(api)
    this.#goPackage = api.platform.goPackage
  }

  override name(id: string): string {
    return `${this.#goPackage}.${super.name(id)}`
  }
}

type Guard = readonly [open: string, close: string]

function dialectOf(api: Api): Dialect {
  const { goPackage } = api.platform
  const types = new ForeignTypes(api)
  const writer = new Writer(api)
  const file = new GoFile('snippet', '', goPackage)
  const result = new Results(writer)

  /** The value itself, in the block where there is one. */
  const present = ({
    text,
    field,
  }: Value): { guards: Guard[]; text: string; isPointer: boolean } => {
    if (!field) return { guards: [], text, isPointer: false }
    const isNullable = types.resolve(field.type).kind === 'nullable'
    if (!isRequired(field) && isNullable) {
      const name = argument(field.name)
      const open = `if ${name}, ok := ${text}.Get(); ok {`
      return { guards: [[open, '}']], text: name, isPointer: false }
    }
    const declared = typeOf(field)
    if (!declared.startsWith('*')) return { guards: [], text, isPointer: false }
    return { guards: [[`if ${text} != nil {`, '}']], text, isPointer: true }
  }
  const typeOf = (field: Field): string =>
    fieldType(field, null, types).replace(/^Optional\[/, `${goPackage}.Optional[`)
  return {
    unit: '\t',
    begin: (source): Code => {
      if (source.of === 'event') {
        const open = `if event, ok := event.(*${types.name(source.payload.id)}); ok {`
        return { blocks: [[open, '}']], value: 'event' }
      }
      return source.of === 'problem'
        ? result.problem(source.call, goPackage)
        : result.of(source.call)
    },
    enter: (step, value): Code => {
      switch (step.of) {
        case 'field': {
          const { guards, text } = present(value)
          return { blocks: guards, value: `${text}.${fieldName(step.field)}` }
        }
        case 'item': {
          const { guards, text } = present(value)
          const name = argument(step.noun)
          const open = `for _, ${name} := range ${text} {`
          return { blocks: [...guards, [open, '}']], value: name }
        }
        case 'variant': {
          const { guards, text, isPointer } = present(value)
          const name = argument(step.model.name)
          const union = isPointer ? `(*${text})` : text
          const open = `if ${name}, ok := ${union}.(${types.name(step.model.id)}); ok {`
          return { blocks: [...guards, [open, '}']], value: name }
        }
      }
    },
    use: (use, value): Code => {
      const { text, type, field } = value
      switch (use.of) {
        case 'show': {
          const shown = use.fields.map((one) => `${text}.${fieldName(one)}`).join(', ')
          return { lines: [`fmt.Println(${shown || text})`], value: '' }
        }
        case 'store': {
          const declared = field ? typeOf(field) : type && types.result(type, file)
          if (!declared) return { lines: [`fmt.Println(${text})`], value: '' }
          const own = field ? argument(field.name) : 'value'
          const name = own === text ? 'value' : own
          return { lines: [`var ${name} ${declared} = ${text}`, `fmt.Println(${name})`], value: '' }
        }
        case 'compare': {
          const { guards, text: read, isPointer } = present(value)
          const index = use.decl.values.indexOf(use.value)
          const constant = valueNames(types.name(use.decl.id), use.decl.values)[index]
          const one = constant ?? literal(use.value)
          const open = `if ${isPointer ? '*' : ''}${read} == ${one} {`
          const said = `fmt.Println(${quote(String(use.value))})`
          return { blocks: [...guards, [open, '}']], value: said }
        }
      }
    },
  }
}

/** Writes calls with their errors. */
class Results {
  readonly #writer: Writer

  constructor(writer: Writer) {
    this.#writer = writer
  }

  of(call: Call): Code {
    const { operation } = call
    const name = this.#writer.noun(call)
    if (operation.page) {
      const made = this.#writer.call(call, { name: allName(operation) })
      const open = `for ${name}, err := range ${made} {`
      const fails = ['if err != nil {', '\treturn err', '}'].join('\n')
      return { blocks: [[`${open}\n\t${fails.replaceAll('\n', '\n\t')}`, '}']], value: name }
    }
    const made = this.#writer.call(call)
    if (operation.result.format === 'none') {
      return { lines: [`if err := ${made}; err != nil {`, '\treturn err', '}'], value: '' }
    }
    const lines = [`${name}, err := ${made}`, 'if err != nil {', '\treturn err', '}']
    return { lines, value: name }
  }

  problem(call: Call, goPackage: string): Code {
    const made = this.#writer.call(call)
    const results = call.operation.result.format === 'none' ? 'err' : '_, err'
    const open = 'if errors.As(err, &refused) && refused.Problem != nil {'
    return {
      lines: [`${results} := ${made}`, `var refused *${goPackage}.APIError`],
      blocks: [[open, '}']],
      value: 'refused.Problem',
    }
  }
}
