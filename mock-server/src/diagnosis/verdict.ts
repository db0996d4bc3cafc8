import { type WebhookEvent, Webhooks, WebhookVerificationError } from '@support-chat/sdk/webhooks'
import { WEBHOOKS_REFUSALS, WEBHOOKS_RESPONSES_HANDLED, type WebhookFailure } from './facts.ts'
import type { Delivery, Secret } from './types.ts'

/** A delivery and the settings of its receiver. */
export interface Trial {
  delivery: Delivery
  /** All accepted secrets, newest first. */
  secrets: readonly Secret[]
  /** In seconds; undefined for none. */
  tolerance?: number | undefined
  /** In milliseconds since 1970. */
  now: () => number
  /** In bytes; undefined for the default limit. */
  maxBodyBytes?: number | undefined
}

/** The verdict of the SDK's verifier. */
export type Verdict = Acceptance | Refusal

export interface Acceptance {
  code: 'ok'
  event: WebhookEvent
}

export interface Refusal {
  code: WebhookFailure
  hint: string
}

export async function judge({ delivery, secrets, ...options }: Trial): Promise<Verdict> {
  try {
    const webhooks = new Webhooks(
      secrets.map(({ value }) => value),
      options,
    )
    return { code: 'ok', event: await webhooks.unwrap(delivery.body, delivery.headers) }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { code: error.code, hint: error.hint }
    throw error
  }
}

/** The status that a receiver returns. */
export function statusOf(code: Verdict['code']): number {
  return code === 'ok' ? WEBHOOKS_RESPONSES_HANDLED : WEBHOOKS_REFUSALS[code]
}
