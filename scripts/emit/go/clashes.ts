import type { Api, Decl, Refusal, Resource } from '../../model/types.ts'
import { RENAME, RENAME_METHOD } from '../core/clashes.ts'
import { hasEvents } from '../core/events.ts'
import {
  allName,
  argument,
  fieldName,
  methodName,
  pagesName,
  resourcesOf,
  serviceField,
  TAKEN_BY_EVENTS,
  typeNames,
  valueNames,
} from './naming.ts'
import { Types } from './references.ts'
import { shapesOf, unknownName } from './unions.ts'

interface Identifier {
  name: string
  pointer: string
}

/** The members of every client besides its resources. */
const CLIENT_MEMBERS = ['Do', 'WithOptions']

/** Names that are right in the document but cannot be given in Go. */
export function nameClashes(api: Api): Refusal[] {
  const types = new Types(api)
  const names = typeNames(api)
  const declared = api.decls.flatMap((decl) =>
    identifiersOf(decl, names.get(decl.id) ?? '', types).map((name) => ({
      name,
      pointer: decl.pointer,
    })),
  )
  const fields = api.decls.flatMap((decl) => {
    if (decl.kind !== 'model') return []
    const all = types.fields(decl)
    return repeated(all.map((field) => ({ name: fieldName(field), pointer: field.pointer })))
  })
  const payloads = hasEvents(api) ? api.webhooks.map(({ payload }) => types.model(payload)) : []
  const ofEvents = payloads.flatMap((model) =>
    (model ? types.fields(model) : [])
      .map((field) => ({ name: fieldName(field), pointer: field.pointer }))
      .filter(({ name }) => TAKEN_BY_EVENTS.has(name)),
  )
  // An inherited field is reported once, at its location.
  const distinct = new Map([...fields, ...ofEvents].map((field) => [field.pointer, field]))
  const paths = api.operations.flatMap(({ pathParams, pointer }) =>
    repeated(pathParams.map(({ name }) => ({ name: argument(name), pointer }))),
  )
  const methods = resourcesOf(api.resources).flatMap((resource) => repeated(members(resource)))
  const top = api.resources.filter((resource) => CLIENT_MEMBERS.includes(serviceField(resource)))
  return [
    ...repeated(declared).map(clash('types or values', RENAME)),
    ...[...distinct.values()].map(clash('fields', RENAME)),
    ...paths.map(clash('arguments', RENAME)),
    ...[...methods, ...top.flatMap(firstOf)].map(clash('members', RENAME_METHOD)),
  ]
}

function clash(what: string, fix: string): (identifier: Identifier) => Refusal {
  return ({ name, pointer }) => ({
    pointer,
    message: `the Go SDK would have two ${what} named ${name}`,
    fix,
  })
}

/** All but the first of each name. */
function repeated(identifiers: readonly Identifier[]): Identifier[] {
  const seen = new Set<string>()
  return identifiers.filter(({ name }) => {
    const isTaken = seen.has(name)
    seen.add(name)
    return isTaken
  })
}

/** The identifiers that a declaration adds to the package. */
function identifiersOf(decl: Decl, name: string, types: Types): string[] {
  if (decl.kind === 'enum') return [name, ...valueNames(name, decl.values)]
  if (decl.kind === 'alias')
    return [name, ...valueNames(name, types.renamedEnum(decl)?.values ?? [])]
  if (decl.kind !== 'union') return [name]
  if (types.tagged(decl)) return [name, unknownName(name)]
  return [name, ...[...shapesOf(decl, types).keys()].map((shape) => `${name}Of${shape}`)]
}

function members({ operations, children }: Resource): Identifier[] {
  const groups = children.flatMap((child) =>
    firstOf(child).map(({ pointer }) => ({ name: serviceField(child), pointer })),
  )
  const methods = operations.flatMap((operation) => {
    const ofPages = operation.page ? [allName(operation), pagesName(operation)] : []
    const names = [methodName(operation), ...ofPages]
    return names.map((name) => ({ name, pointer: operation.pointer }))
  })
  return [...groups, ...methods]
}

/** A resource has no location. The one of its first operation stands for it. */
function firstOf(resource: Resource): Identifier[] {
  const [first] = resourcesOf([resource]).flatMap(({ operations }) => operations)
  return first ? [{ name: serviceField(resource), pointer: first.pointer }] : []
}
