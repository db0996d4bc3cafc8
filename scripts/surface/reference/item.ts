// What a package declares, in the terms that all languages share. Each language's own tool reads it, and one
// renderer makes pages of it.

import type { Comment } from './comments.ts'

export type Kind = 'class' | 'module' | 'function' | 'type' | 'constant'

/** What users can name, or get from what they can name. */
export interface Item {
  name: string
  /** The module or package that users import it from. Null for what they only get. */
  from: string | null
  /** Where it is declared, below the folder of the sources. */
  file: string
  kind: Kind
  /** The declaration, without its members. */
  code: string
  /** The comment, as the language writes it. */
  doc: string
  members: Member[]
}

export interface Member {
  name: string
  /** What stands between the name of its owner and its own. */
  mark: '.' | '#'
  kind: 'field' | 'method' | 'value'
  /** The declaration of a method, one line for each overload. Of the others, the type or the value. */
  code: string
  doc: string
}

/** What is read of a package. */
export interface Package {
  /** The declarations alone, for reviews and `contract:diff`. */
  surface: string
  items: Item[]
}

/** How a language writes what a page shows. */
export interface Style {
  title: string
  /** What marks its code in Markdown. */
  fence: string
  /** What imports a declaration. */
  importOf(item: Item): string
  /** Whether an import has the name of the declaration. */
  namesImports: boolean
  commentOf(doc: string): Comment
}
