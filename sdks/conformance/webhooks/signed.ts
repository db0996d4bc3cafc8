import { createHmac } from 'node:crypto'

/** How a digest may be written on the wire. */
export const encodings = {
  hex: (digest: Buffer) => digest.toString('hex'),
  HEX: (digest: Buffer) => digest.toString('hex').toUpperCase(),
  base64: (digest: Buffer) => digest.toString('base64'),
  'base64 without padding': (digest: Buffer) => digest.toString('base64').replace('=', ''),
  base64url: (digest: Buffer) => digest.toString('base64url'),
  'base64url with padding': (digest: Buffer) => `${digest.toString('base64url')}=`,
}
export type EncodingName = keyof typeof encodings

/** The encoding of the contract that a form belongs to. */
export function encodingOf(form: EncodingName): 'hex' | 'base64' | 'base64url' {
  const [name = ''] = form.toLowerCase().split(' ')
  return name as 'hex' | 'base64' | 'base64url'
}

/** A signature made apart from the code under test. */
export function signed(body: Uint8Array, secret: string, encoding: EncodingName = 'hex'): string {
  return `sha256=${encodings[encoding](createHmac('sha256', secret).update(body).digest())}`
}
