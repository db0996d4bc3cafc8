import { payloadId, type Subjects } from '../core/subjects.ts'
import { quote } from './literal.ts'
import { constant, enumConstants, member, methodName, resourceMethod, variable } from './naming.ts'

export const subjects: Subjects = {
  operation: (operation) => {
    const resources = operation.resource.map((name) => resourceMethod({ path: [name] }))
    return ['client', ...resources, methodName(operation)].join('.')
  },
  parameter: (operation, parameter) => {
    const name = variable(parameter.name)
    const given = operation.pathParams.includes(parameter) ? name : `${name}:`
    return `${subjects.operation(operation)}(${given})`
  },
  type: ({ id }) => constant(id),
  field: ({ id }, { name }) => `${constant(id)}#${member(name)}`,
  value: ({ id, values }, value) => {
    const name = enumConstants(values)[values.indexOf(value)]
    if (name) return `${constant(id)}::${name}`
    return `${constant(id)} ${typeof value === 'string' ? quote(value) : value}`
  },
  event: (webhook) => {
    const id = payloadId(webhook)
    return id === null ? quote(webhook.event) : constant(id)
  },
}
