import { createHmac, randomBytes } from 'node:crypto'
import { homedir, hostname } from 'node:os'

/** A secret to sign with. */
export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64url')}`
}

/**
 * A secret that is the same after a restart, also of a server that keeps nothing: the same for a key, on this machine
 * and for this user. Whoever has the key controls the sandbox anyway.
 */
export function lastingSecret(key: string): string {
  const owner = [hostname(), homedir(), key]
  const digest = createHmac('sha256', 'support-chat-mock listener').update(JSON.stringify(owner))
  return `whsec_${digest.digest('base64url').slice(0, 32)}`
}
