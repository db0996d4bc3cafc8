/** The facts about webhooks from the contract and from the behaviour that all SDKs share. */
export {
  SIGNATURE_ENCODINGS,
  SIGNATURE_EVENT_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_PREFIX,
  type SignatureEncoding,
  WEBHOOKS_REFUSALS,
  WEBHOOKS_RESPONSES_HANDLED,
} from '@support-chat/sdk/testing'
export type { WebhookFailure } from '@support-chat/sdk/webhooks'
