/** Whose sandbox a request to the control API acts on. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandboxed, sandboxed } from './sandboxed.ts'

let mock: Sandboxed
beforeAll(async () => {
  mock = await sandboxed()
})
afterAll(() => mock.close())

it.each(['sk_test_mine', 'Bearer', 'Bearer a b', 'Basic YTpi', 'Token sk_test_mine'])(
  'the malformed `Authorization: %s` acts on no sandbox, not on that of sk_test_demo',
  async (authorization) => {
    const key = 'sk_test_demo'
    await mock.post('/_mock/reset', {}, { key })
    const id = await mock.create('Still here?', { key })
    const { status, body } = await mock.post('/_mock/reset', {}, { headers: { authorization } })
    expect(status).toBe(401)
    expect(body.detail).toBe('Send an API key as `Authorization: Bearer <API_KEY>`.')
    expect((await mock.get(`/v1/conversations/${id}`, { key })).status).toBe(200)
  },
)
