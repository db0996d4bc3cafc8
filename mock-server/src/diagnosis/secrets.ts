import type { Guess, Secret } from './types.ts'

interface Change {
  name: string
  /** What it means, after the name of the variable. */
  text: string
  undo(secret: string): string
}

/** What happens to a secret between the service and the program. */
export const SECRET_CHANGES: readonly Change[] = [
  {
    name: 'secret_padded',
    text: 'has white space, a line break or a byte order mark around the secret. Store it without: printf %s instead of echo, kubectl create secret --from-literal.',
    undo: (secret) => secret.trim(),
  },
  {
    name: 'secret_trimmed',
    text: 'lacks a line break that the signing secret ends with: whoever signed read it from a file or from echo. Take the line break away there.',
    undo: (secret) => `${secret}\n`,
  },
  {
    name: 'secret_quoted',
    text: 'has quotes around the secret: what reads the .env file keeps them (docker --env-file does). Write the value without quotes.',
    undo: (secret) => secret.trim().replace(/^(["'`])(.*)\1$/s, '$2'),
  },
  {
    name: 'secret_with_escapes',
    text: 'holds \\n as two characters where a line break was meant. Store the secret without it.',
    undo: (secret) => secret.replaceAll('\\n', '\n').trim(),
  },
  {
    name: 'secret_with_its_name',
    text: 'holds a whole assignment, NAME=value. Store what stands behind the equals sign.',
    undo: (secret) => secret.trim().replace(/^(?:export\s+)?[A-Za-z_]\w*=(["']?)(.*)\1$/s, '$2'),
  },
  {
    name: 'secret_prefix_kept',
    text: 'begins with whsec_, but the signature was made without it. The whole secret is the key, the prefix included: mend whoever signs.',
    undo: (secret) => secret.trim().replace(/^whsec_/, ''),
  },
  {
    name: 'secret_prefix_stripped',
    text: 'lacks the whsec_ that its secret begins with. The whole secret is the key: store it with the prefix.',
    undo: (secret) => `whsec_${secret.trim()}`,
  },
]

/** The secrets as they are, then what they may have been; none of them is blank. */
export function keysFrom(secrets: readonly Secret[]): Guess<string>[] {
  const changed = secrets.flatMap((secret) =>
    SECRET_CHANGES.map(({ name, text, undo }) => ({
      value: undo(secret.value),
      finding: { name, text: `${secret.name} ${text}` },
    })),
  )
  return [...secrets.map(({ value }) => ({ value })), ...changed].filter(
    ({ value }) => value.trim() !== '',
  )
}
