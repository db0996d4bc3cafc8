import {
  WEBHOOKS_HINTS,
  WEBHOOKS_MISMATCHES_BASE64_BODY,
  WEBHOOKS_MISMATCHES_BYTE_ORDER_MARK,
  WEBHOOKS_MISMATCHES_PADDED_SECRET,
} from '../generated/policy.js'
import { latin1 } from './latin1.js'

/** The probable cause of a mismatch, judged by the body and the secrets. */
export function mismatchHint(body: Uint8Array, hasPaddedSecret: boolean): string {
  const start = latin1(body.subarray(0, 64))
  if (hasPaddedSecret) return WEBHOOKS_MISMATCHES_PADDED_SECRET
  if (start.startsWith('\xef\xbb\xbf')) return WEBHOOKS_MISMATCHES_BYTE_ORDER_MARK
  if (/^[\w+/-]+=*$/.test(start)) return WEBHOOKS_MISMATCHES_BASE64_BODY
  return WEBHOOKS_HINTS.signature_mismatch
}
