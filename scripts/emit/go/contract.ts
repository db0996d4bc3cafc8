import { current } from '../../model/index.ts'
import type { Api, Body, Operation, Pagination, Resource, TypeRef } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { GoFile, WIDTH } from './file.ts'
import { quote } from './literal.ts'
import { resourcesOf } from './naming.ts'
import { Types } from './references.ts'

/** The facts about the contract that the runtime needs. */
export function emitContract(api: Api, sources: Sources): OutFile {
  const types = new Types(api)
  const file = new GoFile('contract', sources.contract, api.platform.goPackage)
  file.doc('pathPrefix starts every path. A base URL must not contain it.')
  file.lines(`const pathPrefix = ${quote(api.pathPrefix)}`, '')
  file.doc(
    'defaultBaseURL is the base URL if none is given. It is empty if the service has no public address.',
  )
  file.lines(`const defaultBaseURL = ${quote(api.server ?? '')}`, '')
  const { header, prefix } = api.credential ?? { header: '', prefix: '' }
  file.doc(
    api.credential
      ? 'credentialHeader and credentialPrefix define the header with the API key.'
      : 'credentialHeader and credentialPrefix are empty: no request carries a key.',
  )
  const credential = () => {
    file.lines(`credentialHeader = ${quote(canonical(header))}`)
    file.lines(`credentialPrefix = ${quote(prefix)}`)
  }
  file.block('const (', credential, ')').lines('')
  file.doc('operations describes the operations of the contract.')
  const write = () => {
    for (const resource of resourcesOf(api.resources)) {
      for (const operation of current(resource.operations)) entry(operation, resource, types, file)
    }
  }
  return file.block('var operations = map[string]operation{', write, '}').finish()
}

function entry(operation: Operation, resource: Resource, types: Types, file: GoFile): void {
  const name = [...resource.path, operation.method].map((words) => words.join('_')).join('.')
  const facts = [`name: ${quote(name)}`, ...factsOf(operation, types, file)]
  const key = `${quote(operation.id)}: {`
  const line = `${key}${facts.join(', ')}},`
  const isShort = line.length + file.indentation <= WIDTH && !line.includes('\n')
  if (isShort) file.lines(line)
  else file.block(key, () => file.lines(...facts.map((fact) => `${fact},`)), '},')
}

/** The fields of the runtime's `operation`, if they differ from the defaults. */
function factsOf(operation: Operation, types: Types, file: GoFile): string[] {
  const { idempotency, page, body, result } = operation
  const isPlain = result.format === 'text' || result.format === 'binary'
  const facts: Array<[field: string, value: string | null]> = [
    ['idempotencyHeader', idempotency && quote(idempotency.header)],
    ['retryable', operation.retryable ? 'true' : null],
    ['page', page && pageFields(operation, page, types, file)],
    ['body', body && bodyFormat(body)],
    ['plain', isPlain ? 'true' : null],
    ['optional', result.optional ? 'true' : null],
    ['results', result.types.length > 1 ? resultTypes(operation, types, file) : null],
  ]
  return facts.flatMap(([field, value]) => (value === null ? [] : [`${field}: ${value}`]))
}

function pageFields(
  { result }: Operation,
  { items, nextCursor, cursorParam }: Pagination,
  types: Types,
  file: GoFile,
): string {
  file.use('reflect')
  const model = result.types.map((type) => types.content(type, file))[0]
  const names = Object.entries({ items, nextCursor, cursorParam })
  const fields = names.map(([field, value]) => `\t${field}: ${quote(value)},`)
  return ['pageFields{', `\tmodel: reflect.TypeFor[${model}](),`, ...fields, '}'].join('\n')
}

/** How a body travels that is not plain JSON. */
function bodyFormat({ format, contentType }: Body): string | null {
  switch (format) {
    case 'json':
      return contentType === 'application/json' ? null : jsonBodyAs(contentType)
    case 'multipart':
      return 'multipartBody'
    case 'urlencoded':
      return 'formBody'
    case 'text':
    case 'binary':
      return `contentBody(${quote(contentType)})`
  }
}

/** JSON with another media type, such as a merge patch. */
function jsonBodyAs(contentType: string): string {
  const body = `_, content, err := jsonBody(body); return ${quote(contentType)}, content, err`
  return `func(body any) (string, []byte, error) { ${body} }`
}

/** The result types of a method, each with its status: `200`, or `2XX` for any other. */
export function resultsOf({ responses }: Operation): Array<{ status: string; type: TypeRef }> {
  return responses.flatMap(({ status, body }) =>
    status.startsWith('2') && body ? [{ status, type: body.type }] : [],
  )
}

function resultTypes(operation: Operation, types: Types, file: GoFile): string {
  file.use('reflect')
  const entries = resultsOf(operation).map(({ status, type }) => {
    const key = status === '2XX' ? '0' : status
    return `${key}: reflect.TypeFor[${types.result(type, file)}]()`
  })
  return ['map[int]reflect.Type{', ...entries.map((entry) => `\t${entry},`), '}'].join('\n')
}

/** A header's name as net/http spells it. */
export function canonical(header: string): string {
  return header.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
}
