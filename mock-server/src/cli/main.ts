import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { PACKAGE } from '../assets.ts'
import { serveCommand } from './serve.ts'

/** What a command ends with; the help names them. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const

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
  0  done, or stopped by SIGINT or SIGTERM
  1  the port is taken, or the contract or one of its examples is invalid
  2  wrong usage
  3  Node.js is too old

Example:
  $ support-chat-mock serve
  $ curl -H 'authorization: Bearer sk_test_demo' http://127.0.0.1:4010/v1/conversations`,
    )
  const serve = serveCommand((code) => {
    result = code
  })
  program.addCommand(serve.copyInheritedSettings(program))
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
