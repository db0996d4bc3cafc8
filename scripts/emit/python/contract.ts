import { current } from '../../model/index.ts'
import type { Api, Operation, Pagination, Parameter, Style } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { PythonFile } from './file.ts'
import { call, dictionary, literal, quote } from './literal.ts'
import { callPath } from './naming.ts'

/** The facts about the contract that the runtime needs. */
export function emitContract(api: Api, sources: Sources): OutFile {
  const summary = 'The facts about the contract that the runtime needs.'
  const file = new PythonFile('_generated/contract.py', sources.contract, summary)
  const mapping = file.use('Mapping', 'collections.abc')
  const operation = file.use('Operation', '_core.operation')
  const credential = file.use('Credential', '_core.operation')

  file.lines(`PATH_PREFIX = ${quote(api.pathPrefix)}`)
  file.doc('The prefix of every path, which no base URL contains.').lines('')
  file.lines(`BASE_URL: str | None = ${api.server === null ? 'None' : quote(api.server)}`)
  file.doc('The base URL if none is given. None if the service has no public address.').lines('')
  file.lines(`CREDENTIAL: ${credential} | None = ${credentialOf(api, credential)}`)
  file.doc('The header that carries the API key. None if the API needs no key.').lines('')
  const write = () => {
    for (const one of current(api.operations)) {
      file.lines(`${quote(one.id)}: ${call(operation, factsOf(one, file))},`)
    }
  }
  return file
    .block(`OPERATIONS: ${mapping}[str, ${operation}] = {`, write, '}')
    .doc('The facts about all operations.')
    .finish()
}

function credentialOf({ credential }: Api, name: string): string {
  if (!credential) return 'None'
  return call(name, { header: quote(credential.header), prefix: quote(credential.prefix) })
}

/** The fields of the runtime's `Operation`; null where the default holds. */
function factsOf(operation: Operation, file: PythonFile): Record<string, string | null> {
  const { idempotency, page, body, result, queryParams } = operation
  return {
    name: quote(callPath(operation).replace('client.', '')),
    page: page && pageFields(page, file),
    idempotency_header: idempotency && quote(idempotency.header),
    retryable: operation.retryable ? 'True' : null,
    content_type: body && body.contentType !== 'application/json' ? quote(body.contentType) : null,
    optional: result.optional ? 'True' : null,
    response: result.format === 'json' ? null : quote(result.format),
    query: stylesOf(queryParams, file),
  }
}

function pageFields({ items, nextCursor, cursorParam }: Pagination, file: PythonFile): string {
  return call(file.use('PageFields', '_core.operation'), {
    items: quote(items),
    next_cursor: quote(nextCursor),
    cursor_param: quote(cursorParam),
  })
}

/** How lists and objects are written that have a style of their own. */
function stylesOf(parameters: readonly Parameter[], file: PythonFile): string | null {
  const styles = parameters.flatMap(({ wire, style }): Array<[string, Style]> => {
    return style ? [[wire, style]] : []
  })
  if (styles.length === 0) return null
  const name = file.use('Style', '_core.operation')
  return dictionary(
    styles.map(([wire, { style, explode }]) => [
      wire,
      call(name, { style: quote(style), explode: literal(explode) }),
    ]),
  )
}
