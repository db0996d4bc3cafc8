import { Command } from 'commander'
import { EXIT } from './exit.ts'
import { InputError, readText } from './inputs.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { print } from './output.ts'
import { reportingErrors } from './report.ts'

interface Options extends MockOptions {
  data?: string
  scenario?: string
}

/** The command that sends events. */
export function triggerCommand(exit: (code: number) => void): Command {
  const command = new Command('trigger')
    .description('Send an event or play a scenario.')
    .argument('[kind]', 'the kind of event; the dashboard lists them under Contract')
    .option('--data <json>', "JSON to merge into the data of the contract's example, or @FILE")
    .option('--scenario <file>', 'a YAML or JSON file with steps; see scenario.schema.json')
  return withMock(command)
    .addHelpText(
      'after',
      `
With a kind, sends the contract's example of that event. No conversation changes.

With --scenario, plays steps in order. The steps create, message (author visitor or agent),
handoff, resolve and csat act on a conversation and send its events. The others are trigger,
advance (moves the sandbox's clock) and wait.

Examples:
  $ support-chat-mock trigger conversation.handoff
  $ support-chat-mock trigger conversation.csat --data '{"rating":1,"comment":"Slow."}'
  $ support-chat-mock trigger --scenario handoff.yaml

handoff.yaml:
  steps:
    - create: { text: Where is my parcel?, name: Ada Moreau }
    - handoff: The visitor asked for a human.
    - message: { author: agent, text: A new one leaves today. }
    - advance: PT1H
    - resolve:
    - csat: { rating: 5 }`,
    )
    .action((kind: string | undefined, options: Options) =>
      reportingErrors(command, exit, async () => {
        await trigger(kind, options)
        exit(EXIT.ok)
      }),
    )
}

async function trigger(kind: string | undefined, options: Options): Promise<void> {
  const { scenario, data, json } = options
  if ((kind === undefined) === (scenario === undefined)) {
    throw new InputError('Give either a kind of event or --scenario FILE.')
  }
  const mock = new Mock(options)
  if (scenario !== undefined) {
    if (data !== undefined)
      throw new InputError('--data needs a kind. Remove --data or --scenario.')
    return playFile(mock, scenario, json)
  }
  const body = { kind, ...(data !== undefined && { data: await readData(data) }) }
  const event = await mock.post<{ event: string; id: string }>('/_mock/trigger', body)
  if (json) return print(JSON.stringify(event))
  print(`${event.event} ${event.id}`)
  const { data: endpoints } = await mock.get<{ data: object[] }>('/_mock/endpoints')
  if (endpoints.length === 0) {
    print(
      'No endpoint receives it. Run `support-chat-mock listen --forward-to URL` to receive events.',
    )
  }
}

async function playFile(mock: Mock, file: string, json: true | undefined): Promise<void> {
  // Loaded here, since the other commands do without.
  const [{ readScenario }, { play }] = await Promise.all([
    import('./scenario-file.ts'),
    import('./scenario.ts'),
  ])
  // Without the server's own schema the published one finds what is wrong with the file.
  const { scenario } = await mock
    .get<{ scenario?: object }>('/_mock/contract')
    .catch((): { scenario?: object } => ({}))
  await play(mock, await readScenario(file, scenario), (progress) => {
    const { step, of, action, result } = progress
    print(json ? JSON.stringify(progress) : `${step}/${of} ${action} ${result}`)
  })
}

/** @throws {InputError} for anything but a JSON object */
async function readData(text: string): Promise<object> {
  const json = text.startsWith('@') ? await readText(text.slice(1), '--data') : text
  try {
    const value = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Reported below.
  }
  throw new InputError(`--data is not a JSON object. Write it as '{"rating":1}' or as @FILE.`)
}
