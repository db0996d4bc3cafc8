/**
 * What the contract and the common policy say of webhooks. It is generated for the TypeScript SDK,
 * whose package keeps it to itself.
 */
export {
  WEBHOOKS_REFUSALS,
  WEBHOOKS_RESPONSES_HANDLED,
  type WebhookFailure,
} from '../../../sdks/typescript/src/generated/policy.ts'
export {
  SIGNATURE_ENCODINGS,
  SIGNATURE_EVENT_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_PREFIX,
  type SignatureEncoding,
} from '../../../sdks/typescript/src/generated/signature.ts'
