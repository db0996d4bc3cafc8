import type { Check } from './check.ts'
import { EVENTS } from './events.ts'
import { HANDLED } from './handled.ts'
import { REPEATS } from './repeats.ts'
import { REQUESTS } from './requests.ts'
import { SIGNATURES } from './signatures.ts'
import { TIMES } from './times.ts'

/** All checks of a receiver, in the order in which they run. What only it can tell comes last. */
export const RECEIVER_CHECKS: readonly Check[] = [
  ...EVENTS,
  ...SIGNATURES,
  ...REPEATS,
  ...REQUESTS,
  ...TIMES,
  ...HANDLED,
]
