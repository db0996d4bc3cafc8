/** Problems in the form that the contract gives to errors. */
import { isJson, parseMediaType } from '../door/media-type.ts'
import type { HttpResponse } from '../door/message.ts'
import { Problem, problemResponse } from '../door/problem.ts'
import { type Content, type Described, declaredFor } from './document.ts'
import { Form, type Forms } from './form.ts'
import { invent } from './minimal.ts'

/** The name of the forms of all errors. */
export const ERRORS = 'errors'

export class Problems {
  readonly #forms: Forms
  readonly #known = new Map<Content, Form | null>()
  readonly #isIdentity: boolean
  /** Set at the door. */
  readonly #requestId: string

  constructor(forms: Forms) {
    this.#forms = forms
    this.#isIdentity = forms.proven.has(ERRORS)
    this.#requestId = forms.description.requestIdHeader
  }

  /** Gives a problem the form that an operation declares for its status. */
  dress(operation: Described, response: HttpResponse): HttpResponse {
    if (this.#isIdentity) return response
    const declared = declaredFor(operation, response.status)
    if (!declared) return response
    const headers = { ...response.headers }
    for (const { name, isRequired, example, schema } of declared.headers) {
      if (!isRequired || name in headers || name === this.#requestId) continue
      headers[name] = String(example ?? invent(this.#forms.shapes.of(schema), []))
    }
    const content = declared.contents.find(({ mediaType }) => {
      return isJson(parseMediaType(mediaType)?.essence ?? '')
    })
    if (!content) return { ...response, headers }
    headers['content-type'] = content.mediaType
    const form = this.#formOf(content)
    const body = form
      ? form.text(String(response.body))
      : JSON.stringify(invent(this.#forms.shapes.of(content.schema), content.examples))
    return { ...response, headers, body }
  }

  /** Whether every declared error takes problems as they are. */
  get isIdentity(): boolean {
    return this.#forms.description.operations.every((operation) =>
      operation.responses.every(({ code, headers }) => {
        const status = code === 'default' ? 500 : Number(code.replace(/x/gi, '0'))
        if (status < 400) return true
        const plain = problemResponse(new Problem(status, 'code', 'A detail.'), 'req_1')
        const set = new Set([this.#requestId, ...Object.keys(plain.headers)])
        // A 401 has its challenge. `default` also stands for it.
        set.add('www-authenticate')
        return (
          headers.every(({ name, isRequired }) => !isRequired || set.has(name)) &&
          this.dress(operation, plain).body === plain.body
        )
      }),
    )
  }

  /** Null if no problem can have the form, so that only an example remains. */
  #formOf(content: Content): Form | null {
    const known = this.#known.get(content)
    if (known !== undefined) return known
    const { shapes, validators } = this.#forms
    const form = new Form(ERRORS, shapes.of(content.schema), content.examples, this.#forms)
    const isUsable =
      form.prove(SAMPLES, (value) => validators.reasons(content.schema, value)) === null
    this.#known.set(content, isUsable ? form : null)
    return isUsable ? form : null
  }
}

const PLAIN = {
  type: 'about:blank',
  title: 'Unprocessable Content',
  status: 422,
  detail: 'One value is invalid.',
  code: 'validation_failed',
  request_id: 'req_1',
}
const SAMPLES = [
  PLAIN,
  { ...PLAIN, errors: [{ in: 'body', pointer: '/text', code: 'type', message: 'is wrong' }] },
  { ...PLAIN, errors: [{ in: 'query', parameter: 'limit', code: 'type', message: 'is wrong' }] },
]
