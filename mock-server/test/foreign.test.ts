import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContractError, loadCheckedContract } from '../src/contract/check.ts'
import { createLog } from '../src/door/log.ts'
import { type Server, startServer } from '../src/server.ts'

const response = (schema: string, more = '', type = 'application/json') => `
    get:
      responses:
        '200':
          description: A response.
          content: { ${type}: { schema: ${schema}${more} } }`

const DOCUMENT = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /wrong:${response('{ type: integer }', ', example: many')}
  /impossible:${response('{ type: string, minLength: 2, maxLength: 1 }')}
  /open:${response('{ properties: { a: { type: string } } }', ', example: { a: x, b: 1 }')}
  /choice:${response('{ oneOf: [{ type: object, required: [a], properties: { a: { const: 1 } } }, { type: object, required: [b], properties: { b: { const: 2 } } }] }')}
  /text:${response('{ type: string }', '', 'text/plain')}
  /xml:${response("{ $ref: '#/components/schemas/Item' }", '', 'application/xml')}
  /tree:${response("{ $ref: '#/components/schemas/Tree' }")}
components:
  schemas:
    Item: { type: object, properties: { name: { type: string, examples: [Tea] } } }
    Tree:
      type: object
      required: [name, children]
      properties:
        name: { type: string }
        children: { type: array, items: { $ref: '#/components/schemas/Tree' } }
`

describe('a contract of somebody else', () => {
  let folder: string
  let file: string
  let server: Server
  const write = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const start = (contract: string, isStrict = false) =>
    startServer({
      port: 0,
      host: '127.0.0.1',
      contract,
      isStrict,
      sandbox: null,
      log: createLog('error'),
    })
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'foreign-'))
    file = write('shop.yaml', DOCUMENT)
    server = await start(file)
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  const get = (path: string) => fetch(server.url + path)

  it('is served though a response cannot be made, which is a 501 that says why', async () => {
    const refused = await get('/impossible')
    expect(refused.status).toBe(501)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(await refused.json()).toMatchObject({
      code: 'not_servable',
      detail: expect.stringMatching(/^For GET \/impossible, .* Add an example to the contract\.$/),
    })
  })

  it('has its examples served as they are written', async () => {
    expect(await (await get('/wrong')).json()).toBe('many')
    expect(await (await get('/open')).json()).toEqual({ a: 'x', b: 1 })
  })

  it('has responses made where it gives no example', async () => {
    expect([{ a: 1 }, { b: 2 }]).toContainEqual(await (await get('/choice')).json())
    expect(await (await get('/text')).text()).not.toBe('')
    expect(await (await get('/tree')).json()).toMatchObject({ children: [] })
    const xml = await get('/xml')
    expect(xml.headers.get('content-type')).toBe('application/xml')
    expect(await xml.text()).toMatch(/<name>Tea<\/name>/)
  })

  it('has a warning for each problem, with its location', async () => {
    const problems = await server.contract.problems?.()
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/shop\.yaml:\d+:\d+: .*GET \/impossible.*Add a matching example\.$/),
        expect.stringMatching(/shop\.yaml:\d+:\d+: .*Correct the example or its schema\.$/),
      ]),
    )
    expect(problems?.join('\n')).not.toMatch(/\/(?:open|choice|text|xml|tree)\b/)
  })

  it('is refused with --strict', async () => {
    const error = await start(file, true).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ContractError)
    expect((error as ContractError).problems.join('\n')).toContain('Example value must conform')
  })

  it('may be Swagger 2.0', async () => {
    const { operations } = await loadCheckedContract(
      write(
        'old.yaml',
        `swagger: '2.0'
info: { title: Shop, version: '1' }
basePath: /v2
produces: [application/json]
paths:
  /items:
    get:
      responses:
        '200': { description: Items., schema: { type: array, items: { $ref: '#/definitions/Item' } } }
definitions:
  Item: { type: object, properties: { name: { type: string } } }
`,
      ),
      { isStrict: false },
    )
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v2/items'])
  })
})
