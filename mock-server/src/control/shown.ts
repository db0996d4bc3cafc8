/** Deliveries in the format of the control API and `createMockServer`. */
import { timestamp } from '../sandbox/shapes.ts'
import type * as store from '../store/types.ts'

/** The most items that a list of the control API has. */
export const LISTED = 1000

export interface Attempt extends Omit<store.Attempt, 'at'> {
  /** When the attempt started (ISO 8601). */
  at: string
}

export interface Delivery extends Omit<store.Delivery, 'due_at' | 'attempts'> {
  /** The time of the next attempt; null if the delivery is not pending. */
  due_at: string | null
  attempts: Attempt[]
}

export function dated(delivery: store.Delivery): Delivery {
  const attempts = delivery.attempts.map((attempt) => ({ ...attempt, at: timestamp(attempt.at) }))
  const { due_at: due } = delivery
  return { ...delivery, due_at: due === null ? null : timestamp(due), attempts }
}
