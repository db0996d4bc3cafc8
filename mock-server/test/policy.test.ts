/** The policy that the README states: parameters, credentials, media types, preferences. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../src/door/log.ts'
import type { Server } from '../src/server.ts'
import { AUTH, parseRaw, problem, raw, start, TRAPS } from './support.ts'

describe('the policy', () => {
  let server: Server
  beforeAll(async () => {
    server = await start(TRAPS, createLog('silent'))
  })
  afterAll(() => server.close())

  const call = (path: string, headers = {}, init: RequestInit = {}) =>
    fetch(`${server.url}/v1${path}`, { ...init, headers: { ...AUTH, ...headers } })
  const post = (body: BodyInit, headers = {}) => call('/things', headers, { method: 'POST', body })

  const refused: [query: string, parameter: string, code: string][] = [
    ['limit=', 'limit', 'empty'],
    ['limit', 'limit', 'empty'],
    ['limit=1&limit=2', 'limit', 'repeated'],
    ['limit=1e1', 'limit', 'type'],
    ['limit=0x10', 'limit', 'type'],
    ['limit=+10', 'limit', 'type'],
    ['limit=010', 'limit', 'type'],
    ['limit=1.5', 'limit', 'type'],
    ['limit=101', 'limit', 'maximum'],
  ]
  it.each(refused)('refuses the query ?%s', async (query, parameter, code) => {
    const { errors } = await problem(await call(`/things?${query}`), 422)
    expect(errors).toMatchObject([{ in: 'query', parameter, code }])
  })

  it('refuses unknown parameters in the query, with the contract of this package', async () => {
    const own = await start()
    const operation = own.contract.operations.find(
      ({ method, prism }) => method === 'GET' && (prism.request?.query?.length ?? 0) > 0,
    )
    const [{ name } = { name: 'limit' }] = operation?.prism.request?.query ?? []
    const path = operation?.path.replace(/\{[^}]*\}/g, '1')
    const unknown = [`un${name}`, name.toUpperCase(), `${name}[]`, '__code', '__proto__']
    for (const parameter of unknown) {
      const response = await fetch(`${own.url}${path}?${parameter}=1`, { headers: AUTH })
      const { errors } = await problem(response, 422)
      expect(errors).toContainEqual(expect.objectContaining({ parameter, code: 'unknown' }))
    }
    await own.close()
  })

  it.each(['', 'limit=10', 'ratio=-0.5', 'tag=a&tag=b', 'q=', 'filter[a]=b', 'filter%5Ba%5D=b'])(
    'accepts the query ?%s',
    async (query) => expect((await call(`/things?${query}`)).status).toBe(200),
  )

  it('refuses an empty header that the operation declares', async () => {
    const { errors } = await problem(await call('/things', { 'x-trace': '' }), 422)
    expect(errors).toMatchObject([{ in: 'header', parameter: 'X-Trace', code: 'empty' }])
  })

  it('refuses a header that was sent twice, where it has one value', async () => {
    const head =
      'GET /v1/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nConnection: close\r\n'
    const { status, body } = parseRaw(
      await raw(server.url, `${head}X-Trace: a\r\nx-trace: a\r\n\r\n`),
    )
    expect(status).toBe(422)
    expect(JSON.parse(body).errors).toMatchObject([
      { in: 'header', parameter: 'X-Trace', code: 'repeated' },
    ])
  })

  it('takes the last of repeated members of an object', async () => {
    const json = { 'content-type': 'application/json' }
    expect((await post('{"name":1,"name":"x"}', json)).status).toBe(202)
    await problem(await post('{"name":"x","name":1}', json), 422)
  })

  it('refuses the credentials of Basic that are no user name and password in base64', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'policy-')), 'openapi.yaml')
    const bearer = 'type: http, scheme: bearer'
    const contract = readFileSync(TRAPS, 'utf8')
    expect(contract).toContain(bearer)
    writeFileSync(file, contract.replace(bearer, 'type: http, scheme: basic'))
    const basic = await start(file, createLog('silent'))
    try {
      const statusFor = async (credentials: string) => {
        const headers = { authorization: `Basic ${credentials}` }
        return (await fetch(`${basic.url}/v1/things`, { headers })).status
      }
      expect(await statusFor('YTpi')).toBe(200)
      expect(await statusFor('YWI')).toBe(401)
      expect(await statusFor('a:b')).toBe(401)
    } finally {
      await basic.close()
      rmSync(dirname(file), { recursive: true })
    }
  })

  it('prefers a literal path to a templated one', async () => {
    expect(await (await call('/things/mine')).json()).toEqual({ mine: true })
    expect(await (await call('/things/yours')).json()).toEqual({ mine: false })
  })

  it('checks a path parameter after decoding it', async () => {
    expect((await call(`/things/${'%C3%A9'.repeat(20)}`)).status).toBe(200)
    const { errors } = await problem(await call(`/things/${'e'.repeat(21)}`), 422)
    expect(errors).toMatchObject([{ in: 'path', parameter: 'id', code: 'maxLength' }])
  })

  it('accepts any character in a path parameter', async () => {
    for (const id of ['a,b', 'a;b=c', "(it's)", '%2F', '%2C', '%00', '{id}', '$&+', '[x]', '~^|']) {
      expect((await call(`/things/${id}`)).status, id).toBe(200)
    }
  })

  it('requires no key if the contract requires none', async () => {
    expect((await fetch(`${server.url}/v1/things/mine`)).status).toBe(200)
  })

  it('reads a key from where the contract declares it', async () => {
    const remove = (query: string) =>
      fetch(`${server.url}/v1/things/a${query}`, { method: 'DELETE' })
    expect((await remove('?key=k')).status).toBe(204)
    const { detail } = await problem(await remove(''), 401)
    expect(detail).toBe('Send an API key in the query `key`.')
    await problem(await remove('?key=sk_live_1'), 401)
  })

  it('refuses a live key and says why', async () => {
    const response = await call('/things', { authorization: 'Bearer sk_live_1' })
    const { code, detail } = await problem(response, 401)
    expect(code).toBe('live_key')
    expect(detail).toContain('Never send it a live key')
    expect(detail).not.toContain('sk_live_1')
  })

  it('refuses a request without a key before it checks anything else', async () => {
    const response = await fetch(`${server.url}/v1/things?limit=0`, {
      method: 'POST',
      headers: { 'content-type': 'garbage', accept: ';', prefer: 'code=404' },
      body: '{',
    })
    await problem(response, 401)
  })

  const unsupported: [name: string, headers: Record<string, string>][] = [
    ['no content type', {}],
    ['a type that the operation does not accept', { 'content-type': 'application/xml' }],
    ['a charset other than UTF-8', { 'content-type': 'application/json; charset=latin1' }],
    ['an unknown encoding', { 'content-type': 'application/json', 'content-encoding': 'br' }],
    ['two encodings', { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' }],
  ]
  it.each(unsupported)('returns 415 for a body with %s', async (_, headers) => {
    await problem(await post(Buffer.from('{"name":"x"}'), headers), 415)
  })

  it('accepts JSON with a charset, and the other types of the operation', async () => {
    const types = {
      'application/json;charset="UTF-8"': '{"name":"x"}',
      'text/plain': 'x',
      'application/x-www-form-urlencoded': 'name=x',
      'multipart/form-data; boundary=b':
        '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n',
    }
    for (const [type, body] of Object.entries(types)) {
      expect((await post(body, { 'content-type': type })).status, type).toBe(202)
    }
  })

  it('returns 400 for a body that is not UTF-8 or starts with a byte order mark', async () => {
    const json = { 'content-type': 'application/json' }
    await problem(await post(Buffer.from('{"name":"\xff"}', 'latin1'), json), 400)
    await problem(await post('\ufeff{"name":"x"}', json), 400)
  })

  it('returns 422 if a required body is missing', async () => {
    const { errors } = await problem(await call('/things', {}, { method: 'POST' }), 422)
    expect(errors).toMatchObject([{ in: 'body', pointer: '', code: 'required' }])
  })

  it('returns 415 for a body if the operation accepts none', async () => {
    const response = await call('/things/a?key=k', {}, { method: 'DELETE', body: 'x' })
    await problem(response, 415)
  })

  it('returns the media type that the client prefers', async () => {
    const typeFor = async (accept: string) =>
      (await call('/things', { accept })).headers.get('content-type')
    expect(await typeFor('*/*')).toBe('application/json')
    expect(await typeFor('text/*')).toBe('text/csv')
    expect(await typeFor('application/json;q=0.1, text/csv')).toBe('text/csv')
    expect(await typeFor('application/json;q=0, */*')).toBe('text/csv')
    expect(await typeFor('application/json; charset=utf-8; q=0.5')).toBe('application/json')
    expect(await typeFor('text/html, image/gif, *; q=.2, */*; q=.2')).toBe('application/json')
    await problem(await call('/things', { accept: 'text/csv;q=0' }), 406)
  })

  it('returns the status, the example and the headers that were requested', async () => {
    const gone = await call('/things', { prefer: 'code=404', accept: 'application/json' })
    expect(gone.headers.get('retry-after')).toBe('7')
    expect(gone.status).toBe(404)
    expect(await gone.json()).toEqual({
      status: 404,
      code: 'gone',
      request_id: gone.headers.get('x-request-id'),
    })
    const none = await call('/things', { prefer: 'example=none' })
    expect(await none.json()).toEqual({ series: [] })
  })

  it('returns a status from a declared range, with a matching body', async () => {
    const response = await call('/things', { prefer: 'code=503' })
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ status: 503, code: 'failed' })
  })

  it.each(['respond-async', 'wait=5; x="a,b", ;;=', 'dynamic=true', 'code', '"code=404"'])(
    'ignores the preference %s',
    async (prefer) => expect((await call('/things', { prefer })).status).toBe(200),
  )

  it.each(['Code="404"', 'respond-async, code = 404; x=1', 'code=404, code=200'])(
    'understands the preference %s',
    async (prefer) => expect((await call('/things', { prefer })).status).toBe(404),
  )

  it.each(['code=418', 'code=abc', 'code=1000', 'code=100'])(
    'lists what the contract declares for %s',
    async (prefer) => {
      const { detail, code } = await problem(await call('/things', { prefer }), 404)
      expect(code).toBe('undeclared_status')
      expect(detail).toMatch(/declares: 200, 404, 5XX\.$/)
    },
  )

  it('lists the examples if the requested one is unknown', async () => {
    const { detail } = await problem(await call('/things', { prefer: 'example=two' }), 404)
    expect(detail).toMatch(/declares: one, none\.$/)
  })

  it('returns a valid request ID of the client and makes one otherwise', async () => {
    const idFor = async (id: string) =>
      (await call('/things', { 'x-request-id': id })).headers.get('x-request-id')
    expect(await idFor('my-id_1.2')).toBe('my-id_1.2')
    for (const bad of ['a b', '"', 'x'.repeat(129)])
      expect(await idFor(bad)).toMatch(/^req_\w{32}$/)
  })
})
