/** A name that the document may give but a language cannot, and where the document gives it. */
export interface NameClash {
  /** A JSON pointer into the document. */
  pointer: string
  message: string
  fix: string
}
