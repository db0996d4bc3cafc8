/** A saved request: the bytes of the body, and the headers in their order. */
export interface Delivery {
  body: Buffer
  headers: Header[]
}

export type Header = readonly [name: string, value: string]

/** A secret and the name of its environment variable. */
export interface Secret {
  name: string
  value: string
}

/** What was found and what to do about it. It never contains parts of the request. */
export interface Finding {
  /** Identifies the finding for programs. */
  name: string
  text: string
}

/** A possible original of a part of the delivery or the settings. */
export interface Guess<Value> {
  value: Value
  /** The finding if the guess is right; none for the unchanged value. */
  finding?: Finding
}

/** The guesses, or none if the value is not of the right kind. */
export function attempt<Value>(guess: () => Value[]): Value[] {
  try {
    return guess()
  } catch {
    return []
  }
}
