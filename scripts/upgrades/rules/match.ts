import type { Match } from './types.ts'

/** Matches a node by its text, and by its kind where one is given. */
export function word(text: string, kind?: string): Match {
  return { ...(kind !== undefined && { kind }), regex: `^${escaped(text)}$` }
}

export function oneOf(...rules: readonly Match[]): Match {
  const [only, ...others] = rules
  return only && others.length === 0 ? only : { any: [...rules] }
}

/** All of some rules, in their order: a later one sees what an earlier one captured. */
export function every(...rules: readonly Match[]): Match {
  const flat = rules.flatMap((rule) =>
    rule.all && Object.keys(rule).length === 1 ? rule.all : [rule],
  )
  const [only, ...others] = flat
  return only && others.length === 0 ? only : { all: flat }
}

/** Rules for what there is. */
export function where<T>(part: T | null, make: (part: T) => Match[]): Match[] {
  return part === null ? [] : make(part)
}

export function without(rule: Match): Match {
  return { not: rule }
}

/** Has a child, in a field where one is given. */
export function child(rule: Match, field?: string): Match {
  return { has: { ...(field !== undefined && { field }), ...rule } }
}

/** Has a descendant; what is below a node that `stopBy` matches does not count. */
export function contains(rule: Match, stopBy: Match | 'end' = 'end'): Match {
  return { has: { stopBy, ...rule } }
}

/** Is a child, in a field where one is given. */
export function parent(rule: Match, field?: string): Match {
  return { inside: { ...(field !== undefined && { field }), ...rule } }
}

/** Is a descendant. */
export function within(rule: Match): Match {
  return { inside: { stopBy: 'end', ...rule } }
}

export function kinds(...names: readonly string[]): Match {
  return oneOf(...names.map((kind) => ({ kind })))
}

/** A node of a kind. */
export function node(kind: string, ...rules: readonly Match[]): Match {
  return every({ kind }, ...rules)
}

/** A text as a regular expression. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
