import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SupportChat, SupportChatError } from '../../src/index.js'
import { API_KEY, BASE_URL, createClient } from './support.ts'

const construct = (options: object) => () => new SupportChat(options)

describe('client options', () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['no key', { baseURL: BASE_URL }, /No API key\. Pass \{ apiKey \} or set SUPPORT_CHAT_API_KEY/],
    ['an empty key', { baseURL: BASE_URL, apiKey: '' }, /API key is empty/],
    ['a key with a line break', { baseURL: BASE_URL, apiKey: 'sk_1\n' }, /line break/],
    ['no base URL', { apiKey: API_KEY }, /SUPPORT_CHAT_BASE_URL.*npx --no support-chat-mock serve/],
    ['a relative base URL', { apiKey: API_KEY, baseURL: '/api' }, /http:\/\/ or https:\/\//],
    ['a host without a scheme', { apiKey: API_KEY, baseURL: 'localhost:4010' }, /http:\/\//],
    ['a base URL with a password', { apiKey: API_KEY, baseURL: 'http://u:p@a.test' }, /password/],
    ['a base URL with a query', { apiKey: API_KEY, baseURL: 'http://a.test?a=1' }, /query/],
    [
      'a base URL with the version',
      { apiKey: API_KEY, baseURL: 'http://a.test/v1' },
      /Use http:\/\/a\.test without it/,
    ],
    [
      'the same with a slash',
      { apiKey: API_KEY, baseURL: 'http://a.test/v1/' },
      /Use http:\/\/a\.test without it/,
    ],
    ['a time-out of 0', { apiKey: API_KEY, baseURL: BASE_URL, timeout: 0 }, /timeout/],
    [
      'a time-out that no timer holds',
      { apiKey: API_KEY, baseURL: BASE_URL, timeout: 2 ** 31 },
      /timeout/,
    ],
    ['half a retry', { apiKey: API_KEY, baseURL: BASE_URL, maxRetries: 0.5 }, /maxRetries/],
  ])('refuses %s before anything is sent', (_, options, message) => {
    expect(construct(options)).toThrow(SupportChatError)
    expect(construct(options)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message), outcome: 'not_sent' }),
    )
  })

  it('never quotes a value that may be a key in the wrong place', () => {
    for (const options of [
      { baseURL: API_KEY, apiKey: BASE_URL },
      { baseURL: BASE_URL, apiKey: `${API_KEY}\n` },
    ]) {
      expect(construct(options)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining(API_KEY) }),
      )
    }
  })

  it('takes what is left out from the environment', async () => {
    vi.stubEnv('SUPPORT_CHAT_API_KEY', 'sk_env')
    vi.stubEnv('SUPPORT_CHAT_BASE_URL', 'http://env.test/')
    const fetch = vi.fn(async () => Response.json({}))
    await new SupportChat({ fetch }).analytics.get()
    expect(fetch).toHaveBeenCalledWith('http://env.test/v1/analytics', expect.anything())
  })

  it('counts a blank environment variable as unset', () => {
    vi.stubEnv('SUPPORT_CHAT_API_KEY', '  ')
    expect(construct({ baseURL: BASE_URL })).toThrow(/No API key/)
  })

  it('lets an option win over the environment, a bad one too', async () => {
    vi.stubEnv('SUPPORT_CHAT_API_KEY', 'sk_env')
    vi.stubEnv('SUPPORT_CHAT_BASE_URL', 'http://env.test')
    const fetch = vi.fn(async (_: string, init: RequestInit) =>
      Response.json(new Headers(init.headers).get('authorization')),
    )
    expect(await createClient({ fetch }).analytics.get()).toBe(`Bearer ${API_KEY}`)
    expect(construct({ apiKey: '' })).toThrow(/API key is empty/)
  })

  it('ignores trailing slashes and keeps a path of its own', async () => {
    const fetch = vi.fn(async () => Response.json({}))
    await createClient({ fetch, baseURL: 'https://gateway.test/chat//' }).analytics.get()
    expect(fetch).toHaveBeenCalledWith('https://gateway.test/chat/v1/analytics', expect.anything())
  })

  it('refuses to run in a browser unless told that this is fine', () => {
    vi.stubGlobal('document', {})
    vi.stubGlobal('process', { env: {} })
    try {
      expect(() => createClient()).toThrow(/dangerouslyAllowBrowser/)
      expect(() => createClient({ dangerouslyAllowBrowser: true })).not.toThrow()
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('makes clones that differ in nothing but the given options', async () => {
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
