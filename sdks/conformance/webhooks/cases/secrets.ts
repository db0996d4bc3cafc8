import { delivery, OTHER_SECRET, SECRET } from '../delivery.ts'
import { blankCharacters } from '../policy.ts'

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
  ...blankCharacters.map((blank) =>
    delivery(`secret-blank-${codeOf(blank)}`, 'missing_secret', 'White space is blank.', {
      secrets: [SECRET, blank],
    }),
  ),
  delivery('secret-blank-mixed', 'missing_secret', 'All kinds of white space are blank.', {
    secrets: [blankCharacters.join('')],
    signedWith: blankCharacters.join(''),
  }),
  ...['\u0000', '\u001b', '\u180e', '\u200b', '\u2060'].map((character) =>
    delivery(`secret-of-${codeOf(character)}`, 'ok', 'Other invisible characters are not blank.', {
      secrets: [character],
      signedWith: character,
    }),
  ),
  ...['\u001c', '\u0085', '\ufeff'].map((blank) =>
    delivery(
      `secret-padded-${codeOf(blank)}`,
      'signature_mismatch',
      'White space around a secret is named as the probable cause.',
      { secrets: [blank + SECRET], mismatch: 'padded_secret' },
    ),
  ),
]

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}
