import { isUnknownEvent } from '@support-chat/sdk/webhooks'
import type { Finding } from './types.ts'
import { type Acceptance, judge, statusOf, type Trial } from './verdict.ts'

/** Remarks about a delivery that is accepted. */
export async function remarks({ event }: Acceptance, trial: Trial): Promise<Finding[]> {
  return [
    await signer(trial),
    ...(isUnknownEvent(event) ? [UNKNOWN_KIND] : []),
    ...age(event.occurred_at, trial),
  ]
}

const UNKNOWN_KIND: Finding = {
  name: 'unknown_kind',
  text: 'The contract does not have this kind of event. Handle it as an unknown event.',
}

async function signer(trial: Trial): Promise<Finding> {
  const verdicts = await Promise.all(
    trial.secrets.map((secret) => judge({ ...trial, secrets: [secret] })),
  )
  const position = verdicts.findIndex(({ code }) => code === 'ok')
  const [newest, fitting] = [trial.secrets[0]?.name, trial.secrets[position]?.name]
  return position === 0
    ? { name: 'signature_right', text: `The signature matches ${fitting}.` }
    : {
        name: 'signature_of_older_secret',
        text: `The signature matches ${fitting}, not ${newest}. Keep ${fitting} until no more deliveries are signed with it.`,
      }
}

/** The default tolerance of other services, in milliseconds. */
const USUAL_TOLERANCE = 300_000

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 }

function age(occurredAt: string, { tolerance, now }: Trial): Finding[] {
  const ahead = Date.parse(occurredAt.toUpperCase()) - now()
  if (tolerance !== undefined || Math.abs(ahead) <= USUAL_TOLERANCE) return []
  return [
    {
      name: 'not_fresh',
      text: `occurred_at is ${relative(ahead)}. A receiver with a smaller tolerance refuses the delivery with stale_event (${statusOf('stale_event')}). Retries arrive many hours later, so set no tolerance.`,
    },
  ]
}

function relative(ahead: number): string {
  const names = Object.keys(UNITS) as (keyof typeof UNITS)[]
  const unit = names.find((name) => Math.abs(ahead) >= UNITS[name]) ?? 'minute'
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(ahead / UNITS[unit]), unit)
}
