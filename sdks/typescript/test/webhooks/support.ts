import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, vi } from 'vitest'
import {
  type Event,
  type WebhookFailure,
  Webhooks,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import type { Case } from './cases.ts'

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

/** A signature made apart from the code under test. */
export function signed(body: Uint8Array, secret: string, encoding: EncodingName = 'hex'): string {
  return `sha256=${encodings[encoding](createHmac('sha256', secret).update(body).digest())}`
}

/** Runs the same tests with node:crypto and with WebCrypto alone. */
export function onEveryCrypto(tests: () => void): void {
  describe('with node:crypto', tests)
  describe('with WebCrypto alone', () => {
    beforeEach(() => {
      vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    })
    afterEach(() => {
      vi.restoreAllMocks()
    })
    tests()
  })
}

export type Outcome = { event: Event } | { code: WebhookFailure }

/** The event or the code of the refusal; anything else that is thrown is thrown on. */
export async function outcomeOf(unwrap: () => Promise<Event>): Promise<Outcome> {
  try {
    return { event: await unwrap() }
  } catch (error) {
    return { code: refusal(error).code }
  }
}

/** The refusal that `error` must be. */
export function refusal(error: unknown): WebhookVerificationError {
  if (error instanceof WebhookVerificationError) return error
  throw error
}

export async function refusalOf(call: () => unknown): Promise<WebhookVerificationError> {
  try {
    await call()
  } catch (error) {
    return refusal(error)
  }
  throw new Error('The delivery was accepted.')
}

export function bodyOf({ body }: Pick<Case, 'body'>): Buffer {
  return 'utf8' in body ? Buffer.from(body.utf8) : Buffer.from(body.base64, 'base64')
}

export async function run(each: Case): Promise<Outcome> {
  return outcomeOf(async () => {
    const { tolerance, maxBodyBytes } = each
    const now = () => Date.parse(each.now ?? '2026-03-02T09:21:48Z')
    const webhooks = new Webhooks(each.secrets, { tolerance, maxBodyBytes, now })
    return webhooks.unwrap(bodyOf(each), each.headers)
  })
}
