import { indexOf } from '../../../model/index.ts'
import { idsOf, reachableFrom } from '../../../model/reach.ts'
import type { Decl, Operation } from '../../../model/types.ts'
import type { Argument } from '../grammar.ts'
import { escaped } from '../match.ts'
import {
  newField,
  newOperation,
  newParameter,
  oldOperations,
  ownersOf,
  type Pair,
} from '../parts.ts'
import type { Match } from '../types.ts'
import { drafted, type Matcher, plain, type Scene } from './scene.ts'

/** Arguments of calls that send the part, by its name. */
export const given: Matcher = (scene) => {
  const { part, pair } = scene
  const operations = oldOperations(part, pair)
  if (part.named === 'after' || operations.length === 0) return []
  const to = newName(scene, operations)
  return operations.flatMap((operation) => {
    const name = givenName(scene, operation)
    if (name === null) return []
    const found = [...argumentsOf(scene, operation, name), ...membersOf(scene, operation, name)]
    const { subject } = scene.part
    const words = subject.of === 'field' ? [name, subject.field.wire] : [name]
    return found.flatMap((argument) => drafted(scene, argument, words, to))
  })
}

/** What a call calls the part that it sends; null for what has no name. */
function givenName({ part: { subject }, grammar }: Scene, operation: Operation): string | null {
  if (subject.of === 'parameter') return grammar.names.parameter(subject.parameter, operation)
  return subject.of === 'field' ? grammar.names.field(subject.field) : null
}

/** In calls themselves. */
function argumentsOf(scene: Scene, operation: Operation, name: string): Argument[] {
  const { part, pair, grammar, values } = scene
  const { subject } = part
  const call = values.calls(operation)
  if (subject.of === 'parameter') return grammar.arguments(name, call)
  if (subject.of !== 'field' || !isAlone(scene, operation)) return []
  const isDirect = bodiesOf(operation, pair).some(({ id }) => id === subject.decl.id)
  if (isDirect) return grammar.arguments(name, call)
  // What is inside an argument keeps the names of the wire.
  const to = part.renamed?.to ?? ''
  const nested = grammar.nested(subject.field.wire, call, holders(scene, operation))
  return nested.map(({ rule, fix }) => ({ rule, fix: () => fix(to) }))
}

/** The names of the fields in a body that have an object of the part. */
function holders({ part, pair: { before } }: Scene, { body }: Operation): Match {
  const { subject } = part
  const index = indexOf(before.decls)
  const reached = reachableFrom(body ? idsOf(body.type) : [], index.decl)
  const owners = subject.of === 'field' ? ownersOf(subject.decl, subject.field, before) : []
  const ids = new Set(owners.map(({ id }) => id))
  const fields = before.decls.flatMap((decl) =>
    decl.kind === 'model' && reached.has(decl.id) ? decl.fields : [],
  )
  const held = fields.filter(({ type }) => idsOf(index.nonNull(type)).some((id) => ids.has(id)))
  return { regex: `^['"]?(${held.map(({ wire }) => escaped(wire)).join('|')})['"]?$` }
}

/** In objects that calls are given. */
function membersOf({ part, pair, grammar, values }: Scene, operation: Operation, name: string) {
  const { subject } = part
  const { params } = operation
  const fields = subject.of === 'field' ? ownersOf(subject.decl, subject.field, pair.before) : []
  const ids = subject.of === 'field' ? fields.map(({ id }) => id) : params === null ? [] : [params]
  return ids.flatMap((id) => [
    ...grammar.literals(name, grammar.names.type(id, pair.before), pair.before.platform),
    plain(grammar.memberName(values.of(id), name)),
  ])
}

/** The new name of what a call sends, where it has one for certain. */
function newName({ part, pair, grammar }: Scene, [operation]: Operation[]): string | undefined {
  const { subject, renamed } = part
  if (!renamed?.certain || !operation) return undefined
  if (subject.of === 'parameter') {
    const parameter = newParameter(pair.after, operation, renamed.to)
    const partner = newOperation({ ...part, after: operation.pointer }, pair.after) ?? operation
    return parameter && grammar.names.parameter(parameter, partner)
  }
  const field = newField(part, pair.after)
  return field && grammar.names.field(field)
}

/** The objects whose fields are arguments of a call: the body, or its variants. */
function bodiesOf({ body }: Operation, { before }: Pair): Decl[] {
  const index = indexOf(before.decls)
  const target = body ? index.target(body.type) : undefined
  if (target?.kind !== 'union') return target ? [target] : []
  return target.variants.flatMap((variant) => index.target(variant) ?? [])
}

/** Whether no other part of a body has the name of a field. */
function isAlone({ part, pair: { before } }: Scene, { body }: Operation): boolean {
  const { subject } = part
  if (subject.of !== 'field' || body?.type.kind !== 'ref') return false
  const index = indexOf(before.decls)
  const reached = reachableFrom([body.type.id], index.decl)
  const owners = new Set(ownersOf(subject.decl, subject.field, before))
  return before.decls.every(
    (decl) =>
      !reached.has(decl.id) ||
      owners.has(decl) ||
      decl.kind !== 'model' ||
      decl.fields.every(({ wire }) => wire !== subject.field.wire),
  )
}
