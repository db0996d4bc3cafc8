import { eventKinds, type KnownEvent } from '../generated/events.js'

/** The event of a delivery. `event` is its kind, and determines the type of `data`. */
export type WebhookEvent = KnownEvent | UnlistedEvent

/** An event of a kind that is newer than this package. */
export interface UnknownEvent {
  event: string
  /** Identifies the event. A repeated delivery carries the same identifier. */
  id: string
  /** When it happened, as RFC 3339. */
  occurred_at: string
  data: Record<string, unknown>
}

/**
 * An unknown event among the known ones. To TypeScript its kind is an opaque literal. If it were
 * `string`, a comparison of `event` with a known kind would not narrow the type of `data`. To compare
 * it with a kind that this package does not know, assign it to a `string`.
 *
 * @example
 * const kind: string = event.event
 * if (isUnknownEvent(event) && kind === 'thing.archived') console.log(event.data)
 */
export interface UnlistedEvent extends UnknownEvent {
  event: Unlisted
}

declare enum Unlisted {
  Kind = '(a kind that is newer than this package)',
}

/** Whether the kind of an event is newer than this package. */
export function isUnknownEvent(event: WebhookEvent | UnknownEvent): event is UnlistedEvent {
  return !eventKinds.includes(event.event as KnownEvent['event'])
}
