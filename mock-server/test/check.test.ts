import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContractError, loadCheckedContract } from '../src/contract/check.ts'
import { validate } from '../src/contract/validate.ts'
import { TRAPS } from './support.ts'

describe('the check of a contract', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'contract-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const problemsOf = async (file: string) => {
    const error = await loadCheckedContract(file).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ContractError)
    return (error as ContractError).problems
  }
  const changed = (from: string, to: string) => {
    const text = readFileSync(TRAPS, 'utf8')
    expect(text).toContain(from)
    return write('changed.yaml', text.replace(from, to))
  }

  it('accepts a valid contract', async () => {
    const { operations } = await loadCheckedContract(TRAPS)
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/things',
      'POST /v1/things',
      'GET /v1/things/mine',
      'GET /v1/things/{id}',
      'DELETE /v1/things/{id}',
    ])
  })

  it('D13: refuses an example that does not match its schema, with its location and the cure', async () => {
    const problems = await problemsOf(changed('{ series: [day, 1] }', '{ series: [night, 1] }'))
    expect(problems).toEqual([
      expect.stringMatching(
        /changed\.yaml:25:\d+: Example value must conform to the schema: .* Correct the example or its schema\.$/,
      ),
    ])
  })

  it('refuses an example of a parameter and of a header that does not match', async () => {
    const parameter = changed('name: ratio, in: query,', 'name: ratio, in: query, example: x,')
    expect(await problemsOf(parameter)).toEqual([expect.stringContaining('changed.yaml:13:')])
    const header = changed('example: 7', 'example: soon')
    expect(await problemsOf(header)).toEqual([
      expect.stringMatching(/changed\.yaml:\d+:\d+: In GET \/things, status 404.*retry-after/),
    ])
  })

  it('refuses an example of a header that HTTP cannot carry', async () => {
    const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      responses:
        '204':
          description: Nothing.
          headers: { X-Note: { schema: { type: string }, example: "one\\ntwo" } }
`
    const [problem] = await problemsOf(write('header.yaml', text))
    expect(problem).toMatch(
      /header\.yaml:7:9: In GET \/a, status 204.*the header x-note has a char/,
    )
  })

  it('D9: refuses a schema that allows no valid response', async () => {
    const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      responses:
        '200':
          description: A series.
          content:
            application/json:
              schema: { type: array, minItems: 2, items: false, prefixItems: [{ const: day }] }
`
    const [problem] = await problemsOf(write('series.yaml', text))
    expect(problem).toMatch(
      /series\.yaml:7:9: In GET \/a, status 200, the response made from the schema/,
    )
    expect(problem).toMatch(/Add a matching example\.$/)
  })

  it('reports a document that breaks the rules of OpenAPI', async () => {
    const problems = await problemsOf(
      changed('operationId: listThings', 'operationIdd: listThings'),
    )
    expect(problems).toEqual([expect.stringMatching(/changed\.yaml:10:7: Property `operationIdd`/)])
  })

  it('accepts an operation without security, but no undefined scheme', async () => {
    await loadCheckedContract(changed('security:\n  - bearerAuth: []\n', ''))
    const [problem] = await problemsOf(changed('queryKey: []', 'otherKey: []'))
    expect(problem).toMatch(/no `otherKey` security scheme.* under components\/securitySchemes\.$/)
  })

  it('accepts OpenAPI 3.0 and checks recursive schemas in it', async () => {
    const text = `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /tree:
    put:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } } }
      responses: { default: { description: Taken. } }
components:
  schemas:
    Node:
      type: object
      properties:
        name: { type: string, nullable: true }
        size: { type: integer, minimum: 1, exclusiveMinimum: true }
        child: { $ref: '#/components/schemas/Node' }
`
    const { operations } = await loadCheckedContract(write('old.yaml', text))
    const reasonsFor = async (value: unknown) => {
      const [operation] = operations
      if (!operation) throw new Error('no operation')
      const mediaType = { essence: 'application/json', parameters: {} }
      const body = { contentType: 'application/json', mediaType, value }
      const target = { path: '/tree', query: [] }
      return (await validate(operation, { target, headers: {}, body })).errors
    }
    expect(await reasonsFor({ name: null, child: { name: null, size: 2 } })).toEqual([])
    expect(await reasonsFor({ child: { child: { size: 1 } } })).toMatchObject([
      { pointer: '/child/child/size', code: 'exclusiveMinimum' },
    ])
  })

  it('refuses a schema that cannot be compiled', async () => {
    const [problem] = await problemsOf(changed('maxLength: 20', 'pattern: "("'))
    expect(problem).toMatch(
      /changed\.yaml:\d+:\d+: .*Correct it as JSON Schema 2020-12 requires\.$/,
    )
  })

  it('reports broken YAML with its location', async () => {
    const [problem] = await problemsOf(write('broken.yaml', 'openapi: 3.1.0\ninfo: [\n'))
    expect(problem).toMatch(/broken\.yaml:\d+:\d+: .*\. Name a readable YAML or JSON file\.$/)
  })

  it('reports a file that is missing or is no OpenAPI document', async () => {
    expect(await problemsOf(join(folder, 'missing.yaml'))).toEqual([
      expect.stringMatching(/missing\.yaml:1:1: /),
    ])
    for (const text of ['', '[]', 'swagger: "1.2"', 'openapi: 4.0.0']) {
      const [problem] = await problemsOf(write('other.yaml', text))
      expect(problem).toMatch(
        /other\.yaml:1:1: This is not an OpenAPI 2\.0, 3\.0 or 3\.1 document\./,
      )
    }
  })

  it('follows references to files beside the contract, but not to URLs', async () => {
    const contract = (ref: string) => `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      responses:
        '200':
          description: A name.
          content: { application/json: { schema: { $ref: '${ref}' } } }
`
    write('name.yaml', 'type: string\nexamples: [Ada]\n')
    const loaded = await loadCheckedContract(write('refs.yaml', contract('name.yaml')))
    expect(loaded.text).not.toContain('name.yaml')
    const [problem] = await problemsOf(write('refs.yaml', contract('http://127.0.0.1:1/name.yaml')))
    expect(problem).toMatch(/refs\.yaml:9:\d+: .*References to URLs are not followed/)
  })
})
