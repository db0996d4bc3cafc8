import { Command } from 'commander'
import { EXIT } from './exit.ts'
import { InputError } from './inputs.ts'
import { print } from './output.ts'
import { reportingErrors } from './report.ts'

interface Options {
  contract: string
  from?: string
  traffic?: string
  json?: true
}

/** The command that says what a new contract breaks in an integration. */
export function checkIntegrationCommand(exit: (code: number) => void): Command {
  const command = new Command('check-integration')
    .description('Find the lines and the recorded calls that a new contract breaks.')
    .argument('[path]', 'the folder or file of your program (default: the working folder)')
    .requiredOption('--contract <new>', 'the new contract: an OpenAPI 3.0 or 3.1 document')
    .option('--from <old>', 'the contract that you use now (default: the one of this package)')
    .option(
      '--traffic <log>',
      'a HAR file with calls and events; without a path, only this is read',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Reads TypeScript, JavaScript, Python, Ruby and Go, without what git ignores. That needs the parsers
of ast-grep (43 MB), which this package does not bring:
  npm install --save-dev @ast-grep/napi @ast-grep/lang-python @ast-grep/lang-ruby @ast-grep/lang-go

Traffic is a HAR file of a browser, of a proxy or of \`serve --record FILE\`. Every call is held
against both contracts. Secrets and bodies are never printed.

Each finding has its effect on those who upgrade the SDK, stay on theirs, and receive events:
silent (a wrong result, and nothing says so), rejected (by the service), runtime, load, compile or
warning. Silent ones come first.

Exit codes: 0 nothing is hit, 1 something is, 2 an input cannot be read.

Examples:
  $ support-chat-mock check-integration --contract new.yaml
  $ support-chat-mock check-integration src --contract new.yaml --traffic traffic.har`,
    )
    .action((path: string | undefined, options: Options) =>
      reportingErrors(command, exit, async () => exit(await check(path, options))),
    )
  return command
}

async function check(given: string | undefined, options: Options): Promise<number> {
  const { contract, from = null, traffic: log } = options
  const path = given ?? (log === undefined ? '.' : null)
  // Loaded here, since no other command needs it.
  const { checkSources, checkTraffic, inWords, isClean, reportOf, UnusableInput, upgradeBetween } =
    await import('../integration/index.ts')
  try {
    const upgrade = await upgradeBetween(from, contract)
    const sources = path === null ? null : await checkSources(upgrade, path)
    const traffic = log === undefined ? null : await checkTraffic(upgrade, log)
    const report = reportOf(upgrade, sources, traffic)
    print(options.json ? JSON.stringify(report) : inWords(report))
    return isClean(report) ? EXIT.ok : EXIT.failure
  } catch (error) {
    throw error instanceof UnusableInput ? new InputError(error.message) : error
  }
}
