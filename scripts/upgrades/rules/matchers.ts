// What finds a kind of change in programs: each matcher makes the rules of one change in one language.
import type { Finding } from '../../changes/compare/findings.ts'
import type { Change } from '../../changes/types.ts'
import { indexOf } from '../../model/index.ts'
import { reachableFrom } from '../../model/reach.ts'
import type { Decl, Operation } from '../../model/types.ts'
import type { Argument, Grammar } from './grammar.ts'
import { contains, every, oneOf, within, without } from './match.ts'
import {
  newField,
  newOperation,
  newParameter,
  oldEvents,
  oldOperations,
  ownersOf,
  type Pair,
} from './parts.ts'
import type { Match } from './types.ts'
import type { Values } from './values.ts'

/** What a matcher works with. */
export interface Scene {
  change: Change
  part: Finding
  pair: Pair
  grammar: Grammar
  values: Values
}

/** A rule without what all rules of a change have in common. */
export interface Draft {
  /** A program without any of these words has nothing to find. */
  words: string[]
  rule: Match
  fix?: string
  certain: boolean
}

export type Matcher = (scene: Scene) => Draft[]

/** The method names in calls of the operations that the change reaches. */
export const calls: Matcher = (scene) => {
  const operations = oldOperations(scene.part, scene.pair)
  if (operations.length === 0) return []
  const rule = oneOf(...operations.map((one) => scene.values.methodNames(one)))
  return tied(scene, { words: wordsOf(scene, operations), rule })
}

/** The names of the resources that calls of operations go through. */
function wordsOf({ grammar }: Scene, operations: readonly Operation[]): string[] {
  const resources = operations.flatMap((one) => grammar.names.resources(one).slice(-1))
  return [...new Set(resources)]
}

/** Calls by an old name, or through an old resource. */
export const renamedCalls: Matcher = (scene) => {
  const { part, pair, grammar, values } = scene
  const [operation] = oldOperations(part, pair)
  const renamed = newOperation(part, pair.after)
  if (!operation || !renamed) return []
  const { names, memberName, member, objectOf } = grammar
  const [old, now] = [names.methods(operation), names.methods(renamed)]
  const [path, newPath] = [names.resources(operation), names.resources(renamed)]
  const forms = (Object.keys(old) as Array<keyof typeof old>).flatMap((form) => {
    const [from, to] = [old[form], now[form]]
    return from === undefined || to === undefined ? [] : [{ from, to }]
  })
  const methods = forms
    .filter(({ from, to }) => from !== to)
    .map(({ from, to }) => ({ rule: memberName(values.resource(operation), from), fix: to }))
  const users = [...forms.map(({ from }) => from), ...(grammar.raw === null ? [] : [grammar.raw])]
  const object = every(path.reduce(member, { pattern: '$CLIENT' }), oneOf(...users.map(objectOf)))
  const moved = { rule: object, fix: ['$CLIENT', ...newPath].join('.') }
  const drafts = path.join() === newPath.join() ? methods : [...methods, moved]
  const words = wordsOf(scene, [operation])
  return drafts.flatMap((draft) => tied(scene, { ...draft, words }))
}

/** What a rule finds is certain in files that name the package, and only there. */
function tied({ values }: Scene, { fix, ...draft }: Omit<Draft, 'certain'>): Draft[] {
  const rewriting = fix === undefined ? {} : { fix }
  return [
    { ...draft, rule: every(draft.rule, values.known), ...rewriting, certain: true },
    { ...draft, rule: every(draft.rule, without(values.known)), certain: false },
  ]
}

/** Members of values that the package returns or receives, by the field's name. */
export const fields: Matcher = (scene) => {
  const { part, pair, grammar, values } = scene
  const { subject } = part
  if (subject.of !== 'field' || part.named === 'after') return []
  const { names, memberName } = grammar
  const owners = ownersOf(subject.decl, subject.field, pair.before)
  const renamed = part.renamed?.certain ? newField(part, pair.after) : undefined
  const name = names.field(subject.field)
  const fix = renamed && names.field(renamed)
  const owner = oneOf(...owners.map(({ id }) => values.of(id)))
  const types = owners.map(({ id }) => names.type(id, pair.before))
  const found = [
    plain(memberName(owner, name)),
    ...grammar.patterns(name, owner),
    ...types.flatMap((type) => grammar.literals(name, type)),
  ]
  return [
    ...found.flatMap((argument) => drafted(scene, argument, name, fix)),
    ...named(scene, name, owner),
  ]
}

/** Members that have the field's name, in files that use the operations or events concerned. */
function named(scene: Scene, name: string, owner: Match): Draft[] {
  const { grammar } = scene
  const any = grammar.memberName({ regex: '.' }, name)
  const mentioned = mentions(scene)
  if (!mentioned) return []
  const isTied = grammar.memberName(owner, name)
  const rule = every(any, without(every(isTied, scene.values.known)), mentioned)
  return [{ words: [name], rule, certain: false }]
}

/** Is in a file that uses one of the operations or events that the change reaches. */
function mentions({ part, pair, grammar, values }: Scene): Match | null {
  const operations = oldOperations(part, pair).map((one) => values.methodNames(one))
  const events = oldEvents(part, pair).flatMap(({ event, payload }) => [
    grammar.string(event),
    ...(payload.kind === 'ref'
      ? [grammar.typeName(grammar.names.type(payload.id, pair.before), pair.before.platform)]
      : []),
  ])
  const used = [...operations, ...events]
  return used.length === 0 ? null : within(every(grammar.file, contains(oneOf(...used))))
}

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
    return found.flatMap((argument) => drafted(scene, argument, name, to))
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
  return isDirect ? grammar.arguments(name, call) : grammar.nested(name, call)
}

/** In objects that calls are given. */
function membersOf({ part, pair, grammar, values }: Scene, operation: Operation, name: string) {
  const { subject } = part
  const { params } = operation
  const fields = subject.of === 'field' ? ownersOf(subject.decl, subject.field, pair.before) : []
  const ids = subject.of === 'field' ? fields.map(({ id }) => id) : params === null ? [] : [params]
  return ids.flatMap((id) => [
    ...grammar.literals(name, grammar.names.type(id, pair.before)),
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

function plain(rule: Match): Argument {
  return { rule, fix: (name) => name }
}

function drafted(
  scene: Scene,
  { rule, fix }: Argument,
  name: string,
  newName: string | undefined,
): Draft[] {
  const rewriting = newName === undefined ? {} : { fix: fix(newName) }
  return tied(scene, { words: [name], rule, ...rewriting })
}
