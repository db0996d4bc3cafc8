/** Listeners by the control API: what they share, and which registrations conflict. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KIND } from './kinds.ts'
import { type Sandboxed, sandboxed } from './sandboxed.ts'

let mock: Sandboxed
beforeAll(async () => {
  mock = await sandboxed()
})
afterAll(() => mock.close())

const listen = (key: string, events?: string[]) =>
  mock.post('/_mock/listeners', { url: 'http://127.0.0.1:9/hooks', events }, { key })

it('a listener keeps the secret that it shares with the others of its sandbox', async () => {
  const key = 'sk_test_secret'
  const { body } = await listen(key)
  const response = await mock.post(`/_mock/endpoints/${body.id}/rotate`, {}, { key })
  expect([response.status, response.body.code]).toEqual([409, 'impossible_step'])
  expect(response.body.detail).toContain('share one secret')
  expect((await listen(key)).body.secret).toBe(body.secret)
})

it('a listener accepts no other kinds while it has a consumer', async () => {
  const key = 'sk_test_kinds'
  await listen(key, ['conversation.created', KIND])
  for (const events of [undefined, [KIND]]) {
    const { status, body } = await listen(key, events)
    expect([status, body.code]).toEqual([409, 'listener_taken'])
    expect(body.detail).toContain('Stop it, or use the same kinds.')
  }
  const again = await listen(key, [KIND, 'conversation.created'])
  expect(again.status).toBe(201)
})
