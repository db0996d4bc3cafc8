import { current } from '../../model/index.ts'
import type { Api, Body, Operation, Parameter, Resource, Response } from '../../model/types.ts'
import { pascal } from '../../model/words.ts'
import { blocks, code, inline, json, table } from '../core/markdown.ts'
import { paragraphs, remark, TypeNames } from './types.ts'

/** Where the page of a resource of the first level stands, apart from pages that are always there. */
export function resourceFile(resource: Resource): string {
  return `resources/${resource.path.map((name) => name.join('-').toLowerCase()).join('-')}.md`
}

/** The operations of a resource and of everything beneath it. */
export function resourcePage(api: Api, resource: Resource): string {
  const types = new TypeNames(api, '../schemas.md')
  const title = resource.path.map(pascal).join(' ')
  const operations = [...under(resource)]
  return blocks(
    `# ${title}`,
    resource.text,
    ...operations.map((operation) => describeOperation(operation, types)),
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

function describeOperation(operation: Operation, types: TypeNames): string {
  const { pathParams, queryParams, headerParams, body, responses } = operation
  const parameters = [
    ...pathParams.map((parameter) => ({ parameter, location: 'path' })),
    ...queryParams.map((parameter) => ({ parameter, location: 'query' })),
    ...headerParams.map((parameter) => ({ parameter, location: 'header' })),
  ]
  return blocks(
    `## ${operationTitle(operation)}`,
    code(`${operation.verb} ${operation.path}`),
    paragraphs(operation.doc),
    parameters.length > 0 &&
      table(
        ['Parameter', 'In', 'Type', 'Presence', 'Description'],
        parameters.map(({ parameter, location }) => parameterRow(parameter, location, types)),
      ),
    body && requestBody(body, types),
    responsesTable(responses, types),
    ...responses.filter(isSuccess).map(responseExamples),
  )
}

function parameterRow(parameter: Parameter, location: string, types: TypeNames): string[] {
  const { wire, type, required, doc } = parameter
  const presence = required ? 'required' : 'optional'
  return [code(wire), location, types.describe(type), presence, remark(doc)]
}

function requestBody(
  { contentType, type, required, doc, examples }: Body,
  types: TypeNames,
): string {
  return blocks(
    '### Request',
    `${types.describe(type)} as ${code(contentType)}, ${required ? 'required' : 'optional'}.`,
    paragraphs(doc),
    ...examples.map(({ key, summary, value }) => blocks(`${inline(summary ?? key)}:`, json(value))),
  )
}

function responsesTable(responses: readonly Response[], types: TypeNames): string {
  return blocks(
    '### Responses',
    table(
      ['Status', 'Body', 'Description'],
      responses.map(({ status, body, doc }) => [
        status,
        body ? `${types.describe(body.type)} as ${code(body.contentType)}` : 'none',
        remark(doc),
      ]),
    ),
  )
}

function responseExamples({ status, body }: Response): string {
  const examples = body?.examples ?? []
  return blocks(
    ...examples.map(({ key, summary, value }) =>
      blocks(`${status}, example ${code(key)}: ${inline(summary ?? '')}`, json(value)),
    ),
  )
}

function isSuccess({ status }: Response): boolean {
  return status.startsWith('2')
}
