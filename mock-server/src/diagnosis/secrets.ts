import type { Guess, Secret } from './types.ts'

interface Change {
  name: string
  /** The explanation, which follows the name of the variable. */
  text: string
  undo(secret: string): string
}

/** How a secret changes between the service and the program. */
export const SECRET_CHANGES: readonly Change[] = [
  {
    name: 'secret_padded',
    text: 'has white space, a line break or a byte order mark around the secret. Store the secret without them: use printf %s instead of echo, or kubectl create secret --from-literal.',
    undo: (secret) => secret.trim(),
  },
  {
    name: 'secret_trimmed',
    text: 'has no line break at its end, but the secret of the sender has. The sender read it from a file or from echo. Remove the line break there.',
    undo: (secret) => `${secret}\n`,
  },
  {
    name: 'secret_quoted',
    text: 'has quotes around the secret. Some .env readers keep them, such as docker --env-file. Write the value without quotes.',
    undo: (secret) => secret.trim().replace(/^(["'`])(.*)\1$/s, '$2'),
  },
  {
    name: 'secret_with_escapes',
    text: 'contains \\n as two characters instead of a line break. Store the secret without it.',
    undo: (secret) => secret.replaceAll('\\n', '\n').trim(),
  },
  {
    name: 'secret_with_its_name',
    text: 'contains a whole assignment, NAME=value. Store only the part after the equals sign.',
    undo: (secret) => secret.trim().replace(/^(?:export\s+)?[A-Za-z_]\w*=(["']?)(.*)\1$/s, '$2'),
  },
  {
    name: 'secret_prefix_kept',
    text: 'starts with whsec_, but the sender signed without it. The key is the whole secret with its prefix. Correct the sender.',
    undo: (secret) => secret.trim().replace(/^whsec_/, ''),
  },
  {
    name: 'secret_prefix_stripped',
    text: 'does not have the prefix whsec_ of the secret. The key is the whole secret. Store it with the prefix.',
    undo: (secret) => `whsec_${secret.trim()}`,
  },
]

/** The secrets as they are, then the possible originals, without blank ones. */
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
