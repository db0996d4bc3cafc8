// The rules for this repository's own contract beyond validity.
import { describe, expect, it } from 'vitest'
import { loadContract } from '../contract/load.ts'
import { formatProblem } from '../yaml/index.ts'
import { write } from './support.ts'

/** What the strict rules find, without the file's folder. */
async function found(text: string): Promise<string[]> {
  const file = write(text)
  const { problems } = await loadContract(file, { strict: true })
  return problems.map((problem) => formatProblem(problem).replace(file, 'openapi.yaml'))
}

const HEAD = `openapi: 3.1.0
info: { title: T, version: "1", license: { name: MIT, identifier: MIT } }
servers: [{ url: http://127.0.0.1:4010 }]
security: [{ key: [] }]
tags: [{ name: Things, description: All things. }]
`
const KEY = 'securitySchemes: { key: { type: http, scheme: bearer } }'
const operation = (extra: string) => `${HEAD}paths:
  /v1/things:
    get:
      operationId: listThings
      tags: [Things]
      summary: List things
      description: Lists things.
${extra}
components:
  ${KEY}
`

describe('the rules of our own contract', () => {
  it('find nothing in one that keeps them', async () => {
    const text = operation(`      x-sdk-method: things.list
      responses:
        "200":
          description: Things.
          content: { application/json: { schema: { type: string }, example: a } }`)
    expect(await found(text)).toEqual([])
  })

  it('require a mark at the highest node only', async () => {
    const text = operation(`      x-sdk-method: things.list
      x-assumed: The whole operation is assumed.
      responses:
        "200": { description: Things., x-assumed: So is its response. }`)
    expect(await found(text)).toEqual([
      'openapi.yaml:16:40: a node above is assumed already. Keep the highest mark only.',
    ])
  })

  it('require an example at every body and a method for every operation', async () => {
    const text = operation(`      responses:
        "200":
          description: Things.
          content: { application/json: { schema: { type: string } } }`)
    expect(await found(text)).toEqual([
      'openapi.yaml:16:22: this media type has no example. Add at least one under "examples".',
      'openapi.yaml:8:5: this operation has no x-sdk-method. Name its resource and method.',
    ])
  })

  it('require unions whose variants can be distinguished', async () => {
    const text = operation(`      x-sdk-method: things.list
      responses:
        "200":
          description: Things.
          content:
            application/json:
              schema: { oneOf: [{ type: object }, { type: object, properties: { a: {} } }] }
              example: {}`)
    expect(await found(text)).toEqual([
      'openapi.yaml:19:25: the variants of this union cannot be distinguished. Give it a discriminator, or variants of different types.',
    ])
  })

  it('refuse unknown extensions', async () => {
    const text = operation(`      x-sdk-method: things.list
      x-rate-limit: 5
      responses: { "204": { description: Nothing. } }`)
    expect(await found(text)).toEqual([
      expect.stringMatching(/^openapi\.yaml:14:7: unknown extension x-rate-limit\./),
    ])
  })

  it('require what Redocly recommends', async () => {
    const text = operation('      x-sdk-method: things.list\n      responses: {}').replace(
      'summary: List things',
      'x-none: 1',
    )
    expect((await found(text)).join('\n')).toContain('`summary`')
  })
})
