import { Command } from 'commander'
import type { Delivery } from '../control/shown.ts'
import { filterOf, withFilter } from './deliveries.ts'
import { EXIT } from './exit.ts'
import { InputError } from './inputs.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { print } from './output.ts'
import { reportingErrors } from './report.ts'

interface Options extends MockOptions {
  all?: true
  state?: string
  kind?: string
  endpoint?: string
}

/** The command that replays deliveries. */
export function replayCommand(exit: (code: number) => void): Command {
  const command = new Command('replay')
    .description('Replay one delivery or many.')
    .argument('[id]', 'the ID of a delivery; the command `deliveries` lists them')
    .option('--all', 'all dead deliveries, or those that match the filter options')
  withFilter(command, ['succeeded', 'dead'])
  return withMock(command)
    .addHelpText(
      'after',
      `
A replayed delivery gets up to five new attempts. The first starts immediately. The event ID stays
the same, so a receiver that already handled the event ignores it. A pending delivery cannot be
replayed, because it will be retried anyway.

Examples:
  $ support-chat-mock replay dlv_7
  $ support-chat-mock replay --all
  $ support-chat-mock replay --all --state succeeded --kind conversation.handoff`,
    )
    .action((id: string | undefined, options: Options) =>
      reportingErrors(command, exit, async () => {
        print(await replay(id, options))
        exit(EXIT.ok)
      }),
    )
}

async function replay(id: string | undefined, options: Options): Promise<string> {
  const { all, json } = options
  const filter = filterOf(options)
  if ((id === undefined) === (all === undefined)) {
    throw new InputError('Give either the ID of a delivery or --all.')
  }
  if (id !== undefined && Object.keys(filter).length > 0) {
    throw new InputError('--state, --kind and --endpoint need --all. Remove them or the ID.')
  }
  const mock = new Mock(options)
  if (id === undefined) {
    const response = await mock.post<{ replayed: number }>('/_mock/replay', filter)
    const { replayed } = response
    return json
      ? JSON.stringify(response)
      : `Replaying ${replayed} ${replayed === 1 ? 'delivery' : 'deliveries'}.`
  }
  const path = `/_mock/deliveries/${encodeURIComponent(id)}/replay`
  const delivery = await mock.post<Delivery>(path, {})
  return json ? JSON.stringify(delivery) : `Replaying ${id}: ${delivery.kind} ${delivery.event_id}.`
}
