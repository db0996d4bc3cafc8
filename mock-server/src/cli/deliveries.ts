import { Command, Option } from 'commander'
import type { Delivery } from '../control/shown.ts'
import { STATES } from '../store/types.ts'
import { EXIT } from './exit.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { print, table } from './output.ts'
import { reportingErrors } from './report.ts'

interface Filter {
  state?: string
  kind?: string
  endpoint?: string
}

/** Adds the options that choose deliveries. */
export function withFilter(command: Command, states: readonly string[]): Command {
  return command
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(states))
    .option('--kind <kind>', 'only deliveries of this kind of event')
    .option('--endpoint <id>', 'only deliveries to this endpoint')
}

/** The options of a filter that were given. */
export function filterOf({ state, kind, endpoint }: Filter): Record<string, string> {
  return { ...(state && { state }), ...(kind && { kind }), ...(endpoint && { endpoint }) }
}

/** The command that lists deliveries. */
export function deliveriesCommand(exit: (code: number) => void): Command {
  const command = withFilter(
    new Command('deliveries').description('List deliveries and their results.'),
    STATES,
  )
  return withMock(command)
    .addHelpText(
      'after',
      `
Lists the newest 1,000 deliveries, newest first. A delivery is pending until an attempt succeeds.
It is dead after five failed attempts, or when the receiver refuses it. --json includes every
attempt.

Examples:
  $ support-chat-mock deliveries
  $ support-chat-mock deliveries --state dead --kind conversation.handoff`,
    )
    .action((options: Filter & MockOptions) =>
      reportingErrors(command, exit, async () => {
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
    return `No deliveries match. Leave out ${given} to list all.`
  }
  if (deliveries.length === 0) {
    return 'No deliveries. Add an endpoint with `support-chat-mock listen --forward-to URL`.'
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
