import type { Api } from '../../model/types.ts'
import { type Body, type Call, type Given, readmeExamples } from '../core/examples.ts'
import { callSlots, commonSlots, fit } from '../core/readme.ts'
import type { Slots } from '../core/template.ts'
import { signatureOf } from './arguments.ts'
import { PythonFile } from './file.ts'
import { dictionary, literal, quote } from './literal.ts'
import { attribute, callPath } from './naming.ts'
import { compareMembers } from './order.ts'
import { type Scope, scopeOf } from './references.ts'

/** The slots of the README templates. */
export function readmeSlots(api: Api): Slots {
  const { pypi, pythonImport, client } = api.platform
  const examples = readmeExamples(api)
  const { start, list, read, create, variant, failing, choice, event } = examples
  const writer = new Writer(api)
  const base = `${client}Error`
  const common = commonSlots(api, { base, retryAfter: 'retry_after', outcome: (name) => name })
  const errors = [base, common.notFound, common.rateLimited, 'APIError'].map(String)
  const some = read ?? list?.page ?? null
  return {
    ...common,
    pypi,
    wheels: `${pypi.replaceAll('-', '_')}-*.whl`,
    pythonImport,
    ...callSlots(examples, writer),
    'start.imports': writer.imports([client], start),
    'create.keyed': create && writer.call(create, create.key),
    'create.imports': writer.imports([], create) || null,
    'sending.imports': writer.imports([], create, variant) || null,
    'failing.imports': writer.imports(errors, failing),
    'package.imports': writer.imports(['APIError', client], failing),
    awaited: some !== null,
    'awaited.call': some && writer.call(some),
    'awaited.noun': some && writer.noun(some),
    'awaited.print': some && writer.print(some),
    'read.raw': read && writer.raw(read),
    'read.request': read && request(read),
    choice: choice?.model.id ?? null,
    'choice.field': choice && attribute(choice.field.name),
    'choice.value': choice && quote(choice.value),
    'choice.is': choice && quote(`${choice.field.wire} is ${choice.value}`),
    'choice.other': choice && quote(`${choice.field.wire} is something else:`),
    event: event && quote(event.kind),
    'event.field':
      event && `event.${event.shown[0] ? `data.${attribute(event.shown[0].name)}` : 'id'}`,
    'event.delivery':
      event &&
      fit(
        'delivery = fake_delivery(',
        [quote(event.kind), 'secret="whsec_test"', 'overrides={"id": "evt_test"}'],
        ')',
        { indent: '    ' },
      ),
  }
}

/** Writes calls of an API's methods. */
export class Writer {
  readonly #api: Api
  readonly #scope: Scope

  constructor(api: Api) {
    this.#api = api
    // Signatures record imports. A snippet does not write them.
    this.#scope = scopeOf(api, new PythonFile('readme.py', '', ''))
  }

  /** The expression that makes a call. */
  call = (
    { operation, path, query, body }: Call,
    key: string | null = null,
    more: readonly string[] = [],
  ): string => {
    const signature = signatureOf(operation, this.#scope)
    const named = (given: Given) => {
      const found = signature.keywords.find(({ wire }) => wire === given.wire)
      return found ? [`${found.name}=${literal(given.value)}`] : []
    }
    const items = [
      ...path.map(({ value }) => literal(value)),
      ...(body && this.#isWhole({ operation })
        ? [`body=${construction(body)}`]
        : (body?.fields ?? []).flatMap(named)),
      ...query.flatMap(named),
      ...(key ? [`idempotency_key=${quote(key)}`] : []),
      ...more,
    ]
    return fit(`${callPath(operation)}(`, items, ')', { indent: '    ' })
  }

  noun = ({ noun }: Call): string => attribute(noun)

  print = (call: Call): string => {
    const fields = call.shown.map(({ name }) => `${this.noun(call)}.${attribute(name)}`)
    const line = `print(${fields.join(', ') || this.noun(call)})`
    return call.prints ? `${line}  # => ${call.prints}` : line
  }

  /** The call that returns the response too. */
  raw(call: Call): string {
    const method = callPath(call.operation)
    return this.call(call).replace(method, method.replace(/(\.[^.]+)$/, '.with_raw_response$1'))
  }

  /** An import of some names, and of the classes that calls make their bodies of. */
  imports(names: readonly string[], ...calls: Array<Call | null>): string {
    const all = [...new Set([...names, ...this.classes(...calls)])].sort(compareMembers)
    return all.length > 0 ? `from ${this.#api.platform.pythonImport} import ${all.join(', ')}` : ''
  }

  /** The classes that calls make their bodies of. */
  classes(...calls: Array<Call | null>): string[] {
    return calls.flatMap((call) => (call?.body && this.#isWhole(call) ? [call.body.model.id] : []))
  }

  /** Whether a body is one argument. */
  #isWhole({ operation }: Pick<Call, 'operation'>): boolean {
    const { body } = signatureOf(operation, this.#scope)
    return body !== null && 'whole' in body
  }
}

function construction({ model, fields }: Body): string {
  const given = fields.map(({ name, value }) => `${attribute(name)}=${literal(value)}`)
  return `${model.id}(${given.join(', ')})`
}

function request({ operation, path, query }: Call): string {
  const dictionaryOf = (given: readonly Given[]) =>
    dictionary(given.map(({ wire, value }) => [wire, literal(value)]))
  const items = [
    quote(operation.verb),
    quote(operation.path),
    ...(path.length > 0 ? [`path_params=${dictionaryOf(path)}`] : []),
    ...(query.length > 0 ? [`query=${dictionaryOf(query)}`] : []),
  ]
  return fit('client.request(', items, ')', { indent: '    ' })
}
