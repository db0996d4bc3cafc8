/** Requests that once cut, stalled or failed the server, or acted on what they did not name. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { byCompiled } from '../src/contract/compiled.ts'
import { loadContract, type Operation } from '../src/contract/load.ts'
import { byPrism, type Check, validate } from '../src/contract/validate.ts'
import { parseMediaType } from '../src/door/media-type.ts'
import { type Server, startServer } from '../src/server.ts'
import { Commands } from './command.ts'
import { place } from './stores.ts'
import { AUTH, parseRaw, problem, raw } from './support.ts'

const MEGABYTE = 2 ** 20
/** A contract with a pattern that keeps each of its steps. */
const PATTERN = `openapi: 3.1.0
info: { title: Links, version: 1.0.0 }
paths:
  /links:
    post:
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { url: { type: string, pattern: '^(a|b)*$' } } }
      responses: { "204": { description: Done. } }
`
const JSON_MEDIA = { essence: 'application/json', parameters: {} }
const logged: Array<[string, object?]> = []
let server: Server
beforeAll(async () => {
  server = await startServer({
    port: 0,
    host: '127.0.0.1',
    contract: undefined,
    sandbox: { store: place(), allowPrivate: true },
    log: { error: (...line) => logged.push(line), warn() {}, info() {} },
  })
})
afterAll(() => server.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const post = (path: string, body: string, headers: Record<string, string> = AUTH) =>
  fetch(server.url + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body })
const get = (path: string, headers = {}) => fetch(server.url + path, { headers })

describe('a field of megabytes', () => {
  const long = `http://a/${'b'.repeat(8 * MEGABYTE)}`
  it.each([
    ['/v1/knowledge/sources', { type: 'url', url: long }],
    ['/_mock/endpoints', { url: long }],
    ['/_mock/listeners', { url: long }],
    ['/_mock/trigger', { kind: long }],
    ['/_mock/clock', { advance: `P${'1'.repeat(8 * MEGABYTE)}` }],
    ['/v1/conversations/conv_01J2Z8M3VN/messages', { text: long }],
  ])('is refused by %s', async (path, body) => {
    const { errors } = await problem(await post(path, JSON.stringify(body)), 422)
    expect(errors.length).toBeGreaterThan(0)
    expect(logged).toEqual([])
  })

  it('is refused where a pattern of the contract cannot check it', async () => {
    const { operations } = await loadContract(parse(PATTERN), '')
    const body = { contentType: 'application/json', mediaType: JSON_MEDIA, value: { url: 'ab' } }
    const [operation] = operations as [Operation]
    const reasons = async (url: string) => {
      const target = { path: '/links', query: [] }
      const request = { target, headers: {}, body: { ...body, value: { url } } }
      return (await validate(operation, request, byCompiled)).errors
    }
    expect(await reasons('ab')).toEqual([])
    expect(await reasons('ab'.repeat(4 * MEGABYTE))).toMatchObject([
      { in: 'body', message: 'has a value that is too long to check' },
    ])
  })
})

it('the length of a text is counted in characters, not in the units that they take', async () => {
  const limits = "type: string, minLength: 3, maxLength: 4, pattern: '.'"
  const { operations } = await loadContract(
    parse(PATTERN.replace("type: string, pattern: '^(a|b)*$'", limits)),
    '',
  )
  const [operation] = operations as [Operation]
  const codes = async (url: string, check: Check) => {
    const body = { contentType: 'application/json', mediaType: JSON_MEDIA, value: { url } }
    const request = { target: { path: '/links', query: [] }, headers: {}, body }
    const { errors } = await validate(operation, request, check)
    return errors.map(({ code, message }) => `${code}: ${message}`)
  }
  for (const char of ['a', 'é', '😀']) {
    for (let count = 1; count < 12; count++) {
      const url = char.repeat(count)
      expect(await codes(url, byCompiled), url).toEqual(await codes(url, byPrism))
    }
  }
})

