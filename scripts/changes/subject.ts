import type { Subjects } from '../emit/core/subjects.ts'
import { subjects as go } from '../emit/go/subjects.ts'
import { subjects as python } from '../emit/python/subjects.ts'
import { subjects as ruby } from '../emit/ruby/subjects.ts'
import { subjects as typescript } from '../emit/typescript/subjects.ts'
import type { Api, Decl, Enum, Field, Operation, Parameter, Webhook } from '../model/types.ts'
import { dotted } from '../model/words.ts'
import type { ByLanguage } from './types.ts'

/** A part of an API that can change. */
export type Subject =
  | { of: 'operation'; operation: Operation }
  | { of: 'parameter'; operation: Operation; parameter: Parameter }
  | { of: 'type'; decl: Decl }
  | { of: 'field'; decl: Decl; field: Field }
  | { of: 'value'; decl: Enum; value: string | number }
  | { of: 'event'; webhook: Webhook }
  /** Something that has no name in SDKs. */
  | { of: 'other'; name: string }

const LANGUAGES = { typescript, python, ruby, go }

/** A part as each language spells it. */
export function spell(subject: Subject, api: Api): ByLanguage<string> {
  const entries = Object.entries(LANGUAGES).map(([language, spelling]) => [
    language,
    spelled(subject, spelling, api),
  ])
  return Object.fromEntries(entries)
}

function spelled(subject: Subject, spelling: Subjects, api: Api): string {
  switch (subject.of) {
    case 'operation':
      return spelling.operation(subject.operation)
    case 'parameter':
      return spelling.parameter(subject.operation, subject.parameter, api)
    case 'type':
      return spelling.type(subject.decl, api)
    case 'field':
      return spelling.field(subject.decl, subject.field, api)
    case 'value':
      return spelling.value(subject.decl, subject.value, api)
    case 'event':
      return spelling.event(subject.webhook, api)
    case 'other':
      return subject.name
  }
}

/** A part as texts and the list of reserved names call it. */
export function nameOf(subject: Subject): string {
  switch (subject.of) {
    case 'operation':
      return dotted(subject.operation.resource, subject.operation.method)
    case 'parameter': {
      const { resource, method } = subject.operation
      return `${dotted(resource, method)}(${subject.parameter.wire})`
    }
    case 'type':
      return subject.decl.id
    case 'field':
      return `${subject.decl.id}.${subject.field.wire}`
    case 'value':
      return `${subject.decl.id}.${subject.value}`
    case 'event':
      return subject.webhook.event
    case 'other':
      return subject.name
  }
}

/** The names of all parts of an API. */
export function namesOf(api: Api): Set<string> {
  const subjects: Subject[] = [
    ...api.operations.flatMap((operation): Subject[] => [
      { of: 'operation', operation },
      ...[operation.pathParams, operation.queryParams, operation.headerParams]
        .flat()
        .map((parameter): Subject => ({ of: 'parameter', operation, parameter })),
    ]),
    ...api.decls.flatMap((decl): Subject[] => [
      { of: 'type', decl },
      ...(decl.kind === 'model' ? decl.fields : []).map(
        (field): Subject => ({ of: 'field', decl, field }),
      ),
      ...(decl.kind === 'enum' ? [decl] : []).flatMap((one) =>
        one.values.map((value): Subject => ({ of: 'value', decl: one, value })),
      ),
    ]),
    ...api.webhooks.map((webhook): Subject => ({ of: 'event', webhook })),
  ]
  return new Set(subjects.map(nameOf))
}
