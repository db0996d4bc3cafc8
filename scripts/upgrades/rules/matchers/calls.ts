import { every, oneOf, parent, without } from '../match.ts'
import { newOperation, oldOperations } from '../parts.ts'
import type { Match } from '../types.ts'
import { type Matcher, type Scene, tied, wordsOf } from './scene.ts'

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
  const { names, memberName, member } = grammar
  const [old, now] = [names.methods(operation), names.methods(renamed)]
  const [path, newPath] = [names.resources(operation), names.resources(renamed)]
  const forms = (Object.keys(old) as Array<keyof typeof old>).flatMap((form) => {
    const [from, to] = [old[form], now[form]]
    return from === undefined || to === undefined ? [] : [{ from, to }]
  })
  const isMoved = path.join() !== newPath.join()
  // What replaces a resource has no operators but `.`, so that other calls are left as they are.
  const optional = { regex: '\\?\\.|&\\.' }
  const resource = values.resource(operation)
  const plain = isMoved ? every(resource, without(optional)) : resource
  const methods = forms
    .filter(({ from, to }) => from !== to)
    .map(({ from, to }) => ({ rule: memberName(plain, from), fix: to }))
  const used = forms.map(({ from }) => usedFor(from, scene))
  const object = every(path.reduce(member, { pattern: '$CLIENT' }), oneOf(...used))
  const moved = [
    { rule: every(object, without(optional)), fix: ['$CLIENT', ...newPath].join('.') },
    { rule: every(object, optional) },
  ]
  const drafts = isMoved ? [...methods, ...moved] : methods
  const words = wordsOf(scene, [operation])
  return drafts.flatMap((draft) => tied(scene, { ...draft, words }))
}

/** Is the resource of a method, with or without the member for raw responses between them. */
function usedFor(method: string, { grammar: { objectOf, raw } }: Scene): Match {
  const direct = objectOf(method)
  return raw === null ? direct : oneOf(direct, every(objectOf(raw), parent(direct)))
}
