import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../src/index.ts'
import { problem, TRAPS } from './support.ts'

describe('createMockServer', () => {
  let mock: MockServer
  let headers: Record<string, string>
  beforeAll(async () => {
    mock = await createMockServer()
    headers = { authorization: `Bearer ${mock.apiKey}` }
  })
  afterAll(() => mock.close())

  it('listens at a base URL without a version', async () => {
    expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const page = await (await fetch(`${mock.url}/v1/conversations`, { headers })).json()
    expect(page).toMatchObject({ data: expect.any(Array), next_cursor: null, has_more: false })
  })

  it('has a fetch that answers the same without a connection', async () => {
    const paths = ['/v1/conversations?status=open', '/v1/analytics', '/v1/nothing', '/docs']
    for (const path of paths) {
      const init = { headers: { ...headers, 'x-request-id': 'same' } }
      const [remote, local] = [await fetch(mock.url + path, init), await mock.fetch(path, init)]
      expect(local.status).toBe(remote.status)
      expect(await local.text()).toBe(await remote.text())
    }
  })

  it('has a fetch that takes whole URLs, requests and bodies', async () => {
    const url = `${mock.url}/v1/conversations/conv_01J2Z8M3VN/messages`
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"text":"Hello"}',
    }
    expect((await mock.fetch(url, init)).status).toBe(201)
    expect((await mock.fetch(new Request(url, init))).status).toBe(201)
    await problem(await mock.fetch(url, { ...init, body: '{}' }), 422)
  })

  it('has a fetch that can be aborted', async () => {
    const signal = AbortSignal.abort()
    await expect(mock.fetch('/v1/analytics', { headers, signal })).rejects.toThrow('aborted')
  })

  it('answers another contract', async () => {
    const other = await createMockServer({ contract: TRAPS })
    const answer = await fetch(`${other.url}/v1/things/mine`)
    expect(await answer.json()).toEqual({ mine: true })
    await other.close()
  })

  it('rejects where the port is taken or the contract is missing', async () => {
    const port = Number(new URL(mock.url).port)
    await expect(createMockServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await expect(createMockServer({ contract: '/nowhere.yaml' })).rejects.toThrow('/nowhere.yaml')
  })

  it('can be closed twice and then listens no more', async () => {
    const other = await createMockServer()
    await Promise.all([other.close(), other.close()])
    await other.close()
    await expect(fetch(other.url)).rejects.toThrow()
  })

  it('names the one reason that matters when a union does not fit', async () => {
    const reasonsFor = async (body: object) => {
      const init = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
      const { errors } = await problem(await mock.fetch('/v1/knowledge/sources', init), 422)
      return errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code])
    }
    expect(await reasonsFor({ type: 'url' })).toEqual([['/url', 'required']])
    expect(await reasonsFor({ type: 'video' })).toEqual([['/type', 'enum']])
    expect(await reasonsFor({})).toEqual([['/type', 'required']])
  })
})
