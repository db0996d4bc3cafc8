import { eventKinds } from '@support-chat/sdk/webhooks'
import { InvalidArgumentError } from 'commander'

/** All kinds of events. */
export const KINDS: readonly string[] = eventKinds

/** Reads a comma-separated list of kinds. The option may be repeated. */
export function collectKinds(text: string, before: string[] = []): string[] {
  const kinds = text.split(',').map((kind) => kind.trim())
  const wrong = kinds.find((kind) => !KINDS.includes(kind))
  if (wrong !== undefined) {
    throw new InvalidArgumentError(
      `${JSON.stringify(wrong)} is not a kind of event. Use one of: ${KINDS.join(', ')}.`,
    )
  }
  return [...new Set([...before, ...kinds])]
}
