/** How a mock responds to an operation, as the contract says. */
export interface Mock {
  /** `GET /v1/things/{id}`. */
  id: string
  status: number
  contentType: string | null
  examples: unknown[]
  creates: {
    /** The field that identifies what is created. */
    key: string | null
    /** The fields that a request may set. */
    sent: string[]
    /** Path parameters, by the field that has their value. */
    parents: Record<string, string>
  } | null
  reads: {
    /** The field that identifies what is read. */
    key: string
    /** The path parameter with its value. */
    parameter: string
  } | null
  /** Lists with what was created below the path: the last part of that path, by field. */
  holds: Record<string, string>
  lists: {
    /** The field with the items; null where the body is the list. */
    items: string | null
    /** The fields of an item. */
    fields: string[]
  } | null
}

/** An object of the API. */
export type Item = Record<string, unknown>

export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
