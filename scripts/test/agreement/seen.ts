import type { Api } from '../../model/types.ts'

/** The facts about a field in the emitted code of a language; null if its types cannot express one. */
export interface Seen {
  mayBeAbsent: boolean | null
  nullable: boolean | null
  /** Whether it has one of some values and never another one. */
  closed: boolean | null
}

/** The exports of `agreement/<language>.ts`. */
export interface Reader {
  /** Reads the fields of packages. */
  read(packages: readonly string[]): Fields[]
  /** The language's name for the type with an id; by default the id. */
  namer?(api: Api): (id: string) => string
  /** Whether every object of the contract is a type of the package; by default it is. */
  hasAllTypes?: boolean
  /** Whether the enums of what is only sent are closed, so that a misspelt value is an error. */
  closesSent?: boolean
}

/** The fields by `Type.wire`, the type as the language calls it. */
export type Fields = Map<string, Seen>
