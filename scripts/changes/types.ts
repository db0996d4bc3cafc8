// What changes between two revisions of the contract and the policy, as data.

export const LANGUAGES = ['typescript', 'python', 'ruby', 'go'] as const
export type Language = (typeof LANGUAGES)[number]

export const TITLES: Readonly<Record<Language, string>> = {
  typescript: 'TypeScript',
  python: 'Python',
  ruby: 'Ruby',
  go: 'Go',
}

export const AUDIENCES = ['upgrade', 'stay', 'receive'] as const
export type Audience = (typeof AUDIENCES)[number]

/** From the worst for users to nothing at all, in the order of reports. */
export const EFFECTS = [
  'silent',
  'rejected',
  'runtime',
  'load',
  'compile',
  'warning',
  'none',
] as const
export type Effect = (typeof EFFECTS)[number]

/** From the most to the least serious. */
export const CLASSES = ['breaking', 'additive', 'documentation'] as const
export type Class = (typeof CLASSES)[number]

export type ByLanguage<T> = Record<Language, T>

/** Null for an audience that the change does not concern. */
export type Effects = ByLanguage<Record<Audience, Effect | null>>

/** A kind of change, with what it does to users of each SDK. */
export interface Kind {
  id: string
  /** A sentence with {subject}, {before} and {after}. */
  text: string
  class: Class
  effects: Effects
}

/** Where a changed part stands. */
export interface Site {
  file: string
  line: number
}

/** A change, as `contract:diff --json` has it. */
export interface Change {
  /** Equal for equal changes, whatever else changes: 12 hex digits of kind and pointer. */
  fingerprint: string
  kind: string
  /** Into the document, by names: of the new revision, or of the old one for what is gone. */
  pointer: string
  before: Site | null
  after: Site | null
  class: Class
  /** Whether the changed part was marked as a preview. */
  preview: boolean
  provenance: 'contract' | 'generator' | 'policy'
  /** The changed part as each language spells it. */
  subject: ByLanguage<string>
  effects: Effects
  /** For users, in a sentence. */
  text: string
  /** The same in the spelling of each language. */
  texts: ByLanguage<string>
  /** The operations (`GET /v1/things`) and events (`webhook thing.created`) that it reaches. */
  users: string[]
  /** The names of what was renamed, as the contract has them. */
  renamed: Renamed | null
  /** Whether the changed part was or is an assumption. */
  assumed: { before: boolean; after: boolean }
  /** Why the change was accepted; null where it was not. */
  approved: { reason: string; expires: string } | null
}

export interface Renamed {
  from: string
  to: string
  /** False where only the schemas are equal: nobody said that one became the other. */
  certain: boolean
}
