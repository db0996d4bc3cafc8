import { eventKinds } from '@support-chat/sdk/webhooks'
import { InvalidArgumentError } from 'commander'

/** The kinds of events that there are. */
export const KINDS: readonly string[] = eventKinds

/** Reads kinds with commas between them; the option may be repeated. */
export function collectKinds(text: string, before: string[] = []): string[] {
  const kinds = text.split(',').map((kind) => kind.trim())
  const wrong = kinds.find((kind) => !KINDS.includes(kind))
  if (wrong !== undefined) {
    throw new InvalidArgumentError(
      `There is no kind ${JSON.stringify(wrong)}; there are ${KINDS.join(', ')}.`,
    )
  }
  return [...new Set([...before, ...kinds])]
}
