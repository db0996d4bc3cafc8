import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { PACKAGE } from '../assets.ts'
import { deliveriesCommand } from './deliveries.ts'
import { EXIT } from './exit.ts'
import { listenCommand } from './listen.ts'
import { replayCommand } from './replay.ts'
import { serveCommand } from './serve.ts'
import { signCommand } from './sign.ts'
import { triggerCommand } from './trigger.ts'
import { verifyCommand } from './verify.ts'

/** Runs the command line and gives the exit code; null while a server goes on running. */
export async function main(args: string[]): Promise<number | null> {
  let result: number | null = EXIT.ok
  const program = new Command('support-chat-mock')
    .description('A mock of the Support Chat API that answers on your machine.')
    .version(version())
    .exitOverride()
    .showHelpAfterError('Run `support-chat-mock --help` for what there is.')
    .configureHelp({ helpWidth: 90 })
    .addHelpText(
      'after',
      `
Exit codes:
  0  done, or stopped by SIGINT, SIGTERM or the end of stdin
  1  the port or the data folder is taken, the contract or the seed is invalid, the running mock
     server refuses or does not answer, or a webhook is refused
  2  wrong usage, or an input that cannot be read
  3  Node.js is too old

Example:
  $ support-chat-mock serve
  $ curl -H 'authorization: Bearer sk_test_demo' http://127.0.0.1:4010/v1/conversations

Webhooks to a program on this machine, in another terminal each:
  $ support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks
  $ support-chat-mock trigger conversation.handoff

Why a webhook is refused:
  $ support-chat-mock verify --secret-env SUPPORT_CHAT_WEBHOOK_SECRET --body body.json \\
      --header 'x-service-signature: sha256=…'`,
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
    verifyCommand,
    signCommand,
  ]
  for (const command of commands.map((make) => make(exit))) {
    program.addCommand(command.copyInheritedSettings(program))
  }
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

function version(): string {
  return JSON.parse(readFileSync(PACKAGE, 'utf8')).version
}
