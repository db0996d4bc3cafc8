import type { SignatureEncoding } from '../generated/signature.js'
import { bytesOf } from './body.js'
import { latin1 } from './latin1.js'

/**
 * Computes the HMAC-SHA256 of a body for each of several secrets. Synchronous, but for WebCrypto, which
 * works on a copy. The digests are text that may end in padding.
 */
export type Keyring = (
  body: Uint8Array,
  encoding: SignatureEncoding,
) => string[] | Promise<string[]>

type NodeCrypto = typeof import('node:crypto')

/** Node, Bun, Deno and Workers have node:crypto, which is many times faster than WebCrypto. */
export function createKeyring(secrets: readonly string[]): Keyring {
  const node: NodeCrypto | undefined = globalThis.process?.getBuiltinModule?.('node:crypto')
  return node ? nodeKeyring(node, secrets) : webKeyring(secrets)
}

function nodeKeyring(node: NodeCrypto, secrets: readonly string[]): Keyring {
  // On Node 24 a KeyObject makes createHmac five times as fast as bytes do.
  const keys = secrets.map((secret) => node.createSecretKey(secret, 'utf8'))
  return (body, encoding) =>
    keys.map((key) => node.createHmac('sha256', key).update(body).digest(encoding))
}

function webKeyring(secrets: readonly string[]): Keyring {
  // Imported at the first use, because Workers allow no crypto outside of a request. Keeps the keys
  // and not their promise, which would belong to the request that made it.
  let keys: CryptoKey[] | undefined
  return async (body, encoding) => {
    const copy = new Uint8Array(body)
    keys ??= await Promise.all(secrets.map(importKey))
    const digests = await Promise.all(keys.map((key) => crypto.subtle.sign('HMAC', key, copy)))
    return digests.map((digest) => encoders[encoding](new Uint8Array(digest)))
  }
}

function importKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = bytesOf(secret, Infinity) as Uint8Array<ArrayBuffer>
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
}

const base64 = (bytes: Uint8Array) => btoa(latin1(bytes))

const encoders: Readonly<Record<SignatureEncoding, (bytes: Uint8Array) => string>> = {
  hex: (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  base64,
  base64url: (bytes) => base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace('=', ''),
}
