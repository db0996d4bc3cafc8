import { afterEach, beforeEach, describe, vi } from 'vitest'
import {
  type EncodingName,
  encodingOf,
  encodings as forms,
} from '../../../conformance/webhooks/signed.ts'
import { vectors as all, type Vector } from '../../../conformance/webhooks/vectors.ts'
import { SIGNATURE_ENCODINGS } from '../../src/generated/signature.ts'
import {
  type WebhookEvent,
  type WebhookFailure,
  Webhooks,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'

export { type EncodingName, signed } from '../../../conformance/webhooks/signed.ts'

/** The forms of a digest that the contract allows. */
export const encodings = (Object.keys(forms) as EncodingName[]).filter((form) =>
  SIGNATURE_ENCODINGS.includes(encodingOf(form)),
)

/** The vectors of the encodings that the contract has. */
export const vectors = all.filter(({ encoding }) => SIGNATURE_ENCODINGS.includes(encoding ?? 'hex'))

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

export type Outcome = { event: WebhookEvent } | { code: WebhookFailure }

/** The event or the code of the refusal; anything else that is thrown is thrown on. */
export async function outcomeOf(unwrap: () => Promise<WebhookEvent>): Promise<Outcome> {
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

export function bodyOf({ body }: Pick<Vector, 'body'>): Buffer {
  if ('base64' in body) return Buffer.from(body.base64, 'base64')
  return Buffer.from(body.utf8 + ' '.repeat(body.spaces ?? 0))
}

export async function unwrap(each: Vector): Promise<WebhookEvent> {
  const { tolerance, maxBodyBytes } = each
  const now = () => Date.parse(each.now ?? '2026-03-02T09:21:48Z')
  const webhooks = new Webhooks(each.secrets, { tolerance, maxBodyBytes, now })
  return webhooks.unwrap(bodyOf(each), each.headers)
}

export async function run(each: Vector): Promise<Outcome> {
  return outcomeOf(() => unwrap(each))
}
