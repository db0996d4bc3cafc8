import {
  SIGNATURE_ENCODINGS,
  SIGNATURE_PREFIX,
  type SignatureEncoding,
} from '../generated/signature.js'
import { bytesOf, type WebhookBody } from './body.js'
import { createKeyring } from './keyring.js'
import { requireSecrets } from './options.js'

/**
 * The value of the signature header of a body.
 *
 * @throws {WebhookVerificationError} `missing_secret`, `body_already_parsed`
 */
export async function sign(
  body: WebhookBody,
  secret: string,
  encoding: SignatureEncoding = SIGNATURE_ENCODINGS[0],
): Promise<string> {
  const [digest] = await createKeyring(requireSecrets(secret))(bytesOf(body, Infinity), encoding)
  return SIGNATURE_PREFIX + digest
}
