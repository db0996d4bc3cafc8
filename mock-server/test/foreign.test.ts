import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { warningsOf } from '../src/cli/warnings.ts'
import { ContractError, loadCheckedContract, problemsOf } from '../src/contract/check.ts'
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
  /alike:${response('{ oneOf: [{ type: object }, { type: object, properties: { a: { type: string } } }] }')}
  /coded:${response("{ type: object, required: [id], properties: { id: { type: string, pattern: '^[UW][A-Z0-9]{2,}$' } } }")}
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

  it('is served where a response matches several variants of a union', async () => {
    expect((await get('/alike')).status).toBe(200)
  })

  it('has values made that match patterns', async () => {
    expect(await (await get('/coded')).json()).toEqual({ id: expect.stringMatching(/^[UW]/) })
  })

  it('has query parameters ignored that it does not declare, and refused with --strict', async () => {
    expect((await get('/open?more=1')).status).toBe(200)
    const [head] = DOCUMENT.split('paths:')
    const paths = `paths:\n  /open:${response('{ type: string }')}\n        default: { description: An error. }\n`
    const strict = await start(write('strict.yaml', `${head}${paths}`), true)
    expect((await fetch(`${strict.url}/open?more=1`)).status).toBe(422)
    await strict.close()
  })

  it('has a warning for each problem, with its location', async () => {
    const problems = await problemsOf(file)
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/shop\.yaml:\d+:\d+: .*GET \/impossible.*Add a matching example\.$/),
        expect.stringMatching(/shop\.yaml:\d+:\d+: .*Correct the example or its schema\.$/),
      ]),
    )
    expect(problems.join('\n')).not.toMatch(/\/(?:open|choice|text|xml|tree|coded)\b/)
  })

  it('is refused with --strict', async () => {
    const error = await start(file, true).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ContractError)
    expect((error as ContractError).problems.join('\n')).toContain('Example value must conform')
  })

  describe('with parts that cannot be served', () => {
    const BROKEN = `openapi: 3.0.3
info: { title: Shop, version: '1' }
servers: [{ url: 'https://{region}.example.com/{base}' }, { description: No address. }]
paths:
  /whole:${response('{ type: string }')}
  /response:${response("{ $ref: '#/components/schemas/Nothing' }")}
  /example:${response("{ $ref: '#/components/schemas/Nothing' }", ', example: { a: 1 }')}
  /error:
    get:
      responses:
        '200': { description: A response. }
        default: { description: An error., content: { application/json: { schema: { type: object } } } }
        '404': { $ref: '#/components/responses/Nothing' }
  /parameter:
    parameters: [{ $ref: '#/components/parameters/Nothing' }]
${response('{ type: string }').slice(1)}
  /body:
    post:
      requestBody: { $ref: 'nothing.yaml' }
      responses: { '200': { description: Done. } }
  /deep:${response("{ type: array, items: { $ref: '#/components/schemas/Deep' } }")}
  /item: { $ref: '#/components/pathItems/Nothing' }
  /remote:${response("{ $ref: 'https://example.com/thing.yaml' }")}
  /loop:${response("{ $ref: '#/components/schemas/Loop' }")}
  /silent: { get: { description: Declares no response. } }
  /null: { get: null }
  /pattern:${response("{ type: string, pattern: '(' }", ', example: a')}
  /format:${response('{ type: string, format: shoe-size }')}
  /a/{x}:${response('{ type: string }')}
  /a/{y}: { post: { responses: { '204': { description: Done. } } } }
  /a/b: { put: { responses: { '204': { description: Done. } } } }
  /{c}{d}.{format}:${response('{ type: string }')}
components:
  schemas:
    Deep: { type: object, properties: { one: { $ref: '#/components/schemas/Nothing' } } }
    Loop: { $ref: '#/components/schemas/Loop' }
`
    let broken: Server
    let path: string
    beforeAll(async () => {
      path = write('broken.yaml', BROKEN)
      broken = await start(path)
    })
    afterAll(() => broken.close())
    const statusOf = async (target: string, method = 'GET', prefer = 'code=200') => {
      const headers = { prefer, 'content-type': 'application/json' }
      const body = method === 'POST' && target === '/body' ? { body: '{}' } : {}
      return (await fetch(broken.url + target, { method, headers, ...body })).status
    }

    it.each(['/response', '/parameter', '/deep', '/item', '/remote', '/loop', '/silent', '/null'])(
      'answers 501 for %s',
      async (target) => {
        expect(await statusOf(target)).toBe(501)
      },
    )

    it('answers 501 where the body of a request is lost', async () => {
      expect(await statusOf('/body', 'POST')).toBe(501)
    })

    it.each(['/whole', '/example', '/error', '/pattern', '/format', '/a/1', '/xy.json'])(
      'serves %s',
      async (target) => {
        expect(await statusOf(target)).toBe(200)
      },
    )

    it('answers 501 for a response that is lost, and serves the others', async () => {
      const refused = await fetch(`${broken.url}/error`, { headers: { prefer: 'code=404' } })
      expect(refused.status).toBe(501)
      expect((await refused.json()).detail).toContain('leads nowhere')
    })

    it('serves every method of paths that match the same requests', async () => {
      expect(await statusOf('/a/1', 'POST', '')).toBe(204)
      expect(await statusOf('/a/b', 'PUT', '')).toBe(204)
      expect(await statusOf('/a/b')).toBe(200)
    })

    it('has a warning for each of them', async () => {
      const text = (await problemsOf(path)).join('\n')
      for (const part of ['Nothing', 'nothing.yaml', 'example.com', 'GET /silent', 'GET /null']) {
        expect(text).toContain(part)
      }
      expect(text).toMatch(/GET \/parameter responds with status 501: .* leads nowhere\. /)
    })
  })

  it('has few warnings, however many problems there are', () => {
    const problems = Array.from(
      { length: 320 },
      (_, i) => `a.yaml:${i}:1: Wrong ${i % 160}. Mend it.`,
    )
    const lines = warningsOf(problems)
    expect(lines).toHaveLength(21)
    expect(lines[0]).toBe('a.yaml:0:1: Wrong 0. Mend it. (and 1 more like it)')
    expect(lines[20]).toBe('140 more problems; --strict lists all, and refuses the contract.')
  })

  it('is read as far as its syntax allows', async () => {
    const file = write('torn.yaml', `${DOCUMENT}    Torn: { a: [ }\n`)
    const { operations } = await loadCheckedContract(file, { isStrict: false })
    expect(operations.map(({ path }) => path)).toContain('/open')
    expect((await problemsOf(file))[0]).toMatch(/torn\.yaml:\d+:\d+: /)
  })

  it.each(['3.0', '3', '3.2.0', "'3.1'"])('may call its version %s', async (version) => {
    const file = write('version.yaml', DOCUMENT.replace('3.1.0', version))
    const { operations } = await loadCheckedContract(file, { isStrict: false })
    expect(operations.length).toBeGreaterThan(5)
  })

  it('has nothing said of a sandbox without one', async () => {
    const error = '{ type: object, required: [fault], properties: { fault: { type: object } } }'
    const lines: string[] = []
    const bare = await startServer({
      port: 0,
      host: '127.0.0.1',
      contract: write(
        'errors.yaml',
        `${DOCUMENT.split('paths:')[0]}paths:
  /one:
    get:
      parameters: [{ name: n, in: query, schema: { type: integer } }]
      responses:
        '200': { description: Done. }
        '406': { description: No., content: { application/json: { schema: ${error} } } }
        default: { description: No., content: { application/json: { schema: ${error} } } }
`,
      ),
      sandbox: null,
      log: { error() {}, info() {}, warn: (line) => lines.push(line) },
    })
    for (const target of ['/one?n=x', '/one?n=1&n=2']) await fetch(bare.url + target)
    await fetch(`${bare.url}/one`, { headers: { prefer: 'code=777' } })
    await bare.close()
    expect(lines).toEqual([])
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
