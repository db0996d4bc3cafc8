/** Judges responses and events by a document alone, with Ajv and nothing of the server. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { Node } from './tools.ts'

export class Judge {
  readonly #document: Node
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(document: Node) {
    this.#document = document
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, 'document')
  }

  /** Expects a response that the operation declares. @returns its parsed body */
  async response(path: string, method: string, response: Response): Promise<Node> {
    const steps = ['paths', path, method, 'responses']
    const declared = this.#at(steps)
    const { status } = response
    const code = [String(status), `${String(status)[0]}XX`, 'default'].find(
      (one) => one in declared,
    )
    const what = `${method} ${path} returns ${status}`
    expect(code, what).toBeDefined()
    const [answer, way] = this.#resolved([...steps, code ?? ''])
    for (const [name, header] of Object.entries<Node>(answer.headers ?? {})) {
      const { required } = header.$ref ? this.#resolved([...way, 'headers', name])[0] : header
      if (required) expect(response.headers.get(name), `${what} with ${name}`).not.toBeNull()
    }
    const text = await response.text()
    if (!answer.content) {
      expect(text, what).toBe('')
      return undefined
    }
    const type = response.headers.get('content-type') ?? ''
    expect(Object.keys(answer.content), what).toContain(type)
    const body = JSON.parse(text)
    this.#expect([...way, 'content', type, 'schema'], body)
    return body
  }

  event(kind: string, event: Node): void {
    const steps = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json', 'schema']
    this.#expect(steps, event)
  }

  #expect(steps: string[], value: unknown): void {
    const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const validate = this.#ajv.compile({ $ref: `document#/${encodeURI(pointer)}` })
    validate(value)
    expect(validate.errors ?? [], `${pointer} of ${JSON.stringify(value)}`).toEqual([])
  }

  /** What a reference of the document points to. */
  resolve(reference: string): Node {
    return this.#at(reference.split('/').slice(1))
  }

  #at(steps: string[]): Node {
    return steps.reduce((node, step) => node[step], this.#document)
  }

  #resolved(steps: string[]): [Node, string[]] {
    const node = this.#at(steps)
    if (!node.$ref) return [node, steps]
    return this.#resolved(node.$ref.slice(2).split('/'))
  }
}
