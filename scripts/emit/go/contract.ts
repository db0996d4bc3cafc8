import type { Api, Body, Operation, Pagination } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { GoFile, WIDTH } from './file.ts'
import { quote } from './literal.ts'

/** What the runtime must know of the contract. */
export function emitContract(api: Api, sources: Sources): OutFile {
  const file = new GoFile('contract', sources.contract, api.platform.goPackage)
  file.doc('pathPrefix is what every path begins with; a base URL never holds it.')
  file.lines(`const pathPrefix = ${quote(api.pathPrefix)}`, '')
  const { header, prefix } = api.credential ?? { header: '', prefix: '' }
  file.doc(
    api.credential
      ? 'credentialHeader and credentialPrefix say how a request carries the key.'
      : 'credentialHeader and credentialPrefix are empty: no request carries a key.',
  )
  const credential = () => {
    file.lines(`credentialHeader = ${quote(canonical(header))}`)
    file.lines(`credentialPrefix = ${quote(prefix)}`)
  }
  file.block('const (', credential, ')').lines('')
  file.doc(
    'operations holds what the runtime must know of an operation beyond its method and path, where ' +
      'there is anything.',
  )
  const write = () => {
    for (const operation of api.operations) entry(operation, file)
  }
  return file.block('var operations = map[string]operation{', write, '}').finish()
}

function entry(operation: Operation, file: GoFile): void {
  const facts = factsOf(operation)
  if (facts.length === 0) return
  const key = `${quote(operation.id)}: {`
  const line = `${key}${facts.join(', ')}},`
  if (line.length + file.indentation <= WIDTH) file.lines(line)
  else file.block(key, () => file.lines(...facts.map((fact) => `${fact},`)), '},')
}

/** The fields of the runtime's `operation`, where they are not what they are by default. */
function factsOf({ idempotency, page, body, result }: Operation): string[] {
  const isPlain = result.format === 'text' || result.format === 'binary'
  const facts: Array<[field: string, value: string | null]> = [
    ['idempotencyHeader', idempotency && quote(idempotency.header)],
    ['repeatable', idempotency && !idempotency.assumed ? 'true' : null],
    ['page', page && pageFields(page)],
    ['body', body && bodyFormat(body)],
    ['plain', isPlain ? 'true' : null],
  ]
  return facts.flatMap(([field, value]) => (value === null ? [] : [`${field}: ${value}`]))
}

function pageFields({ items, nextCursor, cursorParam }: Pagination): string {
  const fields = Object.entries({ items, nextCursor, cursorParam })
  return `pageFields{${fields.map(([field, value]) => `${field}: ${quote(value)}`).join(', ')}}`
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

/** JSON under a media type of its own, like that of a merge patch. */
function jsonBodyAs(contentType: string): string {
  const body = `_, content, err := jsonBody(body); return ${quote(contentType)}, content, err`
  return `func(body any) (string, []byte, error) { ${body} }`
}

/** A header's name as net/http spells it. */
function canonical(header: string): string {
  return header.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
}
