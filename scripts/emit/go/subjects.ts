import type { Api, Decl } from '../../model/types.ts'
import { payloadId, type Subjects } from '../core/subjects.ts'
import { quote } from './literal.ts'
import { argument, fieldName, methodName, pascal, typeNames, valueNames } from './naming.ts'

const NAMES = new WeakMap<Api, ReadonlyMap<string, string>>()

function nameOf(id: string, api: Api): string {
  const names = NAMES.get(api) ?? typeNames(api)
  NAMES.set(api, names)
  return names.get(id) ?? id
}

export const subjects: Subjects = {
  operation: (operation) => [...operation.resource.map(pascal), methodName(operation)].join('.'),
  parameter: (operation, parameter, api) =>
    operation.pathParams.includes(parameter) || operation.params === null
      ? `${subjects.operation(operation)}(${argument(parameter.name)})`
      : `${nameOf(operation.params, api)}.${pascal(parameter.name)}`,
  type: ({ id }, api) => nameOf(id, api),
  field: ({ id }: Decl, field, api) => `${nameOf(id, api)}.${fieldName(field)}`,
  value: ({ id, values }, value, api) =>
    valueNames(nameOf(id, api), values)[values.indexOf(value)] ?? nameOf(id, api),
  event: (webhook, api) => {
    const id = payloadId(webhook)
    return id === null ? quote(webhook.event) : nameOf(id, api)
  },
}
