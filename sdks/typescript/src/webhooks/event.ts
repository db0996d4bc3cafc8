import { eventKinds, type KnownEvent } from '../generated/events.js'

/** The event of a delivery. `event` is its kind, and determines the type of `data`. */
export type Event = KnownEvent | UnknownEvent

/** An event of a kind that is newer than this package. */
export interface UnknownEvent {
  event: UnknownEventKind
  /** Identifies the event. A repeated delivery carries the same identifier. */
  id: string
  /** When it happened, as RFC 3339. */
  occurred_at: string
  data: Record<string, unknown>
}

/**
 * A string that is none of the known kinds. To TypeScript it is an opaque literal. If it were
 * `string`, a comparison of `event` with a known kind would not narrow the type of `data`.
 */
export type UnknownEventKind = Unlisted

declare enum Unlisted {
  Kind = '(a kind that is newer than this package)',
}

/** Whether the kind of an event is newer than this package. */
export function isUnknownEvent(event: Event): event is UnknownEvent {
  return !eventKinds.includes(event.event as KnownEvent['event'])
}
