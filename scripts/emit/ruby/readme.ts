import type { Api } from '../../model/types.ts'
import { type Call, type Given, readmeExamples } from '../core/examples.ts'
import { callSlots, commonSlots, fit } from '../core/readme.ts'
import type { Slots } from '../core/template.ts'
import { type Argument, callOf, keywords } from './call.ts'
import { Declarations } from './declarations.ts'
import { literal, quote } from './literal.ts'
import { baseError } from './names.ts'
import { member, methodName, variable } from './naming.ts'

/** The slots of the README templates. */
export function readmeSlots(api: Api): Slots {
  const { gem, rubyModule } = api.platform
  const examples = readmeExamples(api)
  const { create, read, choice, event } = examples
  const declarations = new Declarations(api)
  const call = (call: Call, more: readonly string[] = []) => expression(call, declarations, more)
  const errors = {
    base: `${rubyModule}::${baseError(api)}`,
    retryAfter: 'retry_after',
    outcome: (name: string) => `:${name}`,
  }
  return {
    ...commonSlots(api, errors),
    gem,
    rubyModule,
    ...callSlots(examples, { call, noun, print }),
    'create.keyed':
      create &&
      call(
        create,
        create.key ? [`request_options: { idempotency_key: ${quote(create.key)} }`] : [],
      ),
    'read.raw':
      read &&
      call(read).replace(pathOf(read), pathOf(read).replace(/(\.[^.]+)$/, '.with_response$1')),
    'read.request': read && request(read),
    choice: choice && member(choice.field.name),
    'choice.value': choice && quote(choice.value),
    'choice.is': choice && quote(`${choice.field.wire} is ${choice.value}`),
    'choice.other':
      choice && `${quote(`${choice.field.wire} is something else: `).slice(0, -1)}#{other}"`,
    event: event && quote(event.kind),
    'event.field':
      event && `event.${event.shown[0] ? `data.${member(event.shown[0].name)}` : 'id'}`,
  }
}

/** The expression that makes a call. */
export function expression(
  call: Call,
  declarations: Declarations,
  more: readonly string[],
): string {
  const { path, query, body } = call
  const method = callOf(call.operation, declarations)
  const fields =
    method.body.kind === 'variants'
      ? method.body.variants.flatMap((variant) => variant.fields).map(ownName)
      : []
  const known = [...keywords(method), ...fields]
  const named = (given: Given) => {
    const found = known.find(({ key }) => key === given.wire || key === member(given.name))
    return found ? [`${found.variable}: ${literal(given.value)}`] : []
  }
  const items = [
    ...path.map(({ value }) => literal(value)),
    ...(method.body.kind === 'value'
      ? [hash(body?.fields ?? [])]
      : (body?.fields ?? []).flatMap(named)),
    ...query.flatMap(named),
    ...more,
  ]
  return items.length > 0 ? fit(`${pathOf(call)}(`, items, ')', { last: '' }) : pathOf(call)
}

/** A field of a variant is called by its own name, also where that is a keyword. */
function ownName(argument: Argument): Argument {
  return { ...argument, variable: argument.key }
}

function request({ operation, path, query }: Call): string {
  const items = [
    quote(operation.verb),
    quote(operation.path),
    ...(path.length > 0 ? [`path_params: ${hash(path)}`] : []),
    ...(query.length > 0 ? [`query: ${hash(query)}`] : []),
  ]
  return fit('client.request(', items, ')', { last: '' })
}

function pathOf({ operation }: Call): string {
  return ['client', ...operation.resource.map(member), methodName(operation)].join('.')
}

function hash(given: readonly Given[]): string {
  const entries = given.map(({ wire, value }) => {
    return `${/^[a-z_]\w*$/.test(wire) ? wire : quote(wire)}: ${literal(value)}`
  })
  return `{ ${entries.join(', ')} }`
}

export function noun({ noun }: Call): string {
  return variable(noun)
}

function print(call: Call): string {
  const fields = call.shown.map(({ name }) => `${noun(call)}.${member(name)}`)
  const shown =
    fields.length < 2
      ? (fields[0] ?? noun(call))
      : `"${fields.map((field) => `#{${field}}`).join(' ')}"`
  return `puts ${shown}${call.prints ? ` # => ${call.prints}` : ''}`
}
