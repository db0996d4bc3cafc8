/** Where a judgement depends on time or number. Wide enough for a machine that does other work. */
export interface Thresholds {
  /** How long the service waits for a response, in milliseconds (assumed). */
  attempt: number
  /** How long the median response of a receiver may take, in milliseconds. */
  quick: number
  /** How many events arrive at once. */
  burst: number
  /** The largest body that a receiver has to accept, in bytes: the limit of the SDKs. */
  body: number
  /** How long events that were accepted may take until they are handled, in milliseconds. */
  handled: number
  /** After how many responses in a row that did not come a receiver counts as gone. */
  silent: number
  /** How much earlier than `Retry-After` a retry may arrive, in milliseconds: clocks differ. */
  early: number
  /** The least pause before a retry, in milliseconds. */
  pause: number
  /** How many attempts of one call are too many. */
  attempts: number
  /** After how long a request with the same content is another call, in milliseconds. */
  retry: number
  /** How long a response is held back, in milliseconds. More than the timeout of the SDKs. */
  hold: number
  /** How long a run of a program may take, in milliseconds. */
  run: number
}

export const THRESHOLDS: Thresholds = {
  attempt: 10_000,
  quick: 2_000,
  burst: 25,
  body: 1_048_576,
  handled: 10_000,
  silent: 3,
  early: 100,
  pause: 100,
  attempts: 10,
  retry: 30_000,
  hold: 45_000,
  run: 180_000,
}
