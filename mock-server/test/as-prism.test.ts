/** What users of Prism expect of a contract that is served alone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadContract } from '../src/contract/load.ts'
import type { Mocking } from '../src/contract/respond.ts'
import { violationsHeader } from '../src/contract/violations.ts'
import { startServer } from '../src/server.ts'
import { SILENT } from './support.ts'

const json = (example: string) => `
          description: A response.
          content: { application/json: { example: ${example} } }`
const name = '{ name: name, in: query, required: true, schema: { type: string } }'

const SHOP = `openapi: 3.0.3
info: { title: Shop, version: '1' }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: x-key } }
paths:
  /items:
    get:
      parameters:
        - ${name}
        - { name: old, in: query, deprecated: true, schema: { type: string } }
      responses:
        '200':${json('[]')}
        '400':${json('{ error: bad }')}
        default:${json('{ error: other }')}
  /keyed:
    get:
      security: [{ key: [] }]
      responses:
        '200':${json('[]')}
        '401':${json('{ error: who }')}
  /named:
    post:
      parameters: [${name}]
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses:
        '200':${json('[]')}
        '415':${json('{ error: type }')}
        '422':
          description: Invalid.
          content:
            application/json:
              schema: { type: object, properties: { error: { type: string, enum: [made] } } }
              examples: { first: { value: { error: 1st } }, second: { value: { error: 2nd } } }
  /schema:
    get:
      parameters: [${name}]
      responses:
        '200':${json('[]')}
        4XX:
          description: Invalid.
          content: { application/json: { schema: { type: object, properties: { error: { type: string, enum: [made] } } } } }
  /bare:
    get:
      parameters: [${name}]
      responses:
        '200':${json('[]')}
        '422': { description: Invalid. }
  /problem:
    get:
      parameters: [${name}]
      responses:
        '200':${json('[]')}
        '400': { description: Invalid., content: { application/problem+json: { schema: { type: object } } } }
  /silent:
    get:
      parameters: [${name}]
      responses:
        '200':${json('[]')}
  /wrong:
    get:
      responses:
        '200':
          description: Wrong.
          content: { application/json: { schema: { type: object }, example: 123 } }
  /styled/{id}:
    get:
      parameters:
        - { name: id, in: path, required: true, style: matrix, schema: { type: string } }
        - { name: Content-Type, in: header, required: true, schema: { type: string } }
      responses:
        '200':${json("'styled'")}
  /either:
    get:
      responses:
        '200':
          description: Both forms of examples.
          content: { application/json: { example: 1, examples: { two: { value: 2 } } } }
  /values:
    get:
      responses:
        '200':
          description: Values.
          content:
            application/json:
              example: { id: 0, at: never }
              schema:
                type: object
                required: [id, at]
                properties:
                  id: { type: integer }
                  at: { type: string, format: date-time }
                  mail: { type: string, x-faker: internet.email }
                  secret: { type: string, writeOnly: true }
            application/xml:
              schema: { type: object, properties: { id: { type: integer } } }
  /xml:
    get:
      responses:
        '200': { description: XML., content: { application/xml: { example: { id: 1, tags: [a, b&c] } } } }
  /a path with 100% > more/{name}:
    get:
      parameters:
        - { name: name, in: path, required: true, schema: { type: string, enum: [a b] } }
      responses:
        '200':${json('here')}
`

async function serving(mocking: Mocking = {}, document = SHOP) {
  const folder = mkdtempSync(join(tmpdir(), 'as-prism-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const contract = join(folder, 'shop.yaml')
  writeFileSync(contract, document)
  const options = { port: 0, host: '127.0.0.1', contract, mocking, sandbox: null, log: SILENT }
  const server = await startServer(options)
  onTestFinished(() => server.close())
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers })
  return { url: server.url, get }
}

async function violationsOf(response: Response) {
  return JSON.parse(response.headers.get('sl-violations') ?? '[]')
}

describe("the contract's own errors", () => {
  it('answer an invalid request with 422, else 400, else the default', async () => {
    const { get, url } = await serving()
    const bad = await get('/items')
    expect([bad.status, await bad.json()]).toEqual([400, { error: 'bad' }])
    const named = await fetch(`${url}/named`, { method: 'POST' })
    expect([named.status, await named.json()]).toEqual([422, { error: '1st' }])
    const made = await get('/schema')
    expect([made.status, await made.json()]).toEqual([422, { error: 'made' }])
    const bare = await get('/bare')
    expect([bare.status, await bare.text()]).toEqual([422, ''])
  })

  it('answer missing credentials and a wrong media type', async () => {
    const { get, url } = await serving()
    const keyed = await get('/keyed')
    expect([keyed.status, await keyed.json()]).toEqual([401, { error: 'who' }])
    expect(keyed.headers.get('www-authenticate')).toBe('ApiKey')
    expect(await violationsOf(keyed)).toMatchObject([{ location: ['request'], code: 401 }])
    const headers = { 'content-type': 'text/plain' }
    const typed = await fetch(`${url}/named?name=a`, { method: 'POST', body: 'a', headers })
    expect([typed.status, await typed.json()]).toEqual([415, { error: 'type' }])
  })

  it('have what is wrong in a header', async () => {
    const { get } = await serving()
    expect(await violationsOf(await get('/items'))).toEqual([
      {
        location: ['request', 'query', 'name'],
        severity: 'Error',
        code: 'required',
        message: 'is required',
      },
    ])
  })

  it('may be chosen by the name of their example', async () => {
    const { url } = await serving()
    const post = (prefer: string) => fetch(`${url}/named`, { method: 'POST', headers: { prefer } })
    expect(await (await post('code=422, example=second')).json()).toEqual({ error: '2nd' })
    expect(await (await post('code=200, example=second')).json()).toEqual({ error: '1st' })
    expect((await post('code=422, example=third')).status).toBe(404)
  })

  it('leave problems their own detail, with the declared status', async () => {
    const { get } = await serving()
    const declared = await get('/problem')
    expect(declared.status).toBe(400)
    expect(await declared.json()).toMatchObject({
      status: 400,
      code: 'validation_failed',
      errors: [{ parameter: 'name' }],
    })
    expect(declared.headers.has('sl-violations')).toBe(false)
    const silent = await get('/silent')
    expect(silent.status).toBe(422)
    expect(await silent.json()).toMatchObject({ code: 'validation_failed' })
  })
})

describe('the header of violations', () => {
  it('names a deprecated parameter, and lets its request pass', async () => {
    const { get } = await serving()
    const response = await get('/items?name=a&old=b')
    expect(response.status).toBe(200)
    expect(await violationsOf(response)).toMatchObject([
      { location: ['request', 'query', 'old'], severity: 'Warning', code: 'deprecated' },
    ])
  })

  it('names what an example contradicts, which --errors makes a 500', async () => {
    const { get } = await serving()
    const served = await get('/wrong')
    expect([served.status, await served.json()]).toEqual([200, 123])
    const violation = { location: ['response', 'body'], severity: 'Error', code: 'type' }
    expect(await violationsOf(served)).toMatchObject([violation])
    const strict = await serving({ isChecked: true })
    const refused = await strict.get('/wrong')
    expect(refused.status).toBe(500)
    expect(await refused.json()).toMatchObject({ code: 'contract_violation' })
    expect(await violationsOf(refused)).toMatchObject([violation])
  })

  it('is short, whole and plain ASCII', () => {
    const violation = {
      location: ['request', 'body', 'ключ\r\n'],
      severity: 'Error' as const,
      message: 'a'.repeat(10_000),
    }
    const { 'sl-violations': header = '' } = violationsHeader(Array(100).fill(violation))
    expect(header).toMatch(/^[ -~]+$/)
    expect(header.length).toBeLessThanOrEqual(4096)
    const [first, ...others] = JSON.parse(header)
    expect(first.location).toEqual(violation.location)
    expect(others.length).toBeGreaterThan(0)
    expect(violationsHeader([])).toEqual({})
  })
})

describe('preferences', () => {
  it('for what the contract does not declare are a 404', async () => {
    const { get } = await serving()
    expect((await get('/wrong', { prefer: 'code=418' })).status).toBe(404)
    expect((await get('/wrong', { prefer: 'example=none' })).status).toBe(404)
  })

  it('may stand in the query, if the server is told so; the header wins', async () => {
    const { get } = await serving({ hasQueryPreferences: true })
    expect((await get('/items?name=a&__code=400')).status).toBe(400)
    expect((await get('/items?name=a&__code=400', { prefer: 'code=200' })).status).toBe(200)
    expect(await (await get('/either?__example=two')).json()).toBe(2)
    expect(await (await get('/values?__dynamic=true')).json()).not.toMatchObject({ id: 0 })
    const others = await serving()
    expect(await (await others.get('/either?__example=two')).json()).toBe(1)
  })

  it('leave a HEAD without a body', async () => {
    const { url } = await serving({ hasQueryPreferences: true })
    const response = await new Promise((resolve) => {
      send(`${url}/items?name=a&__code=400`, { method: 'HEAD' }, resolve).end()
    })
    expect(response).toMatchObject({ statusCode: 400, headers: { 'content-length': '15' } })
  })
})

describe('a dynamic response', () => {
  const DATE = /^\d{4}-\d\d-\d\dT/

  it('has new values each time, without what is only written', async () => {
    const { get } = await serving({ isDynamic: true })
    const values = [await (await get('/values')).json(), await (await get('/values')).json()]
    expect(values[0]).not.toEqual(values[1])
    for (const value of values) {
      expect(value).toEqual({
        at: expect.stringMatching(DATE),
        id: expect.any(Number),
        mail: expect.stringContaining('@'),
      })
    }
    const xml = await (await get('/values', { accept: 'application/xml' })).text()
    expect(xml).toMatch(/^<xml>\s*<id>-?\d+<\/id>\s*<\/xml>/)
  })

  it('depends on the seed alone, if there is one', async () => {
    const text = async (seed: string, prefer = '') => {
      const { get } = await serving({ isDynamic: true, seed })
      return (await get('/values', { prefer })).text()
    }
    const first = await text('a')
    expect(await text('a')).toBe(first)
    expect(await text('b')).not.toBe(first)
    expect(await text('b', 'seed=a')).toBe(first)
  })

  it('can be preferred, and done without', async () => {
    const fixed = await serving()
    const value = await (await fixed.get('/values', { prefer: 'dynamic=true' })).json()
    expect(value.at).toMatch(DATE)
    const dynamic = await serving({ isDynamic: true })
    const example = await (await dynamic.get('/values', { prefer: 'dynamic=false' })).json()
    expect(example).toEqual({ id: 0, at: 'never' })
  })

  it('is an example where the contract has no schema', async () => {
    const { get } = await serving({ isDynamic: true })
    expect(await (await get('/either')).json()).toBe(1)
    expect(await (await get('/either', { prefer: 'example=two' })).json()).toBe(2)
  })

  it('follows the settings of the document', async () => {
    const list = '{ type: array, items: { type: string, default: x } }'
    const document = `openapi: 3.1.0
info: { title: Lists, version: '1' }
x-json-schema-faker: { minItems: 3, maxItems: 3, useDefaultValue: true }
paths:
  /list:
    get:
      responses:
        '200': { description: A list., content: { application/json: { schema: ${list} } } }
`
    const { get } = await serving({ isDynamic: true }, document)
    expect(await (await get('/list')).json()).toEqual(['x', 'x', 'x'])
  })
})

it('writes the value of an example as XML', async () => {
  const { get } = await serving()
  const text = await (await get('/xml')).text()
  expect(text.replace(/\s/g, '')).toBe('<xml><id>1</id><tags>a</tags><tags>b&amp;c</tags></xml>')
})

it('finds a path whatever characters it has', async () => {
  const { get } = await serving()
  const path = '/a%20path%20with%20100%25%20%3E%20more'
  expect(await (await get(`${path}/a%20b`)).json()).toBe('here')
  expect((await get(`${path}/b`)).status).toBe(422)
  const { operations } = await loadContract(
    { openapi: '3.1.0', info: {}, paths: { '/a%20b/{id}': { get: { responses: {} } } } },
    '',
  )
  expect(operations.map(({ path }) => path)).toEqual(['/a%20b/{id}'])
})

it('names the path with the base path of the servers', async () => {
  const { get } = await serving({}, SHOP.replace('paths:', 'servers: [{ url: /v1 }]\npaths:'))
  expect(await (await get('/keyed')).json()).toMatchObject({
    detail: 'No path matches /keyed. Did you mean /v1/keyed?',
  })
})

it('ignores a parameter that OpenAPI ignores', async () => {
  const { get } = await serving()
  expect((await get('/styled/;id=1')).status).toBe(200)
})

it('refuses a path that is not in the style of its parameter', async () => {
  const { get } = await serving()
  const refused = await get('/styled/1')
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ errors: [{ in: 'path', code: 'style' }] })
})
