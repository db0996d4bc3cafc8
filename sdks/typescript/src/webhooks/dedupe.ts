/**
 * Remembers which events are handled, so that a repeated delivery is handled once. Whatever a
 * method throws, or rejects with, makes the receiver ask for the delivery again.
 *
 * Events are handled at least once, not exactly once: a process may die between its work and
 * `done`. Let the work be idempotent, or commit it in one transaction with the store.
 */
export interface DedupeStore {
  /** Takes the lease of an event, unless the event is handled or someone holds its lease. */
  begin(id: string): DedupeLease | Promise<DedupeLease>
  /** The event is handled. Changes nothing where `token` is not that of the event's lease. */
  done(id: string, token: string): void | Promise<void>
  /** The event is not handled. Changes nothing where `token` is not that of the event's lease. */
  release(id: string, token: string): void | Promise<void>
}

/** What a store knows of an event. A new one is yours to handle, and `token` proves it. */
export type DedupeLease =
  | { readonly state: 'new'; readonly token: string }
  | { readonly state: 'in_progress' }
  | { readonly state: 'done' }
