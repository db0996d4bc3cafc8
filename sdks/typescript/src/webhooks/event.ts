import { eventKinds, type KnownEvent } from '../generated/events.js'

/** What a delivery holds. `event` tells the kinds apart, with `data` typed accordingly. */
export type Event = KnownEvent | UnknownEvent

/** An event of a kind that is newer than this package, as it came. */
export interface UnknownEvent {
  event: UnknownEventKind
  /** Identifies the event. A repeated delivery carries the same identifier. */
  id: string
  /** When it happened, as RFC 3339. */
  occurred_at: string
  data: Record<string, unknown>
}

/**
 * A string that is none of the known kinds. To TypeScript it is one opaque literal: with `string`
 * instead, comparing `event` with a known kind could not rule this event out, and the type of
 * `data` would stay open.
 */
export type UnknownEventKind = Unlisted

declare enum Unlisted {
  Kind = '(a kind that this package does not know)',
}

/** Whether an event is of a kind that this package does not know. */
export function isUnknownEvent(event: Event): event is UnknownEvent {
  return !eventKinds.includes(event.event as KnownEvent['event'])
}
