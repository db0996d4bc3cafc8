/** Defects of Prism's own server (5.16, each seen there) that this server does not have. */
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Server } from '../src/server.ts'
import { AUTH, parseRaw, problem, raw, start, TRAPS } from './support.ts'

describe('a defect of Prism', () => {
  let server: Server
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/v1${path}`, { ...init, headers: { ...AUTH, ...init.headers } })
  const post = (body: BodyInit, headers = {}) =>
    call('/things', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })

  beforeAll(async () => {
    server = await start(TRAPS)
  })
  afterAll(() => server.close())

  it('D1: returns 400 for a path whose escapes are not UTF-8', async () => {
    for (const id of ['%ff', '%E0%A4%A', '%']) await problem(await call(`/things/${id}`), 400)
    expect((await call('/things/a')).status).toBe(200)
  })

  it('D2: names an unknown property in any script', async () => {
    const { errors } = await problem(await post('{"name":"x","日本":1}'), 422)
    expect(errors).toMatchObject([{ in: 'body', pointer: '', code: 'unevaluatedProperties' }])
    expect(errors[0].message).toContain('日本')
  })

  it('D3: returns 400 for a malformed Accept', async () => {
    await problem(await call('/things', { headers: { accept: '///;;q=zz' } }), 400)
  })

  it('D4: returns 400 for malformed JSON, with the location', async () => {
    const { detail, code } = await problem(await post('{\n "name":}'), 400)
    expect(code).toBe('malformed_body')
    expect(detail).toContain('line 2, column 9')
    await problem(await post('{"name":'), 400)
  })

  it('D5: reads a body in gzip', async () => {
    const encoded = { 'content-encoding': 'gzip' }
    expect((await post(gzipSync('{"name":"x"}'), encoded)).status).toBe(202)
    await problem(await post('not gzip', encoded), 400)
    await problem(await post(gzipSync('{"name":"x"}').subarray(0, 20), encoded), 400)
  })

  it('D7: returns a problem for a malformed type, deep nesting and a large body', async () => {
    await problem(await post('{}', { 'content-type': 'garbage' }), 415)
    await problem(await post('['.repeat(100_000)), 400)
    await problem(await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 400)
    await problem(await post('"'.padEnd(10 * 1024 * 1024 + 1)), 413)
    await problem(await post(gzipSync(Buffer.alloc(11 << 20)), { 'content-encoding': 'gzip' }), 413)
  })

  it('refuses millions of small values before it reads them', async () => {
    const many = await problem(await post(`[${'[],'.repeat(3e6)}[]]`), 413)
    expect(many.detail).toBe('The body has more than 50000 values. Send fewer.')
    const quoted = JSON.stringify({ name: '[],"\\{'.repeat(1e5) })
    expect((await post(quoted)).status).toBe(202)
  })

  it('lists the first hundred reasons of many, and says how many there are', async () => {
    const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`other${i}`, i]))
    const { detail, errors } = await problem(
      await post(JSON.stringify({ name: 'x', ...body })),
      422,
    )
    expect(errors).toHaveLength(100)
    expect(detail).toBe('20000 values in the request are invalid. See `errors`.')
  })

  it('D8: accepts the authentication scheme in any case and refuses an empty token', async () => {
    expect((await call('/things', { headers: { authorization: 'bEARER t' } })).status).toBe(200)
    for (const authorization of ['Bearer', 'Bearer ', 'Basic YTpi', 't', 'Bearer a b']) {
      const response = await call('/things', { headers: { authorization } })
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      await problem(response, 401)
    }
  })

  it('D9: supports the keywords of JSON Schema 2020-12', async () => {
    await problem(await post('{"name":"x","other":1}'), 422)
    expect(await (await call('/things')).json()).toEqual({ series: ['day', 1] })
  })

  it('D14: lists every reason in the body of a 422, and none in a header', async () => {
    const response = await call('/things?limit=0&ratio=x', { headers: { 'x-trace': 'too long' } })
    expect(response.headers.get('sl-violations')).toBeNull()
    const { errors, detail } = await problem(response, 422)
    expect(detail).toBe('3 values in the request are invalid. See `errors`.')
    expect(errors).toEqual([
      {
        in: 'query',
        parameter: 'ratio',
        code: 'type',
        message: 'must be a number in plain decimal digits',
      },
      {
        in: 'header',
        parameter: 'X-Trace',
        code: 'maxLength',
        message: 'must NOT have more than 5 characters',
      },
      { in: 'query', parameter: 'limit', code: 'minimum', message: 'must be >= 1' },
    ])
  })

  it('D16: supports HEAD and OPTIONS, and explains a wrong slash', async () => {
    const head = await call('/things', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe('20')
    const options = await call('/things', { method: 'OPTIONS' })
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST')
    const { detail } = await problem(await call('/things/'), 404)
    expect(detail).toContain('Did you mean /v1/things?')
    for (const target of ['//v1/things', '///', '/v1//things']) {
      const request = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
      const response = parseRaw(await raw(server.url, request))
      expect(response).toMatchObject({ status: 404 })
      expect(response.headers['content-type']).toBe('application/problem+json')
    }
  })

  it('D18: allows calls without cookies from any page, with CORS headers that browsers accept', async () => {
    const preflight = await call('/things', {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST',
      'access-control-allow-headers': expect.stringMatching(/^authorization, .*\*$/),
      'access-control-max-age': '7200',
      vary: 'origin, access-control-request-method, access-control-request-headers',
    })
    const responses = [await call('/things'), await call('/nothing'), await post('{')]
    for (const { headers } of [preflight, ...responses]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('access-control-expose-headers')).toBe('x-request-id, retry-after, *')
    }
  })

  it('D19: serves under the base path of the contract’s servers, and only there', async () => {
    expect((await call('/things')).status).toBe(200)
    await problem(await fetch(`${server.url}/things`, { headers: AUTH }), 404)
  })

  it('D20: sends no callbacks', async () => {
    let calls = 0
    const target = createServer((_, response) => {
      calls += 1
      response.end()
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const { port } = target.address() as { port: number }
    const body = JSON.stringify({ name: 'x', callback: `http://127.0.0.1:${port}/` })
    expect((await post(body)).status).toBe(202)
    await problem(await post(body, { authorization: '' }), 401)
    await call('/things') // By now a callback would have arrived.
    expect(calls).toBe(0)
    target.close()
  })

  it('D22: turns an exception of Prism into a problem', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await problem(await post('%ff=1', form), 400)
    await problem(await post('x', { 'content-type': 'multipart/form-data' }), 422)
    for (const body of ['null', '0', 'false', '""', '[]']) await problem(await post(body), 422)
  })

  it('D23: negotiates the content of every request on its own', async () => {
    const csv = await call('/things', { headers: { accept: 'text/csv' } })
    expect(await csv.text()).toBe('series\nday')
    await problem(await call('/things', { headers: { accept: 'image/png' } }), 406)
    await problem(await call('/things', { headers: { accept: ';' } }), 400)
    expect((await call('/things')).headers.get('content-type')).toBe('application/json')
  })

  it('D25: lists the allowed methods with a 405', async () => {
    const response = await call('/things', { method: 'PUT' })
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST')
    await problem(response, 405)
  })
})
