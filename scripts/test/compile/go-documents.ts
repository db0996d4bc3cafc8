// Small documents, and the Go code that they become.

import { emit } from '../../emit/go/index.ts'
import type { Api } from '../../model/types.ts'
import { modelOf, SOURCES, write } from '../support.ts'

/** The emitted files, by path. */
export function emitted(api: Api): Map<string, string> {
  return new Map(emit(api, SOURCES).map(({ path, content }) => [path, content]))
}

/** The types of a document with these schemas. */
export async function modelsOf(schemas: Record<string, object>): Promise<string> {
  const file = write(JSON.stringify(documentWith(schemas)), 'openapi.json')
  return emitted(await modelOf(file)).get('models.gen.go') ?? ''
}

/** What becomes of a document with these paths. */
export async function filesOf(paths: object) {
  const files = emitted(await modelOf(write(documentOf(paths), 'openapi.json')))
  const text = (name: string) => files.get(`${name}.gen.go`) ?? ''
  return { services: text('services'), contract: text('contract'), models: text('models') }
}

export function documentOf(paths: object): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths })
}

/** A document whose operations return each of the schemas. */
export function documentWith(schemas: Record<string, object>): object {
  const paths = Object.keys(schemas).map((name) => {
    const content = { 'application/json': { schema: ref(name) } }
    const get = { operationId: `get${name}`, responses: { 200: { description: '', content } } }
    return [`/${name.toLowerCase()}s`, { get }]
  })
  return {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas },
  }
}

export function object(properties: object, required: string[] = []): object {
  return { type: 'object', properties, required }
}

export function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

/** An operation that is sent a body. */
export function body(contentType: string, schema: object): object {
  return {
    requestBody: { content: { [contentType]: { schema } } },
    responses: { 204: { description: '' } },
  }
}
