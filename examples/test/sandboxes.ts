import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'

/** What leads a client to the mock server. */
export type Settings = Record<'SUPPORT_CHAT_API_KEY' | 'SUPPORT_CHAT_BASE_URL', string>

/** Settings with a key that nobody else has, and so with a sandbox of their own. */
export function ownSandbox(baseURL = inject('baseURL')): Settings {
  return { SUPPORT_CHAT_API_KEY: `sk_test_${randomUUID()}`, SUPPORT_CHAT_BASE_URL: baseURL }
}
