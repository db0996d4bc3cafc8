import { fakeEvent } from '@support-chat/sdk/testing'
import type { EventKind } from '@support-chat/sdk/webhooks'
import { transcriptUrl } from '../sandbox/shapes.ts'

/**
 * The data of the contract's example of a kind, with other data merged into it. A transcript URL
 * points to this server and to the conversation of the event.
 */
export function fakeData(
  kind: EventKind,
  given: Record<string, unknown> = {},
  baseUrl: string,
): Record<string, unknown> {
  const data: Record<string, unknown> = { ...fakeEvent(kind, { data: given }).data }
  const { conversation_id: id } = data
  const isExample = 'transcript_url' in data && !('transcript_url' in given)
  if (isExample && typeof id === 'string') data.transcript_url = transcriptUrl(baseUrl, id)
  return data
}
