import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { asBlob, asNothing, asText, content, multipart, urlEncoded } from '../../src/core/body.js'
import { items } from '../../src/core/items.js'
import { orNothing, parseExact } from '../../src/core/json.js'
import { styled } from '../../src/core/styles.js'
import { BASE_URL, createClient, useServer } from './support.ts'

describe('formats beside JSON', () => {
  const server = useServer()
  const client = createClient()
  const send = (body: unknown, operation: object) =>
    client.request('POST', '/v1/things', { body }, {}, operation)

  it('writes a form with repeated and absent fields', async () => {
    server.respond({})
    await send({ a: 1, b: ['x', 'y z'], c: undefined }, { body: urlEncoded })
    expect(server.requests[0]).toMatchObject({
      body: 'a=1&b=x&b=y+z',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  })

  it('writes multipart with files', async () => {
    server.respond({})
    await send({ name: 'n', file: new Blob(['abc'], { type: 'text/plain' }) }, { body: multipart })
    const [request] = server.requests
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(request?.body).toMatch(/name="name"\r\n\r\nn\r\n/)
    expect(request?.body).toMatch(
      /name="file"; filename="blob"\r\nContent-Type: text\/plain\r\n\r\nabc/,
    )
  })

  it('writes lists and objects into a path', async () => {
    server.respond({})
    const path = { ids: [1, 'a,b'], point: items({ x: 1, y: undefined, label: 'a b' }) }
    await client.request('GET', '/v1/things/{ids}/{point}', { path })
    expect(server.requests[0]?.url).toBe(`${BASE_URL}/v1/things/1,a%2Cb/x,1,label,a%20b`)
  })

  it('reads JSON as the operation says', async () => {
    server.respond(
      new HttpResponse('{"id":9223372036854775807}'),
      new HttpResponse(null, { status: 202 }),
    )
    const read = () => client.request('GET', '/v1/x', {}, {}, { parse: orNothing(parseExact) })
    expect(await read()).toEqual({ id: 9_223_372_036_854_775_807n })
    expect(await read()).toBeUndefined()
  })

  it('sends bytes as they are', async () => {
    server.respond({})
    await send(new TextEncoder().encode('raw'), { body: content('application/octet-stream') })
    expect(server.requests[0]).toMatchObject({
      body: 'raw',
      headers: { 'content-type': 'application/octet-stream' },
    })
  })

  it('reads text, bytes and nothing', async () => {
    const bytes = new Uint8Array([0, 255, 128])
    server.respond(
      new HttpResponse('plain', { headers: { 'content-type': 'text/plain' } }),
      new HttpResponse(bytes, { headers: { 'content-type': 'image/png' } }),
      new HttpResponse('', { status: 202 }),
    )
    const read = (operation: object) => client.request('GET', '/v1/things', {}, {}, operation)
    expect(await read({ read: asText })).toBe('plain')
    const blob = (await read({ read: asBlob })) as Blob
    expect(blob.type).toBe('image/png')
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes)
    expect(await read({ read: asNothing })).toBeUndefined()
    expect(server.requests[0]?.headers.accept).toBe('*/*')
  })

  it('writes parameters in the styles of the contract', async () => {
    server.respond({})
    const writeQuery = styled({
      ids: { array: { style: 'pipeDelimited', explode: false } },
      filter: { object: { style: 'deepObject', explode: true } },
    })
    const query = { ids: [1, 2], filter: { a: 'x' }, plain: ['p', 'q'], none: undefined }
    await client.request('GET', '/v1/things', { query }, {}, { writeQuery })
    await client.request('GET', '/v1/things', { query: { list: ['a', 'b'], o: { k: 'v' } } })
    expect(
      server.requests.map(({ url }) => decodeURIComponent(url.slice(BASE_URL.length))),
    ).toEqual(['/v1/things?ids=1|2&filter[a]=x&plain=p&plain=q', '/v1/things?list=a&list=b&k=v'])
  })
})
