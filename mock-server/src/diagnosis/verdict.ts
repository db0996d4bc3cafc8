import { type Event, Webhooks, WebhookVerificationError } from '@support-chat/sdk/webhooks'
import { WEBHOOKS_REFUSALS, WEBHOOKS_RESPONSES_HANDLED, type WebhookFailure } from './facts.ts'
import type { Delivery, Secret } from './types.ts'

/** A delivery and the receiver that it came to. */
export interface Trial {
  delivery: Delivery
  /** All that the receiver accepts, the newest one first. */
  secrets: readonly Secret[]
  /** In seconds; undefined for none. */
  tolerance?: number | undefined
  /** In milliseconds since 1970. */
  now: () => number
  /** In bytes; undefined for the usual limit. */
  maxBodyBytes?: number | undefined
}

/** What the SDK's own verifier says of a delivery. */
export type Verdict = Acceptance | Refusal

export interface Acceptance {
  code: 'ok'
  event: Event
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

/** What a receiver answers. */
export function statusOf(code: Verdict['code']): number {
  return code === 'ok' ? WEBHOOKS_RESPONSES_HANDLED : WEBHOOKS_REFUSALS[code]
}
