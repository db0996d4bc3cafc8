import { randomBytes } from 'node:crypto'

/** A secret to sign with. */
export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64url')}`
}
