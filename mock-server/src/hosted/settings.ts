/** What a hosted server takes from its environment. */
import { Cipher, CipherError, NO_CIPHER } from './cipher.ts'

export interface HostedSettings {
  /** Where the data is. A pooler may stand in between. */
  databaseUrl: string
  /** Reaches PostgreSQL without a pooler, for notifications; undefined to poll instead. */
  directUrl: string | undefined
  /** Allows requests to `/_mock/admin`. */
  adminToken: string
  /** How integrators reach the server, without a trailing slash. */
  publicUrl: string
  /** Encrypts secrets at rest, or stores them as they are. */
  cipher: typeof NO_CIPHER
  /** The HTTP proxy through which events are delivered; undefined for none. */
  egressProxy: string | undefined
}

/** A setting that is missing or cannot be used. The message is for the operator, and shows no value. */
export class SettingsError extends Error {}

/** Where the admin API is, below `/_mock`. */
export const ADMIN_AREA = 'admin'

type Environment = Readonly<Record<string, string | undefined>>

const DATABASE = 'DATABASE_URL'
const DIRECT = 'DATABASE_DIRECT_URL'
const ADMIN = 'SUPPORT_CHAT_MOCK_ADMIN_TOKEN'
const PUBLIC = 'SUPPORT_CHAT_MOCK_PUBLIC_URL'
export const ENCRYPTION = 'SUPPORT_CHAT_MOCK_ENCRYPTION_KEY'
const EGRESS = 'SUPPORT_CHAT_MOCK_EGRESS_PROXY'
/** The names of all settings. */
export const SETTINGS = [DATABASE, DIRECT, ADMIN, PUBLIC, ENCRYPTION, EGRESS] as const

/** Shorter ones can be guessed. */
const MIN_TOKEN = 24

/** @throws {SettingsError} */
export function readSettings(environment: Environment): HostedSettings {
  const value = (name: string) => environment[name]?.trim() || undefined
  const needed = (name: string, what: string) => {
    const found = value(name)
    if (found === undefined) throw new SettingsError(`--hosted needs ${name}: ${what}.`)
    return found
  }
  const databaseUrl = needed(DATABASE, 'the URL of a PostgreSQL database')
  checkDatabase(databaseUrl, DATABASE)
  const directUrl = value(DIRECT)
  if (directUrl !== undefined) checkDatabase(directUrl, DIRECT)
  const adminToken = needed(ADMIN, 'a long random text that allows to issue keys')
  if (adminToken.length < MIN_TOKEN) {
    throw new SettingsError(
      `${ADMIN} has ${adminToken.length} characters. Use a random one of ${MIN_TOKEN} or more.`,
    )
  }
  // As a bearer token has to be (RFC 6750 §2.1).
  if (!/^[\x21-\x7e]+$/.test(adminToken)) {
    throw new SettingsError(`${ADMIN} may have only printable ASCII characters and no spaces.`)
  }
  return {
    databaseUrl,
    // Without a pooler in between, one URL is enough.
    directUrl: directUrl ?? databaseUrl,
    adminToken,
    publicUrl: publicUrlOf(needed(PUBLIC, 'the URL at which integrators reach this server')),
    cipher: cipherOf(value(ENCRYPTION)),
    egressProxy: proxyOf(value(EGRESS)),
  }
}

function checkDatabase(url: string, name: string): void {
  const { protocol } = URL.parse(url) ?? {}
  if (protocol === 'postgresql:' || protocol === 'postgres:') return
  throw new SettingsError(
    `${name} is not the URL of a PostgreSQL database. Write it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE.`,
  )
}

function publicUrlOf(text: string): string {
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!isHttp || url.search || url.hash || url.username || url.pathname !== '/') {
    throw new SettingsError(
      `${PUBLIC} is not a base URL. Write it without a path, for example https://sandbox.example.com.`,
    )
  }
  return url.origin
}

function proxyOf(text: string | undefined): string | undefined {
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new SettingsError(
    `${EGRESS} is not the URL of an HTTP proxy. Write it as http://HOST:PORT, with USER:PASSWORD@ before the host if it needs them.`,
  )
}

function cipherOf(keys: string | undefined): typeof NO_CIPHER {
  if (keys === undefined) return NO_CIPHER
  try {
    return new Cipher(keys.split(',').map((key) => key.trim()))
  } catch (error) {
    if (error instanceof CipherError) throw new SettingsError(`${ENCRYPTION}: ${error.message}`)
    throw error
  }
}
