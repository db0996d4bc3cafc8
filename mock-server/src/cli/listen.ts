import { Command, InvalidArgumentError } from 'commander'
import type { LeasedDelivery } from '../delivery/listeners.ts'
import type { Result } from '../delivery/sender.ts'
import { EXIT } from './exit.ts'
import { collectKinds } from './kinds.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { print } from './output.ts'
import { reportingErrors } from './report.ts'

interface Options extends MockOptions {
  forwardTo: string
  events?: string[]
}

/** The command that forwards events to a local URL until it is stopped. */
export function listenCommand(exit: (code: number) => void): Command {
  const command = new Command('listen')
    .description('Forward events from a running mock server to a URL.')
    .requiredOption('--forward-to <url>', 'the URL of your receiver', parseUrl)
    .option('--events <kinds>', 'only these kinds, separated by commas', collectKinds)
  return withMock(command)
    .addHelpText(
      'after',
      `
Prints the signing secret, then one line for each delivery. The secret stays the same while the
server runs. The response of your receiver is the result of the attempt: a 5xx is retried, and
after five failed attempts the delivery is a dead letter. Deliveries wait while no listener is
connected. If the connection breaks, listen reconnects and forwards unfinished deliveries again,
with the same event ID.

Examples:
  $ support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks
  $ support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks \\
      --events conversation.created,conversation.handoff`,
    )
    .action((options: Options) =>
      reportingErrors(command, exit, async () => {
        await listen(options)
        exit(EXIT.ok)
      }),
    )
}

async function listen({ forwardTo, events, json, ...options }: Options): Promise<void> {
  const mock = new Mock(options)
  const { Forwarder } = await import('./forwarder.ts')
  const forwarder = new Forwarder({
    mock,
    forwardTo,
    events,
    onSecret: (secret) => {
      print(json ? JSON.stringify({ secret }) : `Signing secret: ${secret}`)
      if (!json) print(`Forwarding to ${forwardTo}. Stop with Ctrl+C.`)
    },
    onForwarded: (delivery, result, ms) => {
      const at = new Date().toISOString()
      print(json ? asJson(at, delivery, result, ms) : asLine(at, delivery, result, ms))
    },
    onLost: () => process.stderr.write(`Lost the connection to ${mock.url}. Reconnecting.\n`),
    onFound: () => process.stderr.write(`Reconnected to ${mock.url}.\n`),
  })
  const stop = () => {
    // The second signal finds no listener and ends the process at once.
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    forwarder.stop()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  await forwarder.run()
}

function asLine(
  at: string,
  { kind, event_id }: LeasedDelivery,
  result: Result,
  ms: number,
): string {
  const { status, reason } = result
  return `${at.slice(11, 19)} ${kind} ${event_id} → ${status ?? reason} (${ms} ms)`
}

function asJson(time: string, delivery: LeasedDelivery, result: Result, ms: number): string {
  const { id, event_id, kind } = delivery
  const { status, reason } = result
  return JSON.stringify({ time, id, event_id, kind, status, reason, ms })
}

function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:\/\//.test(text)) return text
  throw new InvalidArgumentError('Use a URL such as http://127.0.0.1:3000/webhooks.')
}
