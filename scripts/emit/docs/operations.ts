import type { Answer, Api, Body, Operation, Parameter, Resource } from '../../model/types.ts'
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
  yield* resource.operations
  for (const child of resource.children) yield* under(child)
}

/** What a reader looks an operation up by. */
export function operationTitle({ summary, id }: Operation): string {
  return summary ? inline(summary) : id
}

function describeOperation(operation: Operation, types: TypeNames): string {
  const { pathParams, queryParams, headerParams, body, answers } = operation
  const parameters = [
    ...pathParams.map((parameter) => ({ parameter, place: 'path' })),
    ...queryParams.map((parameter) => ({ parameter, place: 'query' })),
    ...headerParams.map((parameter) => ({ parameter, place: 'header' })),
  ]
  return blocks(
    `## ${operationTitle(operation)}`,
    code(`${operation.verb} ${operation.path}`),
    paragraphs(operation.doc),
    parameters.length > 0 &&
      table(
        ['Parameter', 'In', 'Type', 'Presence', ''],
        parameters.map(({ parameter, place }) => parameterRow(parameter, place, types)),
      ),
    body && requestBody(body, types),
    answersTable(answers, types),
    ...answers.filter(isSuccess).map(answerExamples),
  )
}

function parameterRow(parameter: Parameter, place: string, types: TypeNames): string[] {
  const { wire, type, required, doc } = parameter
  const presence = required ? 'required' : 'optional'
  return [code(wire), place, types.describe(type), presence, remark(doc)]
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

function answersTable(answers: readonly Answer[], types: TypeNames): string {
  return blocks(
    '### Answers',
    table(
      ['Status', 'Body', ''],
      answers.map(({ status, body, doc }) => [
        status,
        body ? `${types.describe(body.type)} as ${code(body.contentType)}` : 'none',
        remark(doc),
      ]),
    ),
  )
}

function answerExamples({ status, body }: Answer): string {
  const examples = body?.examples ?? []
  return blocks(
    ...examples.map(({ key, summary, value }) =>
      blocks(`${status}, example ${code(key)}: ${inline(summary ?? '')}`, json(value)),
    ),
  )
}

function isSuccess({ status }: Answer): boolean {
  return status.startsWith('2')
}
