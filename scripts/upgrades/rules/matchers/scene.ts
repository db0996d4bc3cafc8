// What all matchers share: each makes the rules of one change in one language.
import type { Finding } from '../../../changes/compare/findings.ts'
import type { Change } from '../../../changes/types.ts'
import type { Operation } from '../../../model/types.ts'
import type { Argument, Grammar } from '../grammar.ts'
import { contains, every, oneOf, within, without } from '../match.ts'
import { oldEvents, oldOperations, type Pair } from '../parts.ts'
import type { Match } from '../types.ts'
import type { Values } from '../values.ts'

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

/** What a rule finds is certain in files that name the package, and only there. */
export function tied({ values }: Scene, { fix, ...draft }: Omit<Draft, 'certain'>): Draft[] {
  const rewriting = fix === undefined ? {} : { fix }
  return [
    { ...draft, rule: every(draft.rule, values.known), ...rewriting, certain: true },
    { ...draft, rule: every(draft.rule, without(values.known)), certain: false },
  ]
}

/** Is in a file that uses one of the operations or events that the change reaches. */
export function mentions({ part, pair, grammar, values }: Scene): Match | null {
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

export function plain(rule: Match): Argument {
  return { rule, fix: (name) => name }
}

export function drafted(
  scene: Scene,
  { rule, fix }: Argument,
  words: string[],
  newName: string | undefined,
): Draft[] {
  const rewriting = newName === undefined ? {} : { fix: fix(newName) }
  return tied(scene, { words, rule, ...rewriting })
}
/** The names of the resources that calls of operations go through. */
export function wordsOf({ grammar }: Scene, operations: readonly Operation[]): string[] {
  const resources = operations.flatMap((one) => grammar.names.resources(one).slice(-1))
  return [...new Set(resources)]
}
