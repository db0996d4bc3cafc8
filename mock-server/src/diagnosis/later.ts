import { Webhooks } from '@support-chat/sdk/webhooks'
import { SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER, type WebhookFailure } from './facts.ts'
import { valuesOf } from './signatures.ts'
import type { Finding, Header } from './types.ts'
import { judge, type Refusal, statusOf, type Trial } from './verdict.ts'

type Fix = (trial: Trial) => Trial | Promise<Trial>

/** How to fix one fault of a delivery, to see whether it has others. The verifier stops at the rest. */
const FIXES: Partial<Record<WebhookFailure, Fix>> = {
  payload_too_large: (trial) => ({ ...trial, maxBodyBytes: Infinity }),
  missing_signature: sign,
  duplicate_header: sign,
  malformed_signature: sign,
  unsupported_algorithm: sign,
  signature_mismatch: sign,
  event_mismatch: (trial) => {
    const isOther = ([name]: Header) => name.toLowerCase() !== SIGNATURE_EVENT_HEADER
    return withHeaders(trial, trial.delivery.headers.filter(isOther))
  },
}

export function isAboutSignature(code: WebhookFailure): boolean {
  return FIXES[code] === sign
}

/** The refusals that would follow if `refusal`, and each one after it, were fixed. */
export async function laterRefusals(refusal: Refusal, trial: Trial): Promise<Finding[]> {
  const fixed = await FIXES[refusal.code]?.(trial)
  if (!fixed) return []
  const verdict = await judge(fixed)
  if (verdict.code === 'ok') return []
  const { code, hint } = verdict
  const finding = {
    name: code,
    text: `After this is fixed, the delivery is refused with ${code} (${statusOf(code)}): ${hint}`,
  }
  // The verifier checks in a fixed order, so each refusal is a later one.
  return [finding, ...(await laterRefusals(verdict, fixed))]
}

async function sign(trial: Trial): Promise<Trial> {
  const { body, headers } = trial.delivery
  const signature = await Webhooks.sign(body, trial.secrets[0]?.value ?? '')
  const kinds = valuesOf(headers, SIGNATURE_EVENT_HEADER)
  const event: Header[] = kinds.length === 1 ? [[SIGNATURE_EVENT_HEADER, kinds[0] ?? '']] : []
  return withHeaders(trial, [[SIGNATURE_HEADER, signature], ...event])
}

function withHeaders(trial: Trial, headers: Header[]): Trial {
  return { ...trial, delivery: { ...trial.delivery, headers } }
}
