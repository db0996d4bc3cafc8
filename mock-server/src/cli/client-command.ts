/** Commands that call the control API: what they have in common. */
import { Command } from 'commander'
import { EXIT } from './exit.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { print } from './output.ts'
import { reportingErrors } from './report.ts'

/** What a command found: for programs, and for people. */
export interface Outcome {
  /** What `--json` prints; nothing else is printed then. */
  json: unknown
  text: string
}

export interface ClientCommand<Options extends MockOptions> {
  name: string
  description: string
  /** Such as `<id>` or `[id]`. */
  argument?: [name: string, description: string]
  /** Adds its own options. */
  options?: (command: Command) => void
  help?: string
  run: (mock: Mock, argument: string, options: Options) => Promise<Outcome>
}

export function clientCommand<Options extends MockOptions>(
  exit: (code: number) => void,
  { name, description, argument, options: add, help, run }: ClientCommand<Options>,
): Command {
  const command = new Command(name).description(description)
  if (argument) command.argument(...argument)
  add?.(command)
  withMock(command)
  if (help) command.addHelpText('after', `\n${help}`)
  return command.action((...given: unknown[]) =>
    reportingErrors(command, exit, async () => {
      // Of a command with subcommands, both have the options of the client.
      const options = command.optsWithGlobals<Options>()
      const id = argument && typeof given[0] === 'string' ? given[0] : ''
      const mock = new Mock(options)
      const { json, text } = await run(mock, id, options)
      print(options.json ? JSON.stringify(json) : text)
      exit(EXIT.ok)
    }),
  )
}

/** A path of the control API with an id in it. */
export function pathOf(collection: string, id: string, step = ''): string {
  return `/_mock/${collection}/${encodeURIComponent(id)}${step && `/${step}`}`
}
