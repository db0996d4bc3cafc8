import { current } from '../../model/index.ts'
import type {
  Api,
  Body,
  Idempotency,
  Operation,
  Parameter,
  Resource,
  Response,
} from '../../model/types.ts'
import { pascal } from '../../model/words.ts'
import { blocks, inline, code as inlineCode, json, table } from '../core/markdown.ts'
import type { CodeOf } from './code.ts'
import { exampleRequest } from './request.ts'
import { paragraphs, remark, TypeNames } from './types.ts'

/** Where the page of a resource of the first level stands, apart from pages that are always there. */
export function resourceFile(resource: Resource): string {
  return `resources/${resource.path.map((name) => name.join('-').toLowerCase()).join('-')}.md`
}

/** The operations of a resource and of everything beneath it. */
export function resourcePage(api: Api, resource: Resource, code: CodeOf): string {
  const types = new TypeNames(api, '../schemas.md')
  const title = resource.path.map(pascal).join(' ')
  const operations = [...under(resource)]
  return blocks(
    `# ${title}`,
    resource.text,
    ...operations.map((operation) =>
      describeOperation(operation, { api, types, code, errors: '../errors.md', key: KEY }),
    ),
  )
}

/** The operations of a resource, then those of the resources beneath it. */
export function* under(resource: Resource): Generator<Operation> {
  yield* current(resource.operations)
  for (const child of resource.children) yield* under(child)
}

/** The heading of an operation. */
export function operationTitle({ summary, id }: Operation): string {
  return summary ? inline(summary) : id
}

/** A key of the sandbox. */
const KEY = 'sk_test_demo'

/** What the description of an operation refers to. */
export interface Surroundings {
  api: Api
  types: TypeNames
  code: CodeOf
  /** The page of the errors, as seen from this page; null where there is none. */
  errors: string | null
  /** The key of the requests to try; null where readers have none. */
  key: string | null
}

export function describeOperation(
  operation: Operation,
  { api, types, code, errors, key }: Surroundings,
): string {
  const { pathParams, queryParams, headerParams, idempotency, body, responses } = operation
  const rows = [
    ...pathParams.map((parameter) => parameterRow(parameter, 'path', types)),
    ...queryParams.map((parameter) => parameterRow(parameter, 'query', types)),
    ...headerParams.map((parameter) => parameterRow(parameter, 'header', types)),
    ...(idempotency ? [idempotencyRow(idempotency)] : []),
  ]
  return blocks(
    `## ${operationTitle(operation)}`,
    inlineCode(`${operation.verb} ${operation.path}`),
    paragraphs(operation.doc),
    code.tabs(operation),
    rows.length > 0 && '### Parameters',
    rows.length > 0 && table(['Parameter', 'In', 'Type', 'Presence', 'Description'], rows),
    key !== null && exampleRequest(operation, api, key),
    body && requestBody(body, types),
    responsesTable(responses, types, errors),
    ...responses.filter(isSuccess).map(responseExamples),
  )
}

function parameterRow(parameter: Parameter, location: string, types: TypeNames): string[] {
  const { wire, type, required, doc } = parameter
  const presence = required ? 'required' : 'optional'
  return [inlineCode(wire), location, types.describe(type), presence, remark(doc)]
}

/** The SDKs send it by themselves. */
function idempotencyRow({ header, doc }: Idempotency): string[] {
  return [inlineCode(header), 'header', 'string', 'optional', remark(doc)]
}

function requestBody(
  { contentType, type, required, doc, examples }: Body,
  types: TypeNames,
): string {
  return blocks(
    '### Request',
    `${types.describe(type)} as ${inlineCode(contentType)}, ${required ? 'required' : 'optional'}.`,
    paragraphs(doc),
    ...examples.map(({ key, summary, value }) => blocks(`${inline(summary ?? key)}:`, json(value))),
  )
}

function responsesTable(
  responses: readonly Response[],
  types: TypeNames,
  errors: string | null,
): string {
  return blocks(
    '### Responses',
    table(
      ['Status', 'Body', 'Headers', 'Description'],
      responses.map(({ status, body, headers, doc }) => [
        errors !== null && /^[45]/.test(status)
          ? `[${status}](${errors}#${status.toLowerCase()})`
          : status,
        body ? `${types.describe(body.type)} as ${inlineCode(body.contentType)}` : 'none',
        headers.map(({ wire }) => inlineCode(wire)).join(', '),
        remark(doc),
      ]),
    ),
  )
}

function responseExamples({ status, body }: Response): string {
  const examples = body?.examples ?? []
  return blocks(
    ...examples.map(({ key, summary, value }) =>
      blocks(`${status}, example ${inlineCode(key)}: ${inline(summary ?? '')}`, json(value)),
    ),
  )
}

function isSuccess({ status }: Response): boolean {
  return status.startsWith('2')
}
