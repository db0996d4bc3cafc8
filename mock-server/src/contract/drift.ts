/** Validates what the sandbox sends against the contract. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { parseMediaType } from '../door/media-type.ts'
import type { HttpResponse } from '../door/message.ts'
import { invalid, Problem, type Reason } from '../door/problem.ts'
import { type Described, type Description, declaredFor, type Schema } from './document.ts'
import { addFormats } from './formats.ts'

/** A response or an event that contradicts the contract. */
export class Drift extends Problem {
  /** @param what The operation or the event. */
  constructor(what: string, reasons: Reason[]) {
    const [first] = reasons
    const where = first ? (first.parameter ?? (first.pointer || 'the body')) : 'it'
    const message = first?.message ?? 'is not declared'
    super(500, 'contract_drift', `${what} does not match the contract: ${where} ${message}.`, {
      errors: reasons,
    })
  }
}

/** Runs a check of what a request asked for. @throws {Problem} 422 where that contradicts the contract */
export function refusing(check: () => void): void {
  try {
    check()
  } catch (error) {
    throw error instanceof Drift ? invalid(error.message, error.errors) : error
  }
}

/** A contract has been checked before. */
const LENIENT = { strict: false, logger: false, validateSchema: false } as const

/** The validators of a contract. Each is compiled on first use. */
export class Validators {
  #ajv: Ajv2020 | undefined
  readonly #known = new WeakMap<Schema, ValidateFunction>()
  readonly #root: object

  constructor({ document }: Description) {
    this.#root = document
  }

  /** Every reason why a value is not valid. */
  reasons(schema: Schema | undefined, value: unknown): Reason[] {
    if (!schema) return []
    const validate = this.#known.get(schema) ?? this.#compile(schema)
    if (validate(value)) return []
    return (validate.errors ?? []).map(reasonOf)
  }

  #compile(schema: Schema): ValidateFunction {
    if (!this.#ajv) {
      this.#ajv = new Ajv2020({ ...LENIENT, allErrors: true })
      addFormats(this.#ajv)
    }
    // References in a schema point into its document.
    const validate = this.#ajv.compile({ ...this.#root, ...schema })
    this.#known.set(schema, validate)
    return validate
  }
}

/** Throws for everything that contradicts the contract. */
export class DriftCheck {
  readonly #description: Description
  readonly #validators: Validators

  constructor(description: Description) {
    this.#description = description
    this.#validators = new Validators(description)
  }

  /** @throws {Drift} */
  response(operation: Described, { status, headers, body }: HttpResponse): void {
    const what = `The response ${status} of ${operation.method} ${operation.path}`
    const declared = declaredFor(operation, status)
    if (!declared) throw new Drift(what, [])
    const missing = declared.headers.filter(({ name, isRequired }) => {
      // Every response gets its request id at the door.
      return isRequired && name !== this.#description.requestIdHeader && headers[name] === undefined
    })
    if (missing.length > 0)
      throw new Drift(
        what,
        missing.map(({ name }) => absent(name)),
      )
    if (declared.contents.length === 0) {
      if (body !== undefined) throw new Drift(what, [inBody('', 'body', 'is not declared')])
      return
    }
    const type = parseMediaType(headers['content-type'] ?? '')?.essence
    const content = declared.contents.find(({ mediaType }) => {
      return parseMediaType(mediaType)?.essence === type
    })
    if (!content) throw new Drift(what, [{ ...absent('content-type'), message: 'is not declared' }])
    const reasons = this.#validators.reasons(content.schema, JSON.parse(String(body)))
    if (reasons.length > 0) throw new Drift(what, reasons)
  }

  /** @throws {Drift} */
  event(kind: string, body: string): void {
    const event = this.#description.events.find((one) => one.kind === kind)
    if (!event) throw new Drift(`The event ${kind}`, [])
    const reasons = this.#validators.reasons(event.content.schema, JSON.parse(body))
    if (reasons.length > 0) throw new Drift(`The event ${kind}`, reasons)
  }
}

function reasonOf({ instancePath, keyword, message = '', params }: ErrorObject): Reason {
  const missing = keyword === 'required' ? `/${params.missingProperty}` : ''
  return inBody(instancePath + missing, keyword, missing ? 'is required' : message)
}

function inBody(pointer: string, code: string, message: string): Reason {
  return { in: 'body', pointer, code, message }
}

function absent(parameter: string): Reason {
  return { in: 'header', parameter, code: 'required', message: 'is required' }
}
