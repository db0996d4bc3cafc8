import { current, problemOf } from '../../model/index.ts'
import { holding } from '../../model/reach.ts'
import type {
  Api,
  Body,
  Operation,
  Pagination,
  Parameter,
  Result,
  TypeRef,
} from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { TypeScriptFile } from './file.ts'
import { literal, propertyKey, quote } from './literal.ts'
import { camel } from './naming.ts'
import { resultShape } from './shapes.ts'

/** Whether a value of a type can hold an integer that a number would round. */
type IsLarge = (type: TypeRef) => boolean

/** The facts about the contract that the runtime needs. */
export function emitContract(api: Api, sources: Sources): OutFile {
  const isLarge = holding('int64', api.decls)
  const file = new TypeScriptFile('generated/contract.ts', sources.contract)
  file.use('Operation', 'core/operation')
  file.doc('The prefix of every path. A base URL does not contain it.')
  file.lines(`export const PATH_PREFIX: string = ${quote(api.pathPrefix)}`, '')
  file.doc('The base URL where none is given. Undefined where the service has no public address.')
  const server = api.server === null ? 'undefined' : quote(api.server)
  file.lines(`export const BASE_URL: string | undefined = ${server}`, '')
  file.doc('The header of the API key. Null where the API needs none.')
  const credential = api.credential ? literal(api.credential) : 'null'
  const type = '{ header: string; prefix: string } | null'
  file.lines(`export const credential: ${type} = ${credential}`, '')
  const problem = problemOf(api)
  file.doc('What the body of an error response holds.')
  if (problem) {
    file.use(problem.id, 'generated/types')
    file.lines(`export type { ${problem.id} as ErrorBody }`, '')
  } else file.lines('export type ErrorBody = unknown', '')
  file.doc('The facts about operations, as far as they differ from the defaults.')
  const write = () => {
    for (const operation of current(api.operations)) {
      const facts = factsOf(operation, resultShape(operation, api.decls), isLarge, file)
      if (facts.length > 0) file.lines(`${propertyKey(operation.id)}: { ${facts.join(', ')} },`)
    }
  }
  return file
    .block('export const operations: Readonly<Record<string, Operation>> = {', write, '}')
    .finish()
}

/** The fields of the runtime's `Operation`, if they differ from the defaults. */
function factsOf(
  operation: Operation,
  result: string | null,
  isLarge: IsLarge,
  file: TypeScriptFile,
): string[] {
  const { idempotency, page, body } = operation
  const facts: Array<[field: string, value: string | null]> = [
    ['name', quote([...operation.resource, operation.method].map(camel).join('.'))],
    ['result', result === null ? null : quote(result)],
    ['idempotencyHeader', idempotency && quote(idempotency.header)],
    ['retryable', operation.retryable ? 'true' : null],
    ['page', page && literal(pageFields(page))],
    ['body', body && codecOf(body, isLarge(body.type), file)],
    ['parse', parserOf(operation, isLarge, file)],
    ['read', readerOf(operation.result, file)],
    ['writeQuery', queryWriterOf(operation.queryParams, file)],
  ]
  return facts.flatMap(([field, value]) => (value === null ? [] : [`${field}: ${value}`]))
}

function pageFields({ items, nextCursor, cursorParam }: Pagination): object {
  return { items, nextCursor, cursorParam }
}

/** How a body travels that is not plain JSON. */
function codecOf(
  { format, contentType }: Body,
  isLarge: boolean,
  file: TypeScriptFile,
): string | null {
  const use = (name: string) => file.use(name, 'core/body', 'value')
  switch (format) {
    case 'json': {
      const encode = isLarge ? file.use('stringifyExact', 'core/json', 'value') : 'JSON.stringify'
      return contentType === 'application/json' && !isLarge
        ? null
        : `{ contentType: ${quote(contentType)}, encode: ${encode} }`
    }
    case 'multipart':
      return use('multipart')
    case 'urlencoded':
      return use('urlEncoded')
    case 'text':
    case 'binary':
      return `${use('content')}(${quote(contentType)})`
  }
}

/** How JSON is read that may be absent, or holds integers which a number would round. */
function parserOf({ result }: Operation, isLarge: IsLarge, file: TypeScriptFile): string | null {
  if (result.format !== 'json') return null
  const exact = result.types.some(isLarge) ? file.use('parseExact', 'core/json', 'value') : ''
  return result.optional
    ? `${file.use('orNothing', 'core/json', 'value')}(${exact})`
    : exact || null
}

const READERS = { json: null, text: 'asText', binary: 'asBlob', none: 'asNothing' } as const

function readerOf({ format }: Result, file: TypeScriptFile): string | null {
  const reader = READERS[format]
  return reader && file.use(reader, 'core/body', 'value')
}

/** The styles of a query in which a list or an object does not have the default one. */
function queryWriterOf(parameters: readonly Parameter[], file: TypeScriptFile): string | null {
  const styles = parameters.flatMap(({ wire, shape, style }): Array<[string, object]> => {
    if (!style) return []
    return [[wire, { [shape === 'list' ? 'array' : 'object']: style }]]
  })
  if (styles.length === 0) return null
  return `${file.use('styled', 'core/styles', 'value')}(${literal(Object.fromEntries(styles))})`
}
