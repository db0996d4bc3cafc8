/** Checks of what a genuine event may be. */
import { type Judgement, judged, unobservable } from '../types.ts'
import type { Check } from './check.ts'
import type { Made } from './maker.ts'
import { type Answer, isAccepted, type Stage, told } from './stage.ts'

export const EVENTS: readonly Check[] = [
  {
    id: 'responds',
    title: 'Responds to an event',
    severity: 'critical',
    meaning: 'Nothing arrives. The service makes five attempts, and then the event is lost.',
    cure: 'Start the receiver, and pass the URL at which it listens, with its path.',
    async play(stage) {
      const answer = await stage.deliver(stage.make.any())
      return judged(answer.status !== null, 'a signed event', told(answer))
    },
  },
  {
    id: 'accepts-every-kind',
    title: 'Accepts a genuine event of every kind',
    severity: 'critical',
    meaning: 'Events of the service are lost. A redirect is not followed, and loses the event too.',
    cure: 'Check that the receiver has the secret of its endpoint, reads the raw body, and returns a status from 200 to 299 for every kind.',
    async play(stage) {
      const conversation = stage.make.conversation()
      const list = stage.kinds.map((kind) => stage.make.of(kind, conversation))
      return accepts(stage, 'a signed event of each kind', list)
    },
  },
  {
    id: 'accepts-unknown-kinds',
    title: 'Accepts kinds of events that the contract does not have',
    severity: 'major',
    meaning:
      'The service will get new kinds. A receiver that fails on them is called five times for each, and one that refuses them loses them.',
    cure: 'Return 204 for kinds that you do not handle, and log them.',
    play: (stage) => accepts(stage, 'a signed event of an unknown kind', [stage.make.unknown()]),
  },
  {
    id: 'accepts-unknown-fields',
    title: 'Accepts fields that the contract does not have',
    severity: 'major',
    meaning: 'A new field in an event would stop the receiver.',
    cure: 'Read the fields that you need, and ignore all others. Do not let a schema refuse additional properties.',
    async play(stage) {
      const conversation = stage.make.conversation()
      const list = stage.kinds.map((kind) => stage.make.withFields(kind, conversation))
      return accepts(stage, 'events with an unknown field in each object', list)
    },
  },
  {
    id: 'accepts-unknown-values',
    title: 'Accepts values that the contract does not list',
    severity: 'major',
    meaning: 'A new status or type in an event would stop the receiver.',
    cure: 'Give every choice between values a default. Do not let a schema or an enum refuse new ones.',
    async play(stage) {
      const conversation = stage.make.conversation()
      const list = stage.kinds.flatMap((kind) => stage.make.withValues(kind, conversation) ?? [])
      if (list.length === 0) return unobservable('The events of this contract list no values.')
      return accepts(stage, 'events with unknown values', list)
    },
  },
  {
    id: 'accepts-any-order',
    title: 'Accepts the events of a conversation in any order',
    severity: 'major',
    meaning:
      'The service promises no order: a retry arrives after later events. A receiver that needs an order loses events.',
    cure: 'Handle each event by itself: create what it refers to if it is missing, and compare occurred_at before you overwrite newer data.',
    async play(stage) {
      const conversation = stage.make.conversation()
      const now = Date.now()
      const list = stage.kinds.map((kind, index) => stage.make.of(kind, conversation, now + index))
      return accepts(stage, 'the events of one conversation, the last one first', list.reverse())
    },
  },
  {
    id: 'accepts-late-events',
    title: 'Accepts an event that happened many hours ago',
    severity: 'major',
    meaning:
      'The fifth attempt comes up to 24 hours after the event. A receiver that refuses old events loses what it failed to handle.',
    cure: 'Turn off the tolerance for the time of events, or set it to more than 24 hours. The event ID stops replays.',
    play: (stage) =>
      accepts(stage, 'an event from 23 hours ago', [stage.make.any(Date.now() - LATE)]),
  },
]

const LATE = 23 * 3_600_000

/** Sends events one by one, all of which have to be accepted. */
async function accepts(stage: Stage, sent: string, list: readonly Made[]): Promise<Judgement> {
  const answers: Answer[] = []
  for (const made of list) answers.push(await stage.deliver(made))
  return judged(answers.every(isAccepted), sent, summary(list, answers))
}

/** What came back, with the kinds of those that were not accepted. */
export function summary(list: readonly Made[], answers: readonly Answer[]): string {
  const failed = list.flatMap(({ kind }, index) => {
    const answer = answers[index]
    return answer && !isAccepted(answer) ? [`${kind}: ${told(answer)}`] : []
  })
  if (failed.length === 0) return list.length === 1 ? 'accepted' : `all ${list.length} accepted`
  if (list.length === 1) return failed[0] ?? ''
  return `${failed.length} of ${list.length} not accepted (${[...new Set(failed)].join('; ')})`
}
