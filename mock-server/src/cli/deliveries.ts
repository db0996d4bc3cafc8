import { Command, Option } from 'commander'
import type { Delivery } from '../control/shown.ts'
import { STATES } from '../store/types.ts'
import { EXIT } from './exit.ts'
import { KINDS } from './kinds.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { print, table } from './output.ts'
import { told } from './told.ts'

interface Filter {
  state?: string
  kind?: string
  endpoint?: string
}

/** Adds the options that choose deliveries. */
export function withFilter(command: Command, states: readonly string[]): Command {
  return command
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .addOption(new Option('--kind <kind>', 'only those of events of this kind').choices(KINDS))
    .option('--endpoint <id>', 'only those to this endpoint')
}

/** What was given of a filter. */
export function filterOf({ state, kind, endpoint }: Filter): Record<string, string> {
  return { ...(state && { state }), ...(kind && { kind }), ...(endpoint && { endpoint }) }
}

/** The command that shows what was sent. */
export function deliveriesCommand(exit: (code: number) => void): Command {
  const command = withFilter(
    new Command('deliveries').description('Show what was sent, and what came of it.'),
    STATES,
  )
  return withMock(command)
    .addHelpText(
      'after',
      `
The newest stand first, 1,000 at most. A delivery is pending until an attempt succeeds; it is dead
when the fifth one failed or the receiver refused it. --json shows every attempt.

Examples:
  $ support-chat-mock deliveries
  $ support-chat-mock deliveries --state dead --kind conversation.handoff`,
    )
    .action((options: Filter & MockOptions) =>
      told(command, exit, async () => {
        const filter = filterOf(options)
        const query = new URLSearchParams(filter)
        const { data } = await new Mock(options).get<{ data: Delivery[] }>(
          `/_mock/deliveries?${query}`.replace(/\?$/, ''),
        )
        print(options.json ? JSON.stringify(data) : inWords(data, Object.keys(filter)))
        exit(EXIT.ok)
      }),
    )
}

function inWords(deliveries: readonly Delivery[], filters: readonly string[]): string {
  if (deliveries.length === 0 && filters.length > 0) {
    const given = filters.map((name) => `--${name}`).join(' and ')
    return `No deliveries are like that. Leave out ${given} to see all.`
  }
  if (deliveries.length === 0) {
    return 'No deliveries. Events go to endpoints: add one with `support-chat-mock listen --forward-to URL`.'
  }
  const headings = ['ID', 'KIND', 'EVENT', 'ENDPOINT', 'STATE', 'ATTEMPTS', 'LAST', 'RESULT']
  return table(
    headings,
    deliveries.map(({ id, kind, event_id, endpoint_id, state, attempts }) => {
      const last = attempts.at(-1)
      const result = last ? (last.reason ?? String(last.status)) : ''
      const at = last?.at.slice(0, 19).replace('T', ' ') ?? ''
      return [id, kind, event_id, endpoint_id, state, String(attempts.length), at, result]
    }),
  )
}
