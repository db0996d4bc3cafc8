/** Checks of how soon the receiver responds, and for how long. */
import { judged, type Timings } from '../types.ts'
import type { Check } from './check.ts'
import { summary } from './events.ts'
import { type Exchange, isAccepted, type Stage, told } from './stage.ts'

export const TIMES: readonly Check[] = [
  {
    id: 'withstands-a-burst',
    title: 'Accepts many events at once',
    severity: 'major',
    meaning:
      'After an incident or a campaign, events come together. Those that wait for each other time out, and come again.',
    cure: 'Put the event into a queue, return 204, and work on it afterwards.',
    async play(stage) {
      const { burst } = stage.options.thresholds
      const list = Array.from({ length: burst }, () => stage.make.any())
      const answers = await Promise.all(list.map((made) => stage.deliver(made)))
      stage.forgive()
      return judged(answers.every(isAccepted), `${burst} events at once`, summary(list, answers))
    },
  },
  {
    id: 'responds-in-time',
    title: 'Responds before the service gives up',
    severity: 'critical',
    meaning:
      'The service waits 10 seconds (assumed). After that, it counts the event as not delivered and sends it again, although the receiver has handled it.',
    cure: 'Return 204 as soon as the event is stored, and do the work afterwards.',
    async play({ exchanges, options }) {
      const late = exchanges.filter(
        ({ answer }) => answer.status === null && /no complete response/.test(answer.reason ?? ''),
      )
      const sent = 'all requests of this run'
      const within = `within ${options.thresholds.attempt / 1000} s`
      const seen = late.length === 0 ? `every response ${within}` : `not every response ${within}`
      return judged(late.length === 0, sent, seen)
    },
  },
  {
    id: 'responds-quickly',
    title: 'Responds quickly',
    severity: 'major',
    meaning:
      'The receiver probably works on the event before it responds. Under load, or when the work takes longer, deliveries time out.',
    cure: 'Put the event into a queue, return 204, and work on it afterwards.',
    async play(stage) {
      const { quick } = stage.options.thresholds
      const isQuick = (timingsOf(stage)?.median ?? 0) < quick
      const seen = `half of the responses took ${isQuick ? 'less' : 'more'} than ${quick / 1000} s`
      return judged(isQuick, 'genuine events, one by one', seen)
    },
  },
  {
    id: 'stays-up',
    title: 'Still accepts events at the end',
    severity: 'critical',
    meaning: 'Something in this run stopped the receiver, and a stranger could do the same.',
    cure: 'Look into the log of the receiver for the last request before it stopped.',
    async play(stage) {
      // The receiver may still work on the many events at once.
      let answer = await stage.deliver(stage.make.any())
      for (let tries = 1; tries < stage.options.thresholds.silent && !isAccepted(answer); tries++)
        answer = await stage.deliver(stage.make.any())
      return judged(isAccepted(answer), 'a genuine event after all others', told(answer))
    },
  },
]

/** How long the responses to genuine events took that came one by one. */
export function timingsOf({ exchanges }: Pick<Stage, 'exchanges'>): Timings | null {
  const isMeasured = ({ purpose, answer }: Exchange) =>
    purpose === 'genuine' && answer.status !== null
  const times = exchanges.filter(isMeasured).map(({ answer }) => answer.ms)
  if (times.length === 0) return null
  const sorted = times.toSorted((one, other) => one - other)
  const [median = 0, slowest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return { count: times.length, median: Math.round(median), slowest: Math.round(slowest) }
}
