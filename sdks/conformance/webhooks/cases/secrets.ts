import { delivery, OTHER_SECRET, SECRET } from '../delivery.ts'

export const secretCases = [
  delivery('secret-right', 'ok', 'The secret of the endpoint verifies its deliveries.'),
  delivery('secret-wrong', 'signature_mismatch', 'Another secret does not verify.', {
    secrets: [OTHER_SECRET],
  }),
  delivery('secret-first-of-two', 'ok', 'During a rotation, the first secret verifies.', {
    secrets: [SECRET, OTHER_SECRET],
  }),
  delivery('secret-last-of-two', 'ok', 'During a rotation, the last secret verifies.', {
    secrets: [OTHER_SECRET, SECRET],
  }),
  delivery('secret-repeated', 'ok', 'A secret may be listed twice.', { secrets: [SECRET, SECRET] }),
  delivery('secret-none-of-two', 'signature_mismatch', 'One of the secrets must match.', {
    secrets: [OTHER_SECRET, `${SECRET}x`],
  }),
  delivery('secret-verbatim-newline', 'ok', 'White space is part of a secret.', {
    secrets: [`${SECRET}\n`],
    signedWith: `${SECRET}\n`,
  }),
  delivery(
    'secret-newline-added',
    'signature_mismatch',
    'Added white space makes another secret.',
    {
      secrets: [`${SECRET}\n`],
      mismatch: 'padded_secret',
    },
  ),
  delivery('secret-non-ascii', 'ok', 'A secret is encoded as UTF-8.', {
    secrets: ['clé 🔑'],
    signedWith: 'clé 🔑',
  }),
  delivery('secret-longer-than-block', 'ok', 'A secret may be longer than a block of SHA-256.', {
    secrets: ['k'.repeat(200)],
    signedWith: 'k'.repeat(200),
  }),
  delivery('secret-list-empty', 'missing_secret', 'At least one secret is required.', {
    secrets: [],
  }),
  ...['', ' ', '\t', '\r\n'].flatMap((blank, i) => [
    delivery(`secret-blank-${i}`, 'missing_secret', 'A blank secret counts as missing.', {
      secrets: [blank],
      signedWith: blank,
    }),
    delivery(`secret-one-blank-${i}`, 'missing_secret', 'No secret may be blank.', {
      secrets: [SECRET, blank],
    }),
  ]),
]
