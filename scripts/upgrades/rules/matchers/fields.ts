import { every, oneOf, without } from '../match.ts'
import { newField, ownersOf } from '../parts.ts'
import type { Match } from '../types.ts'
import { type Draft, drafted, type Matcher, mentions, plain, type Scene } from './scene.ts'

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
    ...types.flatMap((type) => grammar.literals(name, type, pair.before.platform)),
  ]
  return [
    ...found.flatMap((argument) => drafted(scene, argument, [name], fix)),
    ...named(scene, name, owner),
  ]
}

/** Members that have the field's name, in files that use the operations or events concerned. */
export function named(scene: Scene, name: string, owner: Match): Draft[] {
  const { grammar } = scene
  const any = grammar.memberName({ regex: '.' }, name)
  const mentioned = mentions(scene)
  if (!mentioned) return []
  const isTied = grammar.memberName(owner, name)
  const rule = every(any, without(every(isTied, scene.values.known)), mentioned)
  return [{ words: [name], rule, certain: false }]
}
