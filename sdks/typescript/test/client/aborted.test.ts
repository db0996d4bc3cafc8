import { describe, expect, it, vi } from 'vitest'
import { AbortedCallError, SupportChatError } from '../../src/index.js'
import { createClient, listen, rejection } from './support.ts'

const logger = { debug() {}, info() {}, warn() {}, error() {} }

describe('a call that its caller ends', () => {
  it('sends nothing where it was ended before', async () => {
    const fetch = vi.fn()
    const call = createClient({ fetch }).conversations.get('c1', { signal: AbortSignal.abort() })
    const error = await rejection(call)
    expect(error).toBeInstanceOf(AbortedCallError)
    expect(error).toBeInstanceOf(SupportChatError)
    expect(error).toMatchObject({
      name: 'AbortError',
      code: 'ABORT_ERR',
      message: 'the call was aborted (GET /v1/conversations/c1)',
      cause: expect.any(DOMException),
      method: 'GET',
      path: '/v1/conversations/c1',
      attempts: 0,
      outcome: 'not_sent',
    })
    expect(fetch).not.toHaveBeenCalled()
  })

  it('is named after the reason where that is an error', async () => {
    const nameWith = async (reason: unknown) => {
      const call = createClient({ logger }).conversations.get('c1', {
        signal: AbortSignal.abort(reason),
      })
      return (await rejection(call)) as AbortedCallError
    }
    class Shutdown extends Error {
      override name = 'Shutdown'
    }
    expect((await nameWith(new Shutdown())).name).toBe('Shutdown')
    expect((await nameWith('enough')).name).toBe('AbortError')
    expect((await nameWith('enough')).cause).toBe('enough')
    const fetch = () => new Promise<Response>(() => {})
    const late = createClient({ fetch }).conversations.get('c1', {
      signal: AbortSignal.timeout(10),
    })
    expect(await rejection(late)).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' })
  })

  it('may have had an effect where a response was under way', async () => {
    const controller = new AbortController()
    const reason = { any: 'value' }
    const server = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id"')
      controller.abort(reason)
    })
    const { signal } = controller
    const call = createClient({ baseURL: server.url }).conversations.get('c1', { signal })
    expect(await rejection(call)).toMatchObject({ cause: reason, attempts: 1, outcome: 'unknown' })
    expect(server.count()).toBe(1)
    await server.close()
  })

  it.each([
    [429, 'rejected'],
    [503, 'unknown'],
  ])('tells the outcome of the attempt before the wait (%i)', async (status, outcome) => {
    const controller = new AbortController()
    const reason = new Error('not needed any more')
    const warn = () => void setTimeout(() => controller.abort(reason))
    const fetch = async () => new Response(null, { status, headers: { 'retry-after': '60' } })
    const client = createClient({ logger: { ...logger, warn }, fetch })
    const error = await rejection(client.conversations.get('c1', { signal: controller.signal }))
    expect(error).toMatchObject({ name: 'Error', cause: reason, attempts: 1, outcome })
  })

  it('may have had an effect for good once an attempt may have', async () => {
    const controller = new AbortController()
    const refused = Object.assign(new TypeError(), { cause: { code: 'ECONNREFUSED' } })
    const fetch = vi
      .fn<() => Promise<Response>>()
      .mockResolvedValueOnce(new Response(null, { status: 503, headers: { 'retry-after': '0' } }))
      .mockRejectedValue(refused)
    const warn = () => void (fetch.mock.calls.length === 2 && controller.abort())
    const client = createClient({ logger: { ...logger, warn }, fetch })
    const error = await rejection(client.conversations.get('c1', { signal: controller.signal }))
    expect(error).toMatchObject({ attempts: 2, outcome: 'unknown' })
  })
})
