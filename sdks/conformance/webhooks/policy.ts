import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The causes of a mismatch that have a hint of their own. */
export type Mismatch = 'padded_secret' | 'byte_order_mark' | 'base64_body'

interface Policy {
  blank_characters: number[]
  failures: { code: string; hint: string }[]
  mismatches: Record<Mismatch, string>
}

const behavior = readFileSync(new URL('../../behavior.yaml', import.meta.url), 'utf8')
const { blank_characters, failures, mismatches } = (parse(behavior) as { webhooks: Policy })
  .webhooks

/** The characters of which a secret must not consist. */
export const blankCharacters = blank_characters.map((code) => String.fromCodePoint(code))

/** The hint of a refusal, which reads the same in every language. */
export function hintOf(code: string, mismatch?: Mismatch): string {
  if (mismatch) return mismatches[mismatch]
  const failure = failures.find((one) => one.code === code)
  if (!failure) throw new Error(`behavior.yaml has no failure ${code}`)
  return failure.hint
    .replaceAll('{header}', 'x-service-signature')
    .replaceAll('{event_header}', 'x-service-event')
    .replaceAll('{prefix}', 'sha256=')
}
