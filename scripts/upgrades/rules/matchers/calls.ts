import { every, oneOf } from '../match.ts'
import { newOperation, oldOperations } from '../parts.ts'
import { type Matcher, tied, wordsOf } from './scene.ts'

/** The method names in calls of the operations that the change reaches. */
export const calls: Matcher = (scene) => {
  const operations = oldOperations(scene.part, scene.pair)
  if (operations.length === 0) return []
  const rule = oneOf(...operations.map((one) => scene.values.methodNames(one)))
  return tied(scene, { words: wordsOf(scene, operations), rule })
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
