import type { Job, Outcome, State } from '../store/types.ts'
import { type Schedule, waitAfter } from './schedule.ts'
import type { Sent } from './sender.ts'

export interface OutcomeOptions {
  schedule: Schedule
  now: () => number
}

/** What an attempt comes to. @param at When it began, by the clock of the sandbox. */
export function outcomeOf(
  job: Job,
  at: number,
  { retry, ...result }: Sent,
  { schedule, now }: OutcomeOptions,
): Outcome {
  const wait = retry ? waitAfter(job.attempted + 1, job.delivery, schedule) : null
  const failed: State = wait === null ? 'dead' : 'pending'
  return {
    job,
    attempt: { at, ...result },
    state: result.reason === null ? 'succeeded' : failed,
    due: wait === null ? null : now() + wait,
  }
}
