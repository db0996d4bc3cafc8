import { Webhooks } from '@support-chat/sdk/webhooks'
import { SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER, type WebhookFailure } from './facts.ts'
import { valuesOf } from './signatures.ts'
import type { Finding, Header } from './types.ts'
import { judge, type Refusal, statusOf, type Trial } from './verdict.ts'

type Mend = (trial: Trial) => Trial | Promise<Trial>

/** How a delivery is freed of one fault, to see whether it has others. The rest ends the matter. */
const MENDS: Partial<Record<WebhookFailure, Mend>> = {
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
  return MENDS[code] === sign
}

/** What a delivery would be refused for if `refusal`, and each fault after it, were mended. */
export async function laterRefusals(refusal: Refusal, trial: Trial): Promise<Finding[]> {
  const mended = await MENDS[refusal.code]?.(trial)
  if (!mended) return []
  const verdict = await judge(mended)
  if (verdict.code === 'ok') return []
  const { code, hint } = verdict
  const finding = {
    name: code,
    text: `Once that is mended, it is refused as ${code} (${statusOf(code)}): ${hint}`,
  }
  // The verifier checks in a fixed order, so that this one comes later in it.
  return [finding, ...(await laterRefusals(verdict, mended))]
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
