/** What is traced of a server: each request, each event that it makes, and each attempt to deliver the event. */
import type { Sent } from '../delivery/sender.ts'
import type { Handler } from '../door/message.ts'
import type { Change, Job } from '../store/types.ts'

export interface Tracer {
  /** Makes a handler trace its requests, but those of monitoring. */
  serving(handler: Handler, isMonitoring: (target: string) => boolean): Handler
  /** Commits a change, whose events keep their place in the trace. */
  committing(change: Change, commit: (change: Change) => Promise<void>): Promise<void>
  /** Makes an attempt, in the trace of its event. */
  attempting(job: Job, attempt: () => Promise<Sent | null>): Promise<Sent | null>
  /** Does work that no request waits for, outside of any trace. */
  apart<T>(work: () => T): T
  /** Where in which trace this is, for the log. */
  place(): { trace_id: string; span_id: string } | undefined
  /** Sends what is not sent yet, for a few seconds at most. */
  stop(): Promise<void>
}

/** Traces nothing. */
export const UNTRACED: Tracer = {
  serving: (handler) => handler,
  committing: (change, commit) => commit(change),
  attempting: (_, attempt) => attempt(),
  apart: (work) => work(),
  place: () => undefined,
  stop: async () => {},
}
