/** Deliveries in the format of the control API and `createMockServer`. */
import { timestamp } from '../sandbox/shapes.ts'
import type * as store from '../store/types.ts'

/** The most items that a list of the control API has. */
export const LISTED = 1000

export interface Attempt extends Omit<store.Attempt, 'at' | 'sent' | 'ms'> {
  /** When the attempt started (ISO 8601). */
  at: string
  /** How long it took; null where that is not known. */
  duration_ms: number | null
}

export interface Delivery extends Omit<store.Delivery, 'due_at' | 'attempts'> {
  /** The time of the next attempt; null if the delivery is not pending. */
  due_at: string | null
  attempts: Attempt[]
}

/** A delivery with the requests of its attempts. */
export interface WholeDelivery extends Delivery {
  url: string
  attempts: Array<Attempt & { request: { headers: Record<string, string>; body: string } | null }>
}

export function dated({ due_at: due, attempts, ...delivery }: store.Delivery): Delivery {
  return {
    ...delivery,
    due_at: due === null ? null : timestamp(due),
    attempts: attempts.map(({ at, ms = null, sent: _, ...attempt }) => ({
      ...attempt,
      at: timestamp(at),
      duration_ms: ms,
    })),
  }
}

/** @param body That of the event, which every attempt sends. */
export function whole(delivery: store.Delivery, url: string, body: string): WholeDelivery {
  const shown = dated(delivery)
  const attempts = shown.attempts.map((attempt, index) => {
    const headers = delivery.attempts[index]?.sent
    return { ...attempt, request: headers ? { headers, body } : null }
  })
  return { ...shown, url, attempts }
}
