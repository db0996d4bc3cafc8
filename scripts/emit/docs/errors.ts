import { current } from '../../model/index.ts'
import type { Api, Example, Response, StatusRange } from '../../model/types.ts'
import type { Language } from '../core/language.ts'
import { blocks, code, inline, json, table } from '../core/markdown.ts'
import { operationTitle } from './operations.ts'
import { paragraphs } from './types.ts'

interface Failure {
  response: Response
  /** Titles of the operations that return it. */
  operations: string[]
}

/** Every error status with its codes, what the SDKs raise and whether they retry. */
export function errorsPage(api: Api, languages: readonly Language[]): string {
  const failures = failuresOf(api)
  return blocks(
    '# Errors',
    `The body of an error has a \`code\` that programs can compare. It is more precise than the status. Handle codes
that you do not know by their status, because new codes can appear at any time.`,
    table(
      ['Status', 'Codes', 'Retried by the SDKs'],
      failures.map(({ response }) => [
        `[${response.status}](#${response.status.toLowerCase()})`,
        codesOf(response).map(code).join(', '),
        retried(response, api),
      ]),
    ),
    ...failures.map((failure) => section(failure, api, languages)),
  )
}

function section(
  { response, operations }: Failure,
  api: Api,
  languages: readonly Language[],
): string {
  const range = api.policy.errors.classes.find((one) => covers(one, response.status))
  const names = languages.map(({ title, spelling }) => [
    title,
    code(spelling.error(range?.name ?? 'APIError')),
  ])
  const all = current(api.operations).length === operations.length
  return blocks(
    `## ${response.status}`,
    paragraphs(response.doc),
    `${all ? 'All operations return it.' : `Returned by: ${operations.join(', ')}.`} ${retried(response, api) === 'no' ? 'The SDKs do not retry it.' : ''}`.trim(),
    table(['SDK', 'Error'], names),
    ...response.headers.map(({ wire, doc }) => `${code(wire)}: ${inline(doc.text ?? '')}`),
    ...(response.body?.examples ?? []).map(({ key, summary, value }) =>
      blocks(`${inline(summary ?? key)}:`, json(value)),
    ),
  )
}

/** The error responses of all operations, each status once. */
function failuresOf(api: Api): Failure[] {
  const found = new Map<string, Failure>()
  for (const operation of current(api.operations)) {
    for (const response of operation.responses) {
      if (!/^(?:[45]|default$)/.test(response.status)) continue
      const failure = found.get(response.status) ?? { response, operations: [] }
      failure.operations.push(operationTitle(operation))
      found.set(response.status, failure)
    }
  }
  return [...found.values()].sort((a, b) => (a.response.status < b.response.status ? -1 : 1))
}

/** The codes that the examples show; a reason for a field has its own. */
function codesOf({ body }: Response): string[] {
  return [...new Set((body?.examples ?? []).flatMap(codeOf))]
}

function codeOf({ value }: Example): string[] {
  const found = (value as { code?: unknown } | null)?.code
  return typeof found === 'string' ? [found] : []
}

function retried({ status }: Response, { policy }: Api): string {
  const { retryableStatuses, otherStatuses } = policy.retries
  if (otherStatuses.includes(Number(status))) return 'yes'
  return retryableStatuses.includes(Number(status)) ? 'GET and HEAD' : 'no'
}

function covers({ from, to }: StatusRange, status: string): boolean {
  return Number(status) >= from && Number(status) <= to
}
