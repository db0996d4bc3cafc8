/** No request may end the process, hang it or get an error that is not a problem. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../src/index.ts'
import type { Server } from '../src/server.ts'
import { AUTH, raw, start, TRAPS } from './support.ts'

const SEED = 20_261_121

// `npm run soak` uses many more inputs, and others in each run. A failure prints its seed.
const SOAK = process.env.MODE === 'soak'
const runs = (count: number) => (SOAK ? { numRuns: count * 50 } : { numRuns: count, seed: SEED })

const WHOLE = [
  'GET /v1/things?limit=5&tag=a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nAccept: application/json;q=0.5, */*\r\nPrefer: code=404, example="one"\r\nConnection: close\r\n\r\n',
  'POST /v1/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 29\r\nConnection: close\r\n\r\n{"name":"x","parent":{"a":1}}',
  'POST /v1/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n5\r\n--b\r\n\r\n0\r\n\r\n',
  'OPTIONS /v1/things/%C3%A9 HTTP/1.1\r\nHost: a\r\nOrigin: https://a\r\nAccess-Control-Request-Method: GET\r\nConnection: close\r\n\r\n',
]
const JUNK = [
  '\0',
  '\r\n',
  '\n',
  '%',
  '%ff',
  '//',
  '"',
  ';',
  ',',
  ' ',
  ':',
  '{',
  '[',
  'é',
  '日',
  '\xff',
  '../',
  '0x',
  '-1',
  '9'.repeat(30),
  'A'.repeat(3000),
  'gzip',
  'chunked',
  'HTTP/2.0',
  '\x7f',
  '__proto__',
]

/** A valid request with some bytes replaced, removed, duplicated or moved. */
const mutated = fc
  .tuple(
    fc.constantFrom(...WHOLE),
    fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.integer({ min: 0, max: 12 }),
        insert: fc.oneof(fc.constantFrom(...JUNK, ''), fc.string({ maxLength: 8, unit: 'binary' })),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce((before, { at, cut, insert }) => {
      const position = Math.floor(at * before.length)
      return before.slice(0, position) + insert + before.slice(position + cut)
    }, text),
  )

describe('any request', () => {
  let server: Server
  let mock: MockServer
  beforeAll(async () => {
    server = await start(TRAPS)
    mock = await createMockServer()
  })
  afterAll(async () => {
    await server.close()
    await mock.close()
  })

  it('of random bytes gets an HTTP response, and the server keeps running', {
    timeout: SOAK ? 1_800_000 : 120_000,
  }, async () => {
    const property = fc.asyncProperty(mutated, async (bytes) => {
      // Where the bytes announce more than they hold, only the timeout ends the wait.
      const text = await raw(server.url, Buffer.from(bytes), 60)
      for (const response of text.split(/(?=HTTP\/1\.1 \d{3} )/)) {
        if (response === '') continue
        expect(response).toMatch(/^HTTP\/1\.1 (100|2\d\d|302|304|4\d\d|5\d\d) /)
        expect(response).not.toMatch(/^HTTP\/1\.1 500 /)
        if (/^HTTP\/1\.1 [45]/.test(response)) {
          expect(response).toMatch(/content-type: application\/problem\+json/i)
          expect(response).toMatch(/x-request-id: \S/i)
        }
      }
      expect((await fetch(`${server.url}/_mock/health`)).status).toBe(200)
    })
    await fc.assert(property, runs(400))
  })

  const large = fc.record({
    path: fc.constantFrom(
      '/v1/knowledge/sources',
      '/v1/conversations/a/messages',
      '/_mock/endpoints',
    ),
    field: fc.constantFrom('url', 'text', 'title', 'type', 'secret', 'other'),
    unit: fc.oneof(
      fc.constantFrom('a', ' ', '/', '\\"', '\\\\', '%', '日', '😀'),
      fc.base64String(),
    ),
    before: fc.constantFrom('', 'http://', 'http://a/', 'data:'),
  })

  it('with a field of 10 MB is refused or accepted, and the server keeps running', {
    timeout: SOAK ? 1_800_000 : 120_000,
  }, async () => {
    const property = fc.asyncProperty(large, async ({ path, field, unit, before }) => {
      const size = Math.max(1, Buffer.byteLength(unit))
      const value = before + unit.repeat(Math.floor((10 * 2 ** 20 - 100) / size))
      const headers = { ...AUTH, 'content-type': 'application/json' }
      const body = `{"type":"url","url":"http://a/","${field}":"${value}"}`
      const { status } = await mock.fetch(path, { method: 'POST', headers, body })
      expect(status).toBeLessThan(500)
      expect((await mock.fetch('/_mock/health')).status).toBe(200)
    })
    await fc.assert(property, runs(SOAK ? 4 : 12))
  })

  const header = fc.string({ maxLength: 20 }).map((text) => text.replace(/[^\t\x20-\x7e]/g, ''))
  const call = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH'),
    path: fc.oneof(
      fc.constantFrom('/v1/conversations', '/v1/analytics', '/v1/knowledge/sources', '/docs'),
      fc.webPath().map((path) => `/v1/conversations${path}`),
      fc
        .string({ maxLength: 12, unit: 'binary' })
        .map((id) => `/v1/conversations/${encodeURIComponent(id)}/messages`),
    ),
    query: fc.oneof(
      fc.constant(''),
      fc.webQueryParameters().map((query) => `?${query}`),
    ),
    accept: fc.oneof(fc.constant('*/*'), header),
    prefer: fc.oneof(fc.constantFrom('code=404', 'example=empty', 'code=503'), header),
    type: fc.oneof(fc.constant('application/json'), header),
    body: fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc
        .record({ type: fc.constantFrom('url', 'text', 'file'), url: fc.webUrl() })
        .map((v) => JSON.stringify(v)),
      fc.record({ text: fc.string() }).map((value) => JSON.stringify(value)),
    ),
  })

  it('in valid HTTP gets a success or a problem', {
    timeout: SOAK ? 1_800_000 : 120_000,
  }, async () => {
    const property = fc.asyncProperty(
      call,
      async ({ method, path, query, accept, prefer, type, body }) => {
        const headers = { ...AUTH, accept, prefer, 'content-type': type }
        const bodied = method === 'GET' || method === 'HEAD' ? {} : { body }
        const response = await mock.fetch(path + query, { method, headers, ...bodied })
        const wished = /^code=(404|503)$/.exec(prefer)?.[1]
        if (response.status >= 500) expect(String(response.status)).toBe(wished)
        if (response.status >= 400 && method !== 'HEAD') {
          expect(response.headers.get('content-type')).toBe('application/problem+json')
          const problem = await response.json()
          expect(problem.status).toBe(response.status)
          expect(problem.request_id).toBe(response.headers.get('x-request-id'))
        }
      },
    )
    await fc.assert(property, runs(1500))
  })
})
