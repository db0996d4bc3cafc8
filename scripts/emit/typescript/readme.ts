import type { Api, Field, Operation } from '../../model/types.ts'
import { type Call, type Given, readmeExamples } from '../core/examples.ts'
import { type Failure, failuresOf } from '../core/mocks.ts'
import { archive } from '../core/names.ts'
import { callSlots, commonSlots, fit } from '../core/readme.ts'
import type { Slots } from '../core/template.ts'
import { parameterKey } from './document.ts'
import { literal, propertyKey, quote } from './literal.ts'
import { camel, methodName, variable } from './naming.ts'
import { subjects } from './subjects.ts'

/** The slots of the README templates. */
export function readmeSlots(api: Api): Slots {
  const { platform } = api
  const examples = readmeExamples(api)
  const { create, read, event } = examples
  const base = `${platform.client}Error`
  const common = commonSlots(api, { base, retryAfter: 'retryAfter', outcome: (name) => name })
  const errors = [base, common.notFound, common.rateLimited, 'APIError'].map(String).sort()
  return {
    ...common,
    npm: platform.npm,
    archive: archive(platform.npm),
    errors: errors.join(', '),
    ...callSlots(examples, { call: expression, noun, print }),
    'create.keyed':
      create && expression(create, create.key && `{ idempotencyKey: ${quote(create.key)} }`),
    ...rawSlots(read),
    ...mockSlots(examples, failuresOf(api)),
    event: event && quote(event.kind),
    'event.field': event && (fields('event.data', event.shown)[0] ?? 'event.data'),
    'event.delivery':
      event &&
      fit(
        'const delivery = await fakeDelivery(',
        [quote(event.kind), '{ secret, overrides }'],
        ')',
      ),
  }
}

/** How a call looks without its method. */
function rawSlots(read: Call | null): Slots {
  if (!read) return { 'read.raw': null, 'read.request': null }
  const { operation, path, query } = read
  const given = [
    ...(path.length > 0 ? [`path: ${object(path)}`] : []),
    ...(query.length > 0 ? [`query: ${object(query)}`] : []),
  ].join(', ')
  const params = given ? [`{ params: { ${given} } }`] : []
  const target = [quote(operation.verb), quote(operation.path)]
  return {
    'read.raw': fit('const found = await client.raw.GET(', [quote(operation.path), ...params], ')'),
    'read.request': fit(
      'await client.request(',
      [target.join(', '), ...(given ? [`{ ${given} }`] : [])],
      ')',
    ),
  }
}

/** Handlers for tests, of the operation that reads. */
function mockSlots(
  { read, choice }: ReturnType<typeof readmeExamples>,
  failures: readonly Failure[],
): Slots {
  const limited = failures.some(({ status }) => status === 429)
  if (!read || !choice) return { 'mock.data': null, 'mock.limited': null, 'mock.names': null }
  const method = subjects.operation(read.operation).replace(/^client/, 'mock')
  const fixture = `fixtures.${camel(choice.model.name)}`
  const overrides = `{ ${propertyKey(choice.field.wire)}: ${literal(choice.value)} }`
  return {
    'mock.data': fit('server.use(', [`${method}(${fixture}(${overrides}))`], ')'),
    'mock.limited': limited
      ? fit(
          'server.use(',
          [`${method}(respond.rateLimited({ retryAfter: 2 }), { once: true })`],
          ')',
        )
      : null,
    'mock.names': `createHandlers, fixtures, mock${limited ? ', respond' : ''}`,
  }
}

/** The statements that make a call and show its result. */
export function exampleOf(call: Call): string {
  const made = expression(call)
  if (call.operation.page) return `for await (const ${noun(call)} of ${made}) ${print(call)}`
  return `const ${noun(call)} = await ${made}`
}

/** The expression that makes a call. */
export function expression(
  { operation, path, query, body }: Call,
  options: string | null = null,
): string {
  const method = ['client', ...operation.resource.map(camel), methodName(operation)].join('.')
  const needsParams = operation.params !== null && options !== null
  const items = [
    ...path.map(({ value }) => literal(value)),
    ...(body ? [object(body.fields)] : []),
    ...(query.length > 0 ? [object(keyed(query, operation))] : needsParams ? ['{}'] : []),
    ...(options ? [options] : []),
  ]
  return fit(`${method}(`, items, ')')
}

/** Parameters under the keys by which a method takes them. */
function keyed(given: readonly Given[], { headerParams }: Operation): Given[] {
  return given.map((one) => {
    const header = headerParams.find(({ wire }) => wire === one.wire)
    return header ? { ...one, wire: parameterKey(header, true) } : one
  })
}

function object(given: readonly Given[]): string {
  return `{ ${given.map(({ wire, value }) => `${propertyKey(wire)}: ${literal(value)}`).join(', ')} }`
}

export function noun({ noun }: Call): string {
  return variable(noun)
}

function print(call: Call): string {
  const shown = fields(noun(call), call.shown).join(', ') || noun(call)
  return `console.log(${shown})${call.prints ? ` // => ${call.prints}` : ''}`
}

function fields(object: string, shown: readonly Field[]): string[] {
  return shown.map((field) => member(object, field))
}

/** The expression that reads a field. */
export function member(object: string, { wire }: Pick<Field, 'wire'>): string {
  const key = propertyKey(wire)
  return key === wire ? `${object}.${wire}` : `${object}[${key}]`
}
