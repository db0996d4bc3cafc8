import type { Subjects } from '../core/subjects.ts'
import { quote } from './literal.ts'
import { camel, methodName, variable } from './naming.ts'

/** Data keeps the names of the wire. */
export const subjects: Subjects = {
  operation: (operation) =>
    ['client', ...operation.resource.map(camel), methodName(operation)].join('.'),
  parameter: (operation, parameter) => {
    const call = subjects.operation(operation)
    return operation.pathParams.includes(parameter)
      ? `${call}(${variable(parameter.name)})`
      : `${call}({ ${key(parameter.wire)} })`
  },
  type: ({ id }) => id,
  field: ({ id }, { wire }) =>
    /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(wire) ? `${id}.${wire}` : `${id}[${quote(wire)}]`,
  value: ({ id }, value) => `${id} ${typeof value === 'string' ? quote(value) : value}`,
  event: ({ event }) => quote(event),
}

function key(wire: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(wire) ? wire : quote(wire)
}
