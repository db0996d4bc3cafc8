import { describe, expect, it } from 'vitest'
import { NO_CIPHER } from '../../src/hosted/cipher.ts'
import { readSettings, SettingsError } from '../../src/hosted/settings.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const WHOLE = {
  DATABASE_URL: 'postgresql://mock:s3cret@db.example:5432/mock',
  SUPPORT_CHAT_MOCK_ADMIN_TOKEN: 'admin-token-that-is-long-enough',
  SUPPORT_CHAT_MOCK_PUBLIC_URL: 'https://sandbox.example.com/',
}

describe('the settings of a hosted server', () => {
  it('need a database, an admin token and a public URL', () => {
    expect(readSettings(WHOLE)).toEqual({
      databaseUrl: WHOLE.DATABASE_URL,
      directUrl: WHOLE.DATABASE_URL,
      adminToken: WHOLE.SUPPORT_CHAT_MOCK_ADMIN_TOKEN,
      publicUrl: 'https://sandbox.example.com',
      cipher: NO_CIPHER,
      egressProxy: undefined,
    })
  })

  it.each(Object.keys(WHOLE))('are refused without %s, in a sentence that names it', (name) => {
    const read = () => readSettings({ ...WHOLE, [name]: ' ' })
    expect(read).toThrow(SettingsError)
    expect(read).toThrow(`--hosted needs ${name}: `)
  })

  it.each([
    ['DATABASE_URL', 'mysql://root:s3cret@db/mock', /not the URL of a PostgreSQL database/],
    ['DATABASE_URL', 's3cret', /not the URL of a PostgreSQL database/],
    ['DATABASE_DIRECT_URL', 'http://s3cret', /DATABASE_DIRECT_URL is not/],
    ['SUPPORT_CHAT_MOCK_ADMIN_TOKEN', 's3cret', /has 6 characters/],
    ['SUPPORT_CHAT_MOCK_ADMIN_TOKEN', 's3cret with spaces and so long', /no spaces/],
    ['SUPPORT_CHAT_MOCK_PUBLIC_URL', 'sandbox.example.com', /not a base URL/],
    ['SUPPORT_CHAT_MOCK_PUBLIC_URL', 'https://a:s3cret@sandbox.example.com', /not a base URL/],
    ['SUPPORT_CHAT_MOCK_PUBLIC_URL', 'https://sandbox.example.com/v1', /not a base URL/],
    ['SUPPORT_CHAT_MOCK_EGRESS_PROXY', 'socks5://ada:s3cret@proxy', /not the URL of an HTTP proxy/],
    ['SUPPORT_CHAT_MOCK_ENCRYPTION_KEY', 's3cret', /a key needs 32 bytes/],
    ['SUPPORT_CHAT_MOCK_ENCRYPTION_KEY', `${KEY},s3cret`, /a key needs 32 bytes/],
  ])('refuse %s where it cannot be used, and never show it', (name, value, message) => {
    const read = () => readSettings({ ...WHOLE, [name]: value })
    expect(read).toThrow(SettingsError)
    expect(read).toThrow(message)
    expect(read).not.toThrow(/s3cret/)
  })

  it('may name a URL beside a pooler, and keys of an encryption', () => {
    const direct = 'postgres://mock@primary.example/mock'
    const given = { DATABASE_DIRECT_URL: direct, SUPPORT_CHAT_MOCK_ENCRYPTION_KEY: KEY }
    const { directUrl, cipher } = readSettings({ ...WHOLE, ...given })
    expect(directUrl).toBe(direct)
    expect(cipher?.open(cipher.seal('whsec_1'))).toBe('whsec_1')
  })
})
