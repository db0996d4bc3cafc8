import { readBody } from '../door/body.ts'
import type { HttpRequest } from '../door/message.ts'
import { invalid } from '../door/problem.ts'

/** The maximum length of each field, as in `control.yaml`. */
export const MAX_LENGTH = {
  text: 10_000,
  name: 200,
  reason: 1000,
  comment: 10_000,
  url: 2000,
  secret: 200,
  key: 200,
  token: 10_000,
} as const

type Field = keyof typeof MAX_LENGTH

/** The fields of a submitted form. */
export class Form {
  readonly #fields: URLSearchParams

  constructor(fields: URLSearchParams) {
    this.#fields = fields
  }

  /** A field that may be empty. */
  optional(name: Field): string | undefined {
    // Browsers send every line break as CRLF.
    const text = (this.#fields.get(name) ?? '').replaceAll('\r\n', '\n')
    if (text.trim() === '') return undefined
    if (text.length > MAX_LENGTH[name]) {
      throw invalid(`The field "${name}" has more than ${MAX_LENGTH[name]} characters. Shorten it.`)
    }
    return text
  }

  required(name: Field): string {
    const text = this.optional(name)
    if (text === undefined) throw invalid(`The field "${name}" is empty. Fill it in.`)
    return text
  }

  /** One of the values that a field may have. */
  choice<T extends string>(name: string, values: readonly T[]): T {
    const value = values.find((one) => one === this.#fields.get(name))
    if (value === undefined)
      throw invalid(`The field "${name}" must be one of ${values.join(', ')}.`)
    return value
  }

  /** The selected values. */
  choices<T extends string>(name: string, values: readonly T[]): T[] {
    const sent = this.#fields.getAll(name)
    return values.filter((value) => sent.includes(value))
  }
}

/** @throws {Problem} 400, 413 or 415 for a body that is not a form. */
export async function readForm(request: HttpRequest): Promise<Form> {
  const body = await readBody(request, ['application/x-www-form-urlencoded'])
  return new Form(new URLSearchParams(String(body?.value ?? '')))
}
