import { expect, it } from 'vitest'
import { problemOf, type Traffic } from '../model/index.ts'
import type { Decl, Operation, Response } from '../model/types.ts'

const decls = ['Problem', 'Other'].map(
  (id) => ({ kind: 'model', id, extends: [], fields: [], extra: null }) as unknown as Decl,
)

function response(status: string, id: string, format = 'json'): Response {
  return { status, body: { format, type: { kind: 'ref', id } } } as unknown as Response
}

function problem(...responses: Response[]): string | undefined {
  const operations = [{ responses } as Operation]
  return problemOf({ decls, operations, webhooks: [] } satisfies Traffic)?.id
}

it.each([
  ['all errors', ['200', 'Other'], ['404', 'Problem'], ['5XX', 'Problem'], ['default', 'Problem']],
  ['the default beside a success', ['200', 'Other'], ['default', 'Problem']],
])('%s share one problem', (_what, ...responses) => {
  expect(problem(...responses.map(([status = '', id = '']) => response(status, id)))).toBe(
    'Problem',
  )
})

it('an error that is no JSON has no problem and hides none', () => {
  expect(problem(response('404', 'Problem'), response('502', 'Other', 'text'))).toBe('Problem')
})

it('several kinds of errors have no problem in common', () => {
  expect(problem(response('404', 'Problem'), response('500', 'Other'))).toBeUndefined()
})

it('a default that is the only response is a success', () => {
  expect(problem(response('default', 'Other'))).toBeUndefined()
})
