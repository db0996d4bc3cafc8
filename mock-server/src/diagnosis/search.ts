import { Webhooks, WebhookVerificationError } from '@support-chat/sdk/webhooks'
import { bodiesFrom } from './bodies.ts'
import { SIGNATURE_HEADER, type WebhookFailure } from './facts.ts'
import { keyOrders } from './orders.ts'
import { keysFrom } from './secrets.ts'
import { signaturesFrom } from './signatures.ts'
import type { Delivery, Finding, Guess, Secret } from './types.ts'

export interface Match {
  /** The body that was signed. */
  body: Buffer
  /** What went wrong. */
  findings: Finding[]
}

/**
 * Tries possible originals of the body, the secrets and the signature until the verifier accepts them.
 * Tries all secrets together, so that two things may be wrong.
 */
export async function search(
  { body, headers }: Delivery,
  secrets: readonly Secret[],
): Promise<Match | undefined> {
  const keys = keysFrom(secrets)
  const webhooks = verifierOf(keys)
  const signatures = await wellFormed(signaturesFrom(headers), webhooks)
  if (signatures.length === 0) return undefined
  for (const guess of bodiesFrom(body, await keyOrders())) {
    for (const signature of signatures) {
      if ((await refusal(webhooks, guess.value, signature.value)) !== undefined) continue
      const key = await keyOf(keys, guess.value, signature.value)
      const findings = [signature, guess, key].flatMap(({ finding }) => finding ?? [])
      return { body: guess.value, findings }
    }
  }
  return undefined
}

/** The well-formed signatures, each once; of equal ones the first. */
async function wellFormed(
  signatures: Guess<string>[],
  webhooks: Webhooks,
): Promise<Guess<string>[]> {
  const found = new Map<string, Guess<string>>()
  for (const guess of signatures) {
    if (found.has(guess.value)) continue
    const code = await refusal(webhooks, Buffer.alloc(0), guess.value)
    if (code === undefined || code === 'signature_mismatch') found.set(guess.value, guess)
  }
  return [...found.values()]
}

async function keyOf(
  keys: Guess<string>[],
  body: Buffer,
  signature: string,
): Promise<Guess<string>> {
  for (const key of keys) {
    if ((await refusal(verifierOf([key]), body, signature)) === undefined) return key
  }
  throw new Error('One of the keys matches when all are tried, but none alone.')
}

function verifierOf(keys: Guess<string>[]): Webhooks {
  return new Webhooks(
    keys.map(({ value }) => value),
    { maxBodyBytes: Infinity },
  )
}

/** The verifier's verdict on the signature alone. */
async function refusal(
  webhooks: Webhooks,
  body: Buffer,
  signature: string,
): Promise<WebhookFailure | undefined> {
  try {
    await webhooks.verify(body, [[SIGNATURE_HEADER, signature]])
    return undefined
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code
    throw error
  }
}
