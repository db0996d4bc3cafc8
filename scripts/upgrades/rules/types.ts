import type { Effects, Language } from '../../changes/types.ts'

/** A rule object of ast-grep: what a node of the syntax tree must be. */
export interface Match {
  kind?: string
  regex?: string
  pattern?: string
  matches?: string
  nthChild?: number
  all?: Match[]
  any?: Match[]
  not?: Match
  has?: Relation
  inside?: Relation
}

export interface Relation extends Match {
  field?: string
  stopBy?: 'end' | Match
}

/** Finds the lines of a program that a change hits, and rewrites them where that is certain. */
export interface Rule {
  id: string
  /** That of the change. */
  fingerprint: string
  /** The kind of the change. */
  kind: string
  language: Language
  /** The change in a sentence. */
  message: string
  severity: 'error' | 'warning'
  /** A program without any of these words has nothing to find. */
  words: string[]
  rule: Match
  utils?: Record<string, Match>
  /** What replaces the node; `$NAME` stands for a part of it. */
  fix?: string
  /** False where the name alone says that the line is hit. */
  certain: boolean
  effects: Effects[Language]
}
