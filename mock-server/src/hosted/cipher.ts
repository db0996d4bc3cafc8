/** Encrypts secrets before they are stored (AES-256-GCM, NIST SP 800-38D). */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** A key that cannot be used, or a text that none of the keys opens. Shows neither. */
export class CipherError extends Error {}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
/** A text that was sealed. */
const SEALED = /^v1\.[0-9a-f]{8}\.[\w-]+$/
/** How a sealed text begins: the version of its form. */
const PREFIX = 'v1.'

export class Cipher {
  /** By id. The first one seals. */
  readonly #keys: ReadonlyMap<string, Buffer>
  readonly #current: { id: string; key: Buffer }

  /**
   * @param keys Each 32 bytes as base64 or as hexadecimal digits, the current one first. The others open what they
   *   sealed before.
   * @throws {CipherError}
   */
  constructor(keys: readonly string[]) {
    const known = keys.map(keyOf).map((key) => ({ id: idOf(key), key }))
    const [current] = known
    if (!current) throw new CipherError('name at least one key.')
    this.#current = current
    this.#keys = new Map(known.map(({ id, key }) => [id, key]))
  }

  seal(text: string): string {
    const { id, key } = this.#current
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, key, iv)
    const sealed = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return `${PREFIX}${id}.${Buffer.concat(sealed).toString('base64url')}`
  }

  /**
   * What was stored before there was a key comes back as it is.
   *
   * @throws {CipherError} for a text that was sealed with another key, or changed.
   */
  open(sealed: string): string {
    if (!sealed.startsWith(PREFIX)) return sealed
    const [id = '', text = ''] = sealed.slice(PREFIX.length).split('.')
    const key = this.#keys.get(id)
    if (!key) {
      throw new CipherError(
        'a stored secret was encrypted with another key. Add that key after the current one, separated by a comma.',
      )
    }
    const bytes = Buffer.from(text, 'base64url')
    const iv = bytes.subarray(0, IV_BYTES)
    const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
    try {
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const opened = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
      return Buffer.concat([opened, decipher.final()]).toString('utf8')
    } catch (error) {
      throw new CipherError('a stored secret is damaged.', { cause: error })
    }
  }

  /** Whether the current key sealed a text. Any other should be sealed again. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${PREFIX}${this.#current.id}.`)
  }
}

/** Seals nothing. */
export const NO_CIPHER: Pick<Cipher, 'seal' | 'open' | 'isCurrent'> = {
  seal: (text) => text,
  open(text) {
    if (!SEALED.test(text)) return text
    throw new CipherError('a stored secret was encrypted. Set the key that encrypted it.')
  },
  isCurrent: (text) => !SEALED.test(text),
}

function keyOf(text: string): Buffer {
  const encoding = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64'
  const key = Buffer.from(text, encoding)
  if (key.length === KEY_BYTES) return key
  throw new CipherError(
    `a key needs ${KEY_BYTES} bytes, as base64 or hexadecimal digits: openssl rand -base64 ${KEY_BYTES}`,
  )
}

/** Tells keys apart without telling them. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8)
}
