/** Kinds of events for tests that are about none of them, so that no kind of the contract is needed. */
import { eventKinds } from '@support-chat/sdk/webhooks'

const [kind, other, third] = eventKinds.toReversed()
if (!kind || !other || !third) throw new Error('the contract has fewer than three kinds of events')

export const KIND = kind
export const OTHER = other
export const THIRD = third

/** The kinds of a list that the contract has. */
export function known(kinds: readonly string[]): string[] {
  return kinds.filter((kind) => eventKinds.some((one) => one === kind))
}
