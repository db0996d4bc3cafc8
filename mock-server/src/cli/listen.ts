import { Command, InvalidArgumentError } from 'commander'
import type { LeasedDelivery } from '../delivery/listeners.ts'
import type { Result } from '../delivery/sender.ts'
import { EXIT } from './exit.ts'
import { collect, InputError, readHeaders, readSecret, refuseSecrets } from './inputs.ts'
import { collectKinds } from './kinds.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { judged, print } from './output.ts'
import { reportingErrors } from './report.ts'

interface Options extends MockOptions {
  forwardTo?: string
  events?: string[]
  header?: string[]
  secretEnv?: string
  printSecret?: true
  printJson?: true
  skipVerify?: true
}

/** The command that forwards events to a local URL until it is stopped. */
export function listenCommand(exit: (code: number) => void): Command {
  const command = new Command('listen')
    .description('Forward events from a running mock server to a URL.')
    .option('--forward-to <url>', 'the URL of your receiver', parseUrl)
    .option('--events <kinds>', 'only these kinds, separated by commas', collectKinds)
    .option('-H, --header <line>', "a header 'name: value' to add; may be repeated", collect)
    .option('--secret-env <name>', 'the variable that holds the signing secret to use')
    .option('--print-secret', 'print the signing secret, and end')
    .option('--print-json', 'print the body of each event too')
    .option('--skip-verify', 'accept any certificate of your receiver')
  refuseSecrets(command)
  return withMock(command)
    .addHelpText(
      'after',
      `
Prints the signing secret, then one line for each delivery. The secret stays the same for a key on
this machine, also after a restart of the server. The response of your receiver is the result of the attempt: a 5xx is retried, and
after five failed attempts the delivery is a dead letter. Deliveries wait while no listener is
connected. If the connection breaks, listen reconnects and forwards unfinished deliveries again,
with the same event ID.

Examples:
  $ support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks
  $ support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks \\
      --events conversation.created,conversation.handoff
  $ export SUPPORT_CHAT_WEBHOOK_SECRET=$(support-chat-mock listen --print-secret)`,
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
  const secret = secretOf(options)
  if (options.printSecret) return printSecret(mock, secret, json)
  if (forwardTo === undefined)
    throw new InputError('Name your receiver: --forward-to http://127.0.0.1:3000/webhooks.')
  const headers = Object.fromEntries(await readHeaders(options.header ?? []))
  const { Forwarder } = await import('./forwarder.ts')
  const forwarder = new Forwarder({
    mock,
    forwardTo,
    events,
    secret,
    headers: trimmed(headers),
    skipVerify: options.skipVerify === true,
    onSecret: (secret) => {
      print(json ? JSON.stringify({ secret }) : `Signing secret: ${secret}`)
      if (!json) print(`Forwarding to ${forwardTo}. Stop with Ctrl+C.`)
    },
    onForwarded: (delivery, result, ms) => {
      const at = new Date().toISOString()
      const shown = options.printJson ? delivery.body : undefined
      if (json) return print(asJson(at, delivery, result, ms, shown))
      if (shown !== undefined) print(shown)
      print(asLine(at, delivery, result, ms))
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

/** @throws {InputError} for a variable that is not set or blank */
function secretOf({ secretEnv }: Options): string | undefined {
  if (secretEnv === undefined) return undefined
  const { name, value } = readSecret(secretEnv)
  if (value.trim() === '') throw new InputError(`${name} is blank. Set it to the signing secret.`)
  return value
}

/** Prints nothing else, for `$(…)`. */
async function printSecret(mock: Mock, given: string | undefined, json: true | undefined) {
  const { secret } =
    given === undefined
      ? await mock.post<{ secret: string }>('/_mock/listeners/secret', {})
      : { secret: given }
  print(json ? JSON.stringify({ secret }) : secret)
}

/** Headers as undici takes them: in lower case, without spaces around. */
function trimmed(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value.trim()]))
}

function asLine(
  at: string,
  { kind, event_id }: LeasedDelivery,
  result: Result,
  ms: number,
): string {
  const { status, reason } = result
  const shown = judged(String(status ?? reason))
  return `${at.slice(11, 19)} ${kind} ${event_id} → ${shown} (${ms} ms)`
}

function asJson(
  time: string,
  delivery: LeasedDelivery,
  result: Result,
  ms: number,
  body: string | undefined,
): string {
  const { id, event_id, kind } = delivery
  const { status, reason } = result
  const event = body !== undefined && { event: JSON.parse(body) }
  return JSON.stringify({ time, id, event_id, kind, status, reason, ms, ...event })
}

function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:\/\//.test(text)) return text
  throw new InvalidArgumentError('Use a URL such as http://127.0.0.1:3000/webhooks.')
}
