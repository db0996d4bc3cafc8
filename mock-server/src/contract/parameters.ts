/**
 * Checks of query and header parameters beyond those of Prism. Prism accepts unknown, empty and oddly
 * written parameters, so that a typing error shows only in production. The README
 * states the same policy in prose.
 */
import type { Reason } from '../door/problem.ts'
import type { PrismOperation } from './prism.ts'

type Parameters = NonNullable<NonNullable<PrismOperation['request']>['query']>
type Parameter = Parameters[number]

const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/

/**
 * Checks the query's names and the form of its values.
 *
 * @param alsoAllowed Names that are not parameters, such as that of an API key.
 */
export function checkQuery(
  declared: Parameters,
  sent: [name: string, value: string][],
  alsoAllowed: string[],
): Reason[] {
  const reason = (parameter: string, code: string, message: string): Reason[] => [
    { in: 'query', parameter, code, message },
  ]
  const names = [...new Set(sent.map(([name]) => name))]
  return names.flatMap((name) => {
    if (alsoAllowed.includes(name)) return []
    const parameter = declared.find((candidate) => takes(candidate, name))
    if (!parameter) {
      const known = declared.map((candidate) => candidate.name).join(', ')
      return reason(
        name,
        'unknown',
        `is not a parameter of this operation (its parameters: ${known || 'none'})`,
      )
    }
    const values = sent.filter(([other]) => other === name).map(([, value]) => value)
    if (values.length > 1 && !typesOf(parameter).includes('array')) {
      return reason(name, 'repeated', 'must be sent only once')
    }
    if (values.includes('') && !parameter.allowEmptyValue) {
      return reason(name, 'empty', 'must not be empty (leave it out instead)')
    }
    if (isNumeric(parameter) && !values.every((value) => DECIMAL.test(value))) {
      return reason(name, 'type', 'must be a number in plain decimal digits')
    }
    return []
  })
}

/** Checks that no declared header is empty, or repeated where it has one value. */
export function checkHeaders(
  declared: Pick<Parameter, 'name' | 'schema'>[],
  sent: Record<string, string | undefined>,
  isRepeated: (name: string) => boolean,
): Reason[] {
  return declared.flatMap(({ name, schema }): Reason[] => {
    const field = name.toLowerCase()
    const reason = { in: 'header', parameter: name } as const
    if (sent[field] === '')
      return [{ ...reason, code: 'empty', message: 'must not be empty (leave it out instead)' }]
    const isList = typesOf({ schema }).includes('array')
    return sent[field] !== undefined && !isList && isRepeated(field)
      ? [{ ...reason, code: 'repeated', message: 'must be sent only once' }]
      : []
  })
}

/** Whether a name in the query belongs to a parameter; those of objects go by several names. */
function takes(parameter: Parameter, name: string): boolean {
  if (parameter.name === name) return true
  if (`${parameter.name}[]` === name) return typesOf(parameter).includes('array')
  if (parameter.style === 'deepObject') return name.startsWith(`${parameter.name}[`)
  if (!typesOf(parameter).includes('object') || parameter.explode === false) return false
  const properties = parameter.schema?.properties
  return properties ? Object.hasOwn(properties, name) : true
}

function typesOf({ schema }: Pick<Parameter, 'schema'>): string[] {
  return [schema?.type ?? []].flat()
}

function isNumeric(parameter: Parameter): boolean {
  const types = typesOf(parameter)
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number')
}
