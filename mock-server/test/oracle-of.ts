/** Checks every response with two validators that are independent of the server: Prism's and Ajv. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { loadContract } from '../src/contract/load.ts'
import { validateResponse } from '../src/contract/prism.ts'
import { createRouter } from '../src/door/router.ts'

export const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url))
export const CONTROL = fileURLToPath(new URL('../control.yaml', import.meta.url))

type Node = Record<string, unknown>

export interface Judged {
  method: string
  path: string
  status: number
  headers: Record<string, string>
  /** The parsed body; undefined where there is none. */
  body: unknown
}

export interface Oracle {
  /** Expects a response that the document declares. */
  response(judged: Judged): void
  /** Expects an event that the document declares. */
  event(event: { event: string }): void
}

/** The validators of an OpenAPI document. */
export async function oracleOf(file: string): Promise<Oracle> {
  const document = parseYaml(await readFile(file, 'utf8')) as Node
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const { operations } = await loadContract(file, '')
  const router = createRouter(operations.map((one) => ({ ...one, target: one })))

  const expectToFit = (steps: string[], value: unknown) => {
    const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const $ref = `document#/${encodeURI(pointer)}`
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref })
    validate(value)
    expect(validate.errors ?? [], `${$ref} of ${JSON.stringify(value)}`).toEqual([])
  }

  return {
    response({ method, path, status, headers, body }) {
      const operation = router.match(path)?.get(method)
      expect(operation, `${method} ${path} is declared`).toBeDefined()
      if (!operation) return
      const element = { statusCode: status, headers, body }
      expect(validateResponse(operation.prism, element), JSON.stringify(element)).toEqual([])

      const way = ['paths', operation.path, method.toLowerCase(), 'responses']
      const declared = at(document, way) as Node
      const steps = resolved(document, [
        ...way,
        String(status) in declared ? `${status}` : 'default',
      ])
      const contents = (at(document, steps) as Node).content as Node | undefined
      const [type = ''] = (headers['content-type'] ?? '').split(';')
      expect(Object.keys(contents ?? { '': null })).toContain(type)
      if (contents) expectToFit([...steps, 'content', type, 'schema'], body)
    },
    event(event) {
      const way = ['webhooks', event.event, 'post', 'requestBody', 'content', 'application/json']
      expectToFit([...way, 'schema'], event)
    },
  }
}

function at(document: Node, steps: string[]): unknown {
  return steps.reduce<unknown>((node, step) => (node as Node)[step], document)
}

/** The location of a node that may be a reference. */
function resolved(document: Node, steps: string[]): string[] {
  const { $ref } = at(document, steps) as { $ref?: string }
  return $ref ? $ref.slice(2).split('/') : steps
}
