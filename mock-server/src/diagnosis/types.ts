/** A request as it was kept: the body's bytes, and the headers in their order. */
export interface Delivery {
  body: Buffer
  headers: Header[]
}

export type Header = readonly [name: string, value: string]

/** A secret and the environment variable that it comes from. */
export interface Secret {
  name: string
  value: string
}

/** Something that was found out: what it means and what to do. It never holds what was sent. */
export interface Finding {
  /** Tells it apart, for programs. */
  name: string
  text: string
}

/** What a part of the delivery or of the settings may have been before it was changed. */
export interface Guess<Value> {
  value: Value
  /** What it would mean; none for the value as it is. */
  finding?: Finding
}

/** Guesses that cannot be made, as the value is not of the kind in question, are none. */
export function attempt<Value>(guess: () => Value[]): Value[] {
  try {
    return guess()
  } catch {
    return []
  }
}
