import { html } from 'hono/html'
import type { Limit } from '../control/document.ts'
import { readBody } from '../door/body.ts'
import type { HttpRequest } from '../door/message.ts'
import { invalid } from '../door/problem.ts'
import type { Html } from './parts.ts'

/** The limits of the fields by their names, as in the control API, and those of the dashboard's own. */
export type Limits = Readonly<Record<string, Limit>>

export const OWN_LIMITS: Limits = { key: { maxLength: 200 }, token: { maxLength: 10_000 } }

/** The `maxlength` attribute of a field. */
export function maxLength(limits: Limits, name: string): Html | string {
  const most = limits[name]?.maxLength
  return most === undefined ? '' : html` maxlength="${most}"`
}

/** The ratings that a visitor can choose from, the lowest first. */
export function ratingsOf({ rating: { minimum = 1, maximum = 5 } = {} }: Limits): string[] {
  const count = Math.max(1, Math.min(maximum - minimum + 1, MOST_RATINGS))
  return Array.from({ length: count }, (_, index) => String(minimum + index))
}

const MOST_RATINGS = 100
/** The fields of a submitted form. */
export class Form {
  readonly #fields: URLSearchParams
  readonly #limits: Limits

  constructor(fields: URLSearchParams, limits: Limits) {
    this.#fields = fields
    this.#limits = limits
  }

  /** All fields that are not empty. */
  get texts(): Readonly<Record<string, string | undefined>> {
    return Object.fromEntries([...this.#fields].filter(([, value]) => value !== ''))
  }

  /** A field as it was typed; undefined if the form has none of that name. */
  text(name: string): string | undefined {
    // Browsers send every line break as CRLF.
    return this.#fields.get(name)?.replaceAll('\r\n', '\n')
  }

  /** A field that may be empty. */
  optional(name: string): string | undefined {
    const text = this.text(name) ?? ''
    if (text.trim() === '') return undefined
    const { maxLength: most = Number.POSITIVE_INFINITY } = this.#limits[name] ?? {}
    if (text.length > most) {
      throw invalid(`The field "${name}" has more than ${most} characters. Shorten it.`)
    }
    return text
  }

  required(name: string): string {
    const text = this.optional(name)
    if (text === undefined) throw invalid(`The field "${name}" is empty. Fill it in.`)
    return text
  }

  /** A number in a field that may be empty, within its limits. */
  number(name: string): number | undefined {
    const text = this.optional(name)?.trim()
    if (text === undefined) return undefined
    const { type, minimum = -Infinity, maximum = Infinity } = this.#limits[name] ?? {}
    const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    const isFit = type === 'integer' ? Number.isInteger(value) : true
    if (isFit && value >= minimum && value <= maximum) return value
    const kind = type === 'integer' ? 'a whole number' : 'a number'
    throw invalid(`The field "${name}" must be ${kind} from ${minimum} to ${maximum}.`)
  }

  /** A JSON object in a field that may be empty. */
  object(name: string): Record<string, unknown> | undefined {
    const text = this.optional(name)
    if (text === undefined) return undefined
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return value as Record<string, unknown>
      }
    } catch {
      // Refused below.
    }
    throw invalid(`The field "${name}" must be a JSON object, for example {"reason":"A refund."}.`)
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
export async function readForm(request: HttpRequest, limits: Limits = OWN_LIMITS): Promise<Form> {
  const body = await readBody(request, ['application/x-www-form-urlencoded'])
  return new Form(new URLSearchParams(String(body?.value ?? '')), limits)
}
