import { delivery, envelope } from '../delivery.ts'
import { type EncodingName, encodings } from '../signed.ts'

const digestOf = (value: string) => value.slice('sha256='.length)

/** The base64 digest contains both characters in which the alphabets differ. */
const bothSpecial = {
  encoding: 'base64',
  body: { ...envelope, id: 'evt_special_2', data: {} },
} as const

const malformed: [id: string, make: (right: string) => string][] = [
  ['bare-digest', digestOf],
  ['prefix-alone', () => 'sha256='],
  ['prefix-without-equals', () => 'sha256'],
  ['equals-alone', () => '='],
  ['word', () => 'signature'],
  ['prefix-twice', (right) => `sha256=${right}`],
  ['space-before-equals', (right) => right.replace('=', ' =')],
  ['space-after-equals', (right) => right.replace('=', '= ')],
  ['space-inside', (right) => `${right.slice(0, 20)} ${right.slice(20)}`],
  ['newline-after', (right) => `${right}\n`],
  ['no-break-space-after', (right) => `${right}\u00a0`],
  ['quoted', (right) => `"${right}"`],
  ['hex-63', (right) => right.slice(0, -1)],
  ['hex-65', (right) => `${right}0`],
  ['hex-128', (right) => right + digestOf(right)],
  ['hex-with-prefix', (right) => right.replace('sha256=', 'sha256=0x')],
  ['hex-with-colons', (right) => `sha256=${digestOf(right).match(/../g)?.join(':')}`],
  ['hex-bad-digit', (right) => `${right.slice(0, -1)}g`],
  ['hex-non-ascii', () => `sha256=${'é'.repeat(64)}`],
  ['hex-fullwidth', () => `sha256=${'０'.repeat(64)}`],
  ['base64-42', () => `sha256=${'A'.repeat(42)}`],
  ['base64-padded-42', () => `sha256=${'A'.repeat(42)}=`],
  ['base64-two-paddings', () => `sha256=${'A'.repeat(43)}==`],
  ['base64-44-unpadded', () => `sha256=${'A'.repeat(44)}`],
  ['base64-45', () => `sha256=${'A'.repeat(45)}`],
  ['base64-mixed-alphabets', () => `sha256=${'A'.repeat(41)}+_`],
  ['base64-mixed-alphabets-padded', () => `sha256=${'A'.repeat(41)}/-=`],
  ['base64-padding-inside', () => `sha256=${'A'.repeat(20)}=${'A'.repeat(23)}`],
  ['base64-bad-character', () => `sha256=${'A'.repeat(42)}*`],
  ['algorithm-of-33', (right) => right.replace('sha256', 'a'.repeat(33))],
  ['algorithm-with-dot', (right) => right.replace('sha256', 'sha2.56')],
  ['algorithm-non-ascii', (right) => right.replace('sha256', 'shä256')],
]

const unsupported: [id: string, make: (right: string) => string][] = [
  ['sha1', (right) => right.replace('sha256', 'sha1')],
  ['sha512', (right) => right.replace('sha256', 'sha512')],
  ['upper-case', (right) => right.replace('sha256', 'SHA256')],
  ['hyphen', (right) => right.replace('sha256', 'sha-256')],
  ['underscore', (right) => right.replace('sha256', 'hmac_sha256')],
  ['versions', (right) => right.replace('sha256', 'v1')],
  ['empty', () => 'v1='],
  ['non-ascii-digest', () => `v1=${'é'.repeat(64)}`],
  ['one-letter', (right) => right.replace('sha256', 'a')],
  ['32-letters', (right) => right.replace('sha256', 'a'.repeat(32))],
  ['longer-name', (right) => right.replace('sha256', 'sha2567')],
]

const flip = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`

export const signatureCases = [
  ...(Object.keys(encodings) as EncodingName[]).flatMap((encoding) => [
    delivery(`encoding-${encoding}`, 'ok', 'The digest may have this encoding.', { encoding }),
    delivery(
      `encoding-${encoding}-other-secret`,
      'signature_mismatch',
      'The digest must match in this encoding.',
      {
        encoding,
        signedWith: 'another',
      },
    ),
  ]),
  delivery('encoding-hex-mixed-case', 'ok', 'Hex may mix upper and lower case.', {
    signature: (right) => right.replace(/[a-f](?=[^=]*$)/, (digit) => digit.toUpperCase()),
  }),
  delivery('encoding-base64-both-special', 'ok', 'Base64 has + and /.', bothSpecial),
  delivery('encoding-base64url-both-special', 'ok', 'The URL alphabet has - and _.', {
    ...bothSpecial,
    encoding: 'base64url',
  }),
  delivery('encoding-base64-swapped-case', 'signature_mismatch', 'Base64 is case-sensitive.', {
    encoding: 'base64',
    signature: (right) => right.replace(/[a-z](?=[^=]*=$)/, (letter) => letter.toUpperCase()),
  }),
  delivery(
    'encoding-base64-trailing-bits',
    'signature_mismatch',
    'The unused bits of the last base64 character must be zero.',
    {
      encoding: 'base64',
      signature: (right) => {
        const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
        const last = alphabet.indexOf(right.slice(-2, -1))
        return `${right.slice(0, -2)}${alphabet[last + 1]}=`
      },
    },
  ),
  ...[7, 38, 70].map((at) =>
    delivery(`digest-differs-at-${at}`, 'signature_mismatch', 'Every digit must match.', {
      signature: (right) => flip(right, at),
    }),
  ),
  delivery('digest-zeros', 'signature_mismatch', 'A well-formed digest must still match.', {
    signature: () => `sha256=${'0'.repeat(64)}`,
  }),
  ...malformed.map(([id, signature]) =>
    delivery(`malformed-${id}`, 'malformed_signature', 'The value must be sha256= and a digest.', {
      signature,
    }),
  ),
  ...unsupported.map(([id, signature]) =>
    delivery(`algorithm-${id}`, 'unsupported_algorithm', 'The only algorithm is sha256.', {
      signature,
    }),
  ),
]
