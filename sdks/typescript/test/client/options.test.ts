import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SupportChat, SupportChatError } from '../../src/index.js'
import { API_KEY, BASE_URL, createClient } from './support.ts'

const _construct = (options: object) => () => new SupportChat(options)

describe('client options', () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['a timeout beyond the limit of timers', { timeout: 2 ** 31 }, /timeout/],
    ['half a retry', { maxRetries: 0.5 }, /maxRetries/],
  ])('refuses %s', (_, options, message) => {
    expect(() => createClient(options)).toThrow(SupportChatError)
    expect(() => createClient(options)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message), outcome: 'not_sent' }),
    )
  })

  it('refuses to run in a browser without the option', () => {
    vi.stubGlobal('document', {})
    vi.stubGlobal('process', { env: {} })
    try {
      expect(() => createClient()).toThrow(/dangerouslyAllowBrowser/)
      expect(() => createClient({ dangerouslyAllowBrowser: true })).not.toThrow()
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('makes clones that differ only in the given options', async () => {
    const fetch = vi.fn(async () => Response.json({}))
    const client = createClient({ fetch })
    const clone = client.withOptions({ apiKey: 'sk_other' })
    expect(clone).toBeInstanceOf(SupportChat)
    await clone.analytics.get()
    const [url, init] = fetch.mock.calls[0] as unknown as [string, RequestInit]
    expect(url).toBe(`${BASE_URL}/v1/analytics`)
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer sk_other')
  })

  it('shows its key neither when it is printed nor as JSON', () => {
    const client = createClient()
    for (const shown of [
      inspect(client, { depth: 9, showHidden: true, getters: true }),
      JSON.stringify(client),
      String(client),
    ]) {
      expect(shown).not.toContain(API_KEY)
    }
  })
})
