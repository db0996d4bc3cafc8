/**
 * Remembers the handled events, so that each is handled once. When a method throws or rejects, the
 * service delivers the event again.
 *
 * Events are handled at least once, not exactly once: a process may die before it calls `done`. Make
 * the handler idempotent, or commit its work and `done` in one transaction.
 */
export interface DedupeStore {
  /** Takes the lease of an event, unless the event is handled or its lease is taken. */
  begin(id: string): DedupeLease | Promise<DedupeLease>
  /** Marks an event as handled. Does nothing where `token` is not that of its lease. */
  done(id: string, token: string): void | Promise<void>
  /** Returns the lease of an event. Does nothing where `token` is not that of the lease. */
  release(id: string, token: string): void | Promise<void>
}

/**
 * The state of an event in a store. A new one is to be handled, and `token` identifies its lease. For
 * one in progress, `holder` names the process that has the lease, where the store knows it.
 */
export type DedupeLease =
  | { readonly state: 'new'; readonly token: string }
  | { readonly state: 'in_progress'; readonly holder?: string }
  | { readonly state: 'done' }
