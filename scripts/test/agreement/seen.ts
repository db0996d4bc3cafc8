/** What the emitted code of a language says of a field; null where its types cannot say it. */
export interface Seen {
  mayBeAbsent: boolean | null
  nullable: boolean | null
  /** Whether it has one of some values and never another one. */
  closed: boolean | null
}

/** The fields by `Type.wire`, the type as the language calls it. */
export type Fields = Map<string, Seen>
