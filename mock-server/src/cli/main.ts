import { Command, CommanderError } from 'commander'
import { packageVersion } from '../assets.ts'
import { certifyCommand } from './certify.ts'
import { checkIntegrationCommand } from './check-integration.ts'
import { completeCommand, completionCommand } from './completion.ts'
import { deliveriesCommand } from './deliveries.ts'
import { endpointsCommand } from './endpoints.ts'
import { eventsCommand } from './events.ts'
import { EXIT } from './exit.ts'
import { faultsCommand } from './faults.ts'
import { keysCommand } from './keys.ts'
import { listenCommand } from './listen.ts'
import { mcpCommand } from './mcp.ts'
import { replayCommand } from './replay.ts'
import { failureText } from './report.ts'
import { requestsCommand } from './requests.ts'
import { serveCommand } from './serve.ts'
import { signCommand } from './sign.ts'
import { snapshotsCommand } from './snapshots.ts'
import { triggerCommand } from './trigger.ts'
import { verifyCommand } from './verify.ts'

/** Runs the command line and returns the exit code, or null while a server keeps running. */
export async function main(args: string[]): Promise<number | null> {
  let result: number | null = EXIT.ok
  const isJson = args.includes('--json')
  const program = new Command('support-chat-mock')
    .description('A mock of the Support Chat API that runs on your machine.')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError(
      isJson ? false : 'Run `support-chat-mock --help` for the commands and options.',
    )
    .configureOutput({ outputError: (text, write) => write(isJson ? asFailure(text) : text) })
    .configureHelp({ helpWidth: 90 })
    .addHelpText(
      'after',
      `
Exit codes:
  0  success, or stopped by SIGINT, SIGTERM or the end of stdin
  1  the port or the data folder is in use, the contract or the seed is invalid, the mock server
     refuses a request or does not respond, a webhook fails verification, a new contract breaks
     something, or a check of an integration fails
  2  wrong usage, or an input that cannot be read
  3  Node.js is too old

Start the server, and list conversations in another terminal:
  $ support-chat-mock serve
  $ curl -H 'authorization: Bearer sk_test_demo' http://127.0.0.1:4010/v1/conversations

Receive webhooks on this machine, each command in its own terminal:
  $ support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks
  $ support-chat-mock trigger conversation.handoff

See the requests to the API, and why they are refused:
  $ support-chat-mock requests --follow

Find out why a webhook is refused:
  $ support-chat-mock verify --secret-env SUPPORT_CHAT_WEBHOOK_SECRET --body body.json \\
      --header 'x-service-signature: sha256=…'

Find out what a new contract breaks in your program:
  $ support-chat-mock check-integration src --contract new.yaml

Check what your receiver does with everything that may arrive:
  $ support-chat-mock certify --receiver http://127.0.0.1:3000/webhooks`,
    )
  const exit = (code: number | null) => {
    result = code
  }
  const commands = [
    serveCommand,
    listenCommand,
    triggerCommand,
    deliveriesCommand,
    replayCommand,
    eventsCommand,
    endpointsCommand,
    faultsCommand,
    snapshotsCommand,
    requestsCommand,
    keysCommand,
    verifyCommand,
    signCommand,
    checkIntegrationCommand,
    certifyCommand,
    mcpCommand,
  ]
  for (const command of commands.map((make) => make(exit))) {
    program.addCommand(inheriting(command, program))
  }
  program.addCommand(inheriting(completionCommand(), program))
  program.addCommand(inheriting(completeCommand(), program), { hidden: true })
  if (args.length === 0) {
    program.outputHelp({ error: true })
    return EXIT.usage
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return result
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    throw error
  }
}

/** A command, and those below it, that ends and prints as another does. */
function inheriting(command: Command, from: Command): Command {
  command.copyInheritedSettings(from)
  for (const one of command.commands) inheriting(one as Command, command)
  return command
}

/** What is wrong with the usage, as JSON. */
function asFailure(text: string): string {
  return failureText({ message: text.replace(/^error: /, '').trim() })
}
