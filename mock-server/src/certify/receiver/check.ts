import type { CheckFacts, Judgement } from '../types.ts'
import type { Stage } from './stage.ts'

/** A check of a receiver, and how it is made. They run in the order of their table. */
export interface Check extends CheckFacts {
  play: (stage: Stage) => Promise<Judgement>
}
