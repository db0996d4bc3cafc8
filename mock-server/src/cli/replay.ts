import { Command } from 'commander'
import type { Delivery } from '../control/shown.ts'
import { filterOf, withFilter } from './deliveries.ts'
import { EXIT } from './exit.ts'
import { InputError } from './inputs.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { print } from './output.ts'
import { told } from './told.ts'

interface Options extends MockOptions {
  all?: true
  state?: string
  kind?: string
  endpoint?: string
}

/** The command that sends deliveries again. */
export function replayCommand(exit: (code: number) => void): Command {
  const command = new Command('replay')
    .description('Send deliveries again, one or many.')
    .argument('[id]', 'the delivery, as `deliveries` shows it')
    .option('--all', 'all dead ones, or those that the following options choose')
  withFilter(command, ['succeeded', 'dead'])
  return withMock(command)
    .addHelpText(
      'after',
      `
A delivery gets a new cycle of up to five attempts, the first of them at once, with the same event
id: a receiver that handled the event before takes it for a repeat. What is pending is tried
again anyway, and refused here.

Examples:
  $ support-chat-mock replay dlv_7
  $ support-chat-mock replay --all
  $ support-chat-mock replay --all --state succeeded --kind conversation.handoff`,
    )
    .action((id: string | undefined, options: Options) =>
      told(command, exit, async () => {
        print(await replay(id, options))
        exit(EXIT.ok)
      }),
    )
}

async function replay(id: string | undefined, options: Options): Promise<string> {
  const { all, json } = options
  const filter = filterOf(options)
  if ((id === undefined) === (all === undefined)) {
    throw new InputError('Name one delivery, or give --all.')
  }
  if (id !== undefined && Object.keys(filter).length > 0) {
    throw new InputError('--state, --kind and --endpoint choose among --all.')
  }
  const mock = new Mock(options)
  if (id === undefined) {
    const answer = await mock.post<{ replayed: number }>('/_mock/replay', filter)
    const { replayed } = answer
    return json
      ? JSON.stringify(answer)
      : `${replayed} ${replayed === 1 ? 'delivery is' : 'deliveries are'} sent again.`
  }
  const path = `/_mock/deliveries/${encodeURIComponent(id)}/replay`
  const delivery = await mock.post<Delivery>(path, {})
  return json
    ? JSON.stringify(delivery)
    : `${id} is sent again: ${delivery.kind} ${delivery.event_id}.`
}
