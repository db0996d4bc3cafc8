/** Checks of events that come more than once. */
import { seededChance, waitAfter } from '../../delivery/schedule.ts'
import { judged, unseen } from '../types.ts'
import type { Check } from './check.ts'
import { type Answer, isAccepted, isFailure, isRefused, type Stage, told } from './stage.ts'

const AGAIN =
  'The service delivers at least once: it sends an event again where a response was lost. Anything but a status from 200 to 299 for it starts more attempts, or counts as a loss.'
const ACCEPT =
  'Look the event ID up after the signature is verified, and return 204 for one that was handled.'

export const REPEATS: readonly Check[] = [
  {
    id: 'accepts-duplicates',
    title: 'Accepts an event that comes again',
    severity: 'major',
    meaning: AGAIN,
    cure: ACCEPT,
    async play(stage) {
      const made = remembered(stage, 'later')
      const answers = [await stage.deliver(made), await stage.deliver(made)]
      return judged(answers.every(isAccepted), 'the same event twice', inTurn(answers))
    },
  },
  {
    id: 'accepts-duplicates-at-once',
    title: 'Accepts an event that comes twice at the same time',
    severity: 'major',
    meaning:
      'Two deliveries of an event can overlap. One may be refused for now, with a status of 500 or more, and must be accepted later. A status from 400 to 499 loses it where the other one fails.',
    cure: 'Return 503 while the event is being handled, and 204 once it was.',
    async play(stage) {
      const made = remembered(stage, 'at once')
      const answers = await Promise.all([stage.deliver(made), stage.deliver(made)])
      const isFine =
        answers.some(isAccepted) && !answers.some((one) => !isAccepted(one) && !isFailure(one))
      const last = await stage.deliver(made)
      const later = isAccepted(last) ? 'accepted later' : `${told(last)} later`
      const seen = isFine && isAccepted(last) ? later : `${inTurn(sorted(answers))}, ${later}`
      return judged(isFine && isAccepted(last), 'the same event twice at once, and again', seen)
    },
  },
  {
    id: 'accepts-five-attempts',
    title: 'Accepts all five attempts of an event whose responses are lost',
    severity: 'major',
    meaning: AGAIN,
    cure: ACCEPT,
    async play(stage) {
      const made = remembered(stage, 'attempts')
      const answers = await attempts(stage, async () => stage.deliver(made))
      const hours = Math.round(spanOf(answers.length) / 3_600_000)
      const sent = `${answers.length} attempts, which the service makes within ${hours} hours`
      return judged(answers.every(isAccepted), sent, inTurn(answers))
    },
  },
  {
    id: 'accepts-after-failure',
    title: 'Accepts an event again that it failed to handle',
    severity: 'critical',
    meaning: 'What the receiver fails to handle once is lost, although the service sends it again.',
    cure: 'Forget the ID of an event whose work failed, so that the next attempt does the work.',
    async play(stage) {
      const genuine = stage.exchanges.filter(({ purpose }) => purpose === 'genuine')
      const failed = genuine.filter(({ answer }) => isFailure(answer))
      const events = new Map(failed.map(({ made }) => [made.id, made]))
      for (const { made, answer } of genuine) if (isAccepted(answer)) events.delete(made.id)
      if (events.size === 0) return unseen('The receiver failed no event.')
      const answers: Answer[] = []
      for (const made of events.values()) answers.push(await stage.deliver(made))
      const sent = 'the events again that it had failed to handle'
      const refused = answers.filter(isRefused)
      if (refused.length === 0 && !answers.every(isAccepted))
        return unseen('The receiver fails the same events again. Other checks say so.')
      return judged(refused.length === 0, sent, refused.length > 0 ? inTurn(refused) : 'accepted')
    },
  },
]

/** A new event whose repetitions the effects are searched for. */
function remembered(stage: Stage, how: string) {
  const made = stage.make.any()
  stage.repeated.set(how, made)
  return made
}

const SCHEDULE = { timeScale: 1, chance: seededChance }

/** Makes attempts until the service would make no other. Nobody waits in between. */
async function attempts(stage: Stage, attempt: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  do answers.push(await attempt())
  while (waitAfter(answers.length, stage.exchanges.length, SCHEDULE) !== null)
  return answers
}

/** How long the service takes for so many attempts, in milliseconds. */
function spanOf(count: number): number {
  const waits = Array.from({ length: count - 1 }, (_, index) => {
    return waitAfter(index + 1, 0, { timeScale: 1, chance: () => 0.5 }) ?? 0
  })
  return waits.reduce((sum, wait) => sum + wait, 0)
}

function inTurn(answers: readonly Answer[]): string {
  return answers.every(isAccepted) ? 'all accepted' : answers.map(told).join(', then ')
}

function sorted(answers: readonly Answer[]): Answer[] {
  return answers.toSorted((one, other) => (one.status ?? 0) - (other.status ?? 0))
}
