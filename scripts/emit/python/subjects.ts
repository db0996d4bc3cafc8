import { payloadId, type Subjects } from '../core/subjects.ts'
import { quote } from './literal.ts'
import { argument, attribute, callPath } from './naming.ts'

export const subjects: Subjects = {
  operation: callPath,
  parameter: (operation, parameter) => {
    const name = argument(parameter.name)
    const given = operation.pathParams.includes(parameter) ? name : `${name}=`
    return `${callPath(operation)}(${given})`
  },
  type: ({ id }) => id,
  field: ({ id }, { name }) => `${id}.${attribute(name)}`,
  value: ({ id }, value) => `${id} ${typeof value === 'string' ? quote(value) : value}`,
  event: (webhook) => payloadId(webhook) ?? quote(webhook.event),
}