describe('a field of megabytes that only Prism validates', () => {
  it.each([
    ['JSON', 'application/json', (url: string) => JSON.stringify({ url })],
    ['a form', 'application/x-www-form-urlencoded', (url: string) => `url=${url}`],
  ])('is refused in %s', async (_, type, written) => {
    const commands = new Commands()
    const file = join(commands.folder, 'links.yaml')
    writeFileSync(file, PATTERN.replace('application/json', type))
    const { url } = await commands.serve(['--contract', file, '--stateless'])
    const send = (text: string) =>
      fetch(`${url}/links`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: written(text),
      })
    expect((await send('ab')).status).toBe(204)
    const { errors } = await problem(await send('ab'.repeat(4 * MEGABYTE)), 422)
    expect(errors).toMatchObject([{ message: 'has a value that is too long to check' }])
    commands.close()
  })
})

describe('a body of millions of values', () => {
  it.each([
    ['arrays and objects', `[${'[],{},'.repeat(1.6 * MEGABYTE)}[]]`, 413],
    ['unknown fields', `{${Array.from({ length: 60_000 }, (_, i) => `"a${i}":0`)}}`, 413],
    ['broken syntax', `[${'[,'.repeat(5 * MEGABYTE - 10)}`, 400],
    ['levels', '['.repeat(10 * MEGABYTE), 400],
  ])('(%s) is refused before it is read', async (_, body, status) => {
    const response = await post('/v1/knowledge/sources', body)
    expect((await problem(response, status)).detail).toMatch(/values|levels/)
  })

  it('does not count what is in texts', async () => {
    const text = '[{,'.repeat(1000).padEnd(4000, '"')
    const body = JSON.stringify({ text })
    const path = '/v1/conversations/conv_01J2Z8M3VN/messages'
    expect((await (await post(path, body)).json()).text ?? '').toBe(text)
  })

  it('gets a hundred reasons at most', async () => {
    const fields = Array.from({ length: 5000 }, (_, i) => `"a${i}":0`)
    const { errors, detail } = await problem(
      await post('/_mock/endpoints', `{"url":"http://a",${fields}}`),
      422,
    )
    expect(errors).toHaveLength(100)
    expect(detail).toBe('5000 values in the request are invalid. See `errors`.')
  })
})

it('an unknown parameter of the control API is refused', async () => {
  await problem(await get('/_mock/deliveries?state[]=dead'), 422)
})

it('an idempotency key that is sent twice is refused', async () => {
  const body = '{"text":"Hello"}'
  const response = await raw(
    server.url,
    `POST /v1/conversations/conv_01J2Z8M3VN/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  expect(parseRaw(response).status).toBe(422)
})

it('a content type with many spaces takes no time', () => {
  expect(parseMediaType(`a/b;${' '.repeat(16_000)}!`)).toBeNull()
  expect(parseMediaType(' a/b ; c = d')).toBeNull()
  expect(parseMediaType(' A/b ;  c="d; e" ; ; f=g ')).toEqual({
    essence: 'a/b',
    parameters: { c: 'd; e', f: 'g' },
  })
})

describe('an upload that is refused early', () => {
  const sizes = [1, 4, 12].flatMap((size) => ['close', 'keep-alive'].map((kind) => [size, kind]))
  it.each(sizes)('%i MB, with the connection %s: the refusal arrives', async (size, connection) => {
    const body = Buffer.alloc(Number(size) * MEGABYTE, 'x')
    for (let i = 0; i < 5; i++) {
      // A client that reads nothing before it has sent everything.
      const request = send(`${server.url}/v1/none`, {
        method: 'POST',
        headers: { ...JSON_TYPE, connection: String(connection), 'content-length': body.length },
      })
      const responded = once(request, 'response')
      await new Promise<void>((resolve, reject) => {
        request.on('error', reject)
        request.write(body, () => resolve())
      })
      request.end()
      const [response] = await responded
      expect(response.statusCode).toBe(404)
      expect(JSON.parse((await response.toArray()).join(''))).toMatchObject({ status: 404 })
      request.destroy()
    }
  })

  it('is read no further than 32 MB', async () => {
    const head = `POST /v1/none HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: ${100 * MEGABYTE}\r\n\r\n`
    const received = await raw(
      server.url,
      Buffer.concat([Buffer.from(head), Buffer.alloc(40 * MEGABYTE)]),
    )
    expect(received === '' || parseRaw(received).status === 404).toBe(true)
  })
})
