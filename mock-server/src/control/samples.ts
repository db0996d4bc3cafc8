import { fakeEvent } from '@support-chat/sdk/testing'
import type { EventKind } from '@support-chat/sdk/webhooks'

/** The data of the contract's example of a kind, with other data merged into it. */
export function fakeData(
  kind: EventKind,
  data: Record<string, unknown> = {},
): Record<string, unknown> {
  return { ...fakeEvent(kind, { data }).data }
}
