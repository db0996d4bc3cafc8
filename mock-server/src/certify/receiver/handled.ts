/** Checks of what the receiver did, which only it can tell. */
import { type Judgement, judged, unobservable, unseen } from '../types.ts'
import type { Check } from './check.ts'
import { EffectsError, type Handled } from './effects.ts'
import { isAccepted, type Stage } from './stage.ts'

const TWICE =
  'A conversation is handed off twice, a customer gets two messages, or a number is counted twice.'
const ONCE =
  'Store the event ID in the transaction of the work, with a unique key. Do the work only where the ID was new.'

export const HANDLED: readonly Check[] = [
  {
    id: 'handles-duplicates-once',
    title: 'Handles an event once that comes again later',
    severity: 'critical',
    meaning: TWICE,
    cure: ONCE,
    play: (stage) => once(stage, 'later', 'the same event twice'),
  },
  {
    id: 'handles-duplicates-at-once-once',
    title: 'Handles an event once that comes twice at the same time',
    severity: 'critical',
    meaning: `${TWICE} A look into a table does not help where both deliveries look before either writes.`,
    cure: ONCE,
    play: (stage) => once(stage, 'at once', 'the same event twice at once'),
  },
  {
    id: 'handles-attempts-once',
    title: 'Handles an event once whose responses are lost',
    severity: 'critical',
    meaning: TWICE,
    cure: ONCE,
    play: (stage) => once(stage, 'attempts', 'five attempts of an event'),
  },
  {
    id: 'handles-what-it-accepts',
    title: 'Handles every event that it accepts',
    severity: 'critical',
    meaning:
      'The service does not send an event again that was accepted. An event that was not handled is lost.',
    cure: 'Return a status from 200 to 299 only after the event is stored where a restart does not lose it.',
    async play(stage) {
      const handled = await handledBy(stage)
      if ('verdict' in handled) return handled
      const lost = acceptedOf(stage).filter((id) => !handled.has(id))
      const seen = lost.length === 0 ? 'all handled' : `${lost.length} not handled`
      return judged(lost.length === 0, `${acceptedOf(stage).length} events that it accepted`, seen)
    },
  },
  {
    id: 'handles-no-forgery',
    title: 'Does nothing for a forged event',
    severity: 'critical',
    meaning: 'The work is done before the signature is verified, so that anybody can start it.',
    cure: 'Verify the signature first, and return without doing anything else where it is wrong.',
    async play(stage) {
      const handled = await handledBy(stage)
      if ('verdict' in handled) return handled
      const forged = idsOf(stage, ({ purpose }) => purpose === 'forged')
      const done = forged.filter((id) => handled.has(id))
      const seen = done.length === 0 ? 'none handled' : `${done.length} handled`
      return judged(done.length === 0, 'the forged events above', seen)
    },
  },
]

const UNTOLD = unobservable(
  'Pass --effects with a URL that lists the IDs of the events that the receiver has handled.',
)

async function once(stage: Stage, how: string, sent: string): Promise<Judgement> {
  const handled = await handledBy(stage)
  if ('verdict' in handled) return handled
  const made = stage.repeated.get(how)
  const isAcceptedOnce = acceptedOf(stage).some((id) => id === made?.id)
  if (!made || !isAcceptedOnce) return unseen('The receiver did not accept the event.')
  const times = handled.get(made.id) ?? 0
  const seen = times === 1 ? 'handled once' : times === 0 ? 'not handled' : 'handled more than once'
  return judged(times === 1, sent, seen)
}

const known = new WeakMap<Stage, Promise<Handled | Judgement>>()

/** What was handled after all was sent, or why that is not known. */
async function handledBy(stage: Stage): Promise<Handled | Judgement> {
  const { effects, thresholds } = stage.options
  if (!effects) return UNTOLD
  const read = () => effects.settled(acceptedOf(stage), thresholds.handled).catch(unreadable)
  const found = known.get(stage) ?? read()
  known.set(stage, found)
  return found
}

function unreadable(error: unknown): Judgement {
  if (error instanceof EffectsError) return unobservable(error.message)
  throw error
}

/** The events of known kinds that were accepted: nobody has to handle others. */
function acceptedOf(stage: Stage): string[] {
  return idsOf(stage, ({ purpose, answer, made }) => {
    return purpose === 'genuine' && isAccepted(answer) && stage.kinds.includes(made.kind)
  })
}

function idsOf(stage: Stage, isMeant: (exchange: Stage['exchanges'][number]) => boolean): string[] {
  return [...new Set(stage.exchanges.filter(isMeant).map(({ made }) => made.id))]
}
