import { idsOf } from '../../model/reach.ts'
import type { Api, Operation, TypeRef } from '../../model/types.ts'
import type { Finding } from '../compare/findings.ts'
import { type Subject, spell } from '../subject.ts'
import type { Language } from '../types.ts'
import { classNames, folded, type Names } from './names.ts'

/** Where a change of the contract shows in the declarations of a language. All names are folded. */
export interface Place {
  /** The classes and types; null for all. */
  owners: ReadonlySet<string> | null
  /** Their members; null for all. */
  members: ReadonlySet<string> | null
  /** What a part of the declaration names; null for anything. */
  names: ReadonlySet<string> | null
}

const NOTHING: TypeRef = { kind: 'primitive', type: 'null' }

/** The places in which changes show. */
export function placesOf(findings: readonly Finding[], names: Names, language: Language): Place[] {
  const values = names.strangeEnums.flatMap(({ decl, api }) =>
    decl.values.map((value) => spell({ of: 'value', decl, value }, api)[language]),
  )
  return [
    ...findings.flatMap((finding) => placesOfOne(finding, names, language)),
    constantsOf(values),
    { owners: setOf(['fixtures']), members: setOf(names.strangeTypes), names: null },
    ...names.resources().map((path) => ({
      owners: setOf(path.length > 1 ? classNames(path.slice(0, -1)) : ['client', names.client]),
      members: setOf([path.at(-1)?.join(' ') ?? '']),
      names: null,
    })),
  ]
}

function placesOfOne(finding: Finding, names: Names, language: Language): Place[] {
  const { subject, renamed, values } = finding
  const told = [values?.before, values?.after].flatMap((one) => one ?? [])
  const renames = renamed ? [renamed.from, renamed.to] : []
  const methods = (operations: readonly Operation[], parts: readonly string[] | null) =>
    operations.map((operation) => methodOf(operation, parts))
  const types = (ids: readonly string[], parts: readonly string[] | null): Place => {
    const spelled = ids.flatMap((id) => [
      id,
      ...names.decls(id).map(({ decl, api }) => lastOf({ of: 'type', decl }, api, language)),
    ])
    return { owners: setOf(spelled), members: null, names: parts && setOf(parts) }
  }
  /** A type, what holds it, and the methods that take it. */
  const everywhere = (id: string, parts: readonly string[] | null): Place[] => {
    const holders = names.holders(id)
    const whole = holders.flatMap(({ id, through }) => (through === null ? [id] : []))
    const taking = (ids: readonly string[], parts: readonly string[] | null) =>
      methods(names.callers(new Set(ids)), parts && [...parts, ...ids])
    return [
      types(whole, parts),
      ...taking(whole, parts),
      ...holders.flatMap(({ id, through }) =>
        through === null ? [] : [types([id], [through]), ...taking([id], [through])],
      ),
    ]
  }

  switch (subject.of) {
    case 'operation': {
      const operations = [subject.operation, ...names.operations(finding.users)]
      return operations.flatMap((operation) => [
        ...methods([operation], null),
        mockOf(operation),
        ...(operation.params === null ? [] : [types([operation.params], null)]),
        ...(/^request-(?:body|content-type)-/.test(finding.kind)
          ? [types(idsOf(operation.body?.type ?? NOTHING), null)]
          : []),
        ...(finding.kind.startsWith('pagination-') ? [types(resultsOf(operation), told)] : []),
      ])
    }
    case 'parameter': {
      const { operation, parameter } = subject
      const operations = [operation, ...names.operations(finding.users)]
      const isInPath = operation.pathParams.includes(parameter)
      const parts = [parameter.wire, parameter.name.join(' '), ...renames]
      return operations.flatMap((operation) => {
        const params = operation.params === null ? [] : [operation.params]
        // Languages write the arguments of a path without their names.
        const wholes = isInPath ? null : [...parts, ...params]
        return [...methods([operation], wholes), types(params, parts)]
      })
    }
    case 'type': {
      const unions = names.decls(subject.decl.id).flatMap(({ decl }) => {
        return decl.kind === 'union' ? decl : []
      })
      const tags = unions.flatMap(({ tag }) => tag?.property ?? [])
      return [
        ...everywhere(subject.decl.id, null),
        types(
          unions.flatMap(({ id }) => names.formsOf(id)),
          null,
        ),
        types(
          unions.flatMap(({ variants }) => variants.flatMap(idsOf)),
          tags,
        ),
      ]
    }
    case 'field': {
      const { decl, field } = subject
      const spelled = names.decls(decl.id).map(({ api }) => lastOf(subject, api, language))
      return everywhere(decl.id, [field.wire, field.name.join(' '), ...spelled, ...renames])
    }
    case 'value': {
      const value = String(subject.value)
      const spelled = names.decls(subject.decl.id).flatMap(({ decl, api }) => {
        if (decl.kind !== 'enum') return []
        const values = decl.values.filter((one) => [value, ...renames].includes(String(one)))
        return values.map((value) => spell({ of: 'value', decl, value }, api)[language])
      })
      const parts = [value, ...spelled.map(lastIn), ...told, ...renames]
      return [constantsOf(spelled), ...everywhere(subject.decl.id, parts)]
    }
    case 'event': {
      const payloads = names
        .events([subject.webhook.event])
        .flatMap(({ payload }) => idsOf(payload))
      return [types(payloads, null)]
    }
    case 'other': {
      const parts = [
        subject.name,
        `${subject.name} encoding`,
        ...told.flatMap((one) => one.split(', ')),
      ]
      const spelled = parts.filter((part) => /\p{L}/u.test(part))
      return [{ owners: null, members: null, names: setOf(spelled) }]
    }
  }
}

/** The methods of an operation, in all their forms. */
function methodOf({ resource, method, page }: Operation, parts: readonly string[] | null): Place {
  const forms = [method.join(' '), ...(page ? ['all', 'pages'] : [])]
  return {
    owners: setOf(classNames(resource)),
    members: setOf(forms),
    names: parts && setOf(parts),
  }
}

/** What mocks an operation, where one object has the mocks of all. */
function mockOf({ resource, method }: Operation): Place {
  const parts = [...resource, method].map((name) => name.join(' '))
  return { owners: setOf(['mock']), members: setOf(['mock']), names: setOf(parts) }
}

function resultsOf({ result }: Operation): string[] {
  return result.types.flatMap(idsOf)
}

/** Values that are constants of their own, outside of a type. */
function constantsOf(spelled: readonly string[]): Place {
  const constants = spelled.filter((one) => lastIn(one) === one)
  return { owners: null, members: setOf(constants), names: null }
}

/** The last name in the spelling of a language. */
function lastOf(subject: Subject, api: Api, language: Language): string {
  return lastIn(spell(subject, api)[language])
}

function lastIn(spelled: string): string {
  return spelled.split(/[.#]|::/).at(-1) ?? ''
}

function setOf(names: readonly string[]): Set<string> {
  return new Set(names.map(folded))
}
