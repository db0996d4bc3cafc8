import { Command, InvalidArgumentError } from 'commander'
import { EXIT } from './exit.ts'
import { InputError, readText } from './inputs.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { print } from './output.ts'
import { reportingErrors } from './report.ts'

interface Options extends MockOptions {
  copies?: number
  data?: string
  scenario?: string
}

/** The command that sends events. */
export function triggerCommand(exit: (code: number) => void): Command {
  const command = new Command('trigger')
    .description('Send an event or play a scenario.')
    .argument('[kind]', 'the kind of event; the dashboard lists them under Contract')
    .option(
      '--data <json>',
      "JSON to merge into the data of the contract's example; @FILE, or - for stdin",
    )
    .option('--copies <number>', 'how often each endpoint gets the event, 1 to 10', parseCopies)
    .option('--scenario <file>', 'a YAML or JSON file with steps; see scenario.schema.json')
  return withMock(command)
    .addHelpText(
      'after',
      `
With a kind, sends the contract's example of that event. No conversation changes. The kind future
sends an event that no contract has: its kind, some fields and some values are unknown.

With --scenario, plays steps in order. The steps create, message (author visitor or agent),
handoff, resolve and csat act on a conversation and send its events. The others are trigger,
advance (moves the sandbox's clock) and wait.

Examples:
  $ support-chat-mock trigger conversation.handoff
  $ support-chat-mock trigger conversation.csat --data '{"rating":1,"comment":"Slow."}'
  $ support-chat-mock trigger future
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
  const { scenario, data, copies, json } = options
  if ((kind === undefined) === (scenario === undefined)) {
    throw new InputError('Give either a kind of event or --scenario FILE.')
  }
  const mock = new Mock(options)
  if (scenario !== undefined) {
    if (data !== undefined || copies !== undefined)
      throw new InputError('--data and --copies need a kind. Remove them, or --scenario.')
    return playFile(mock, scenario, json)
  }
  const given = data === undefined ? undefined : await readData(data)
  const body = { kind, ...(given && { data: given }), ...(copies && { copies }) }
  const event = await mock.post<{ event: string; id: string }>('/_mock/trigger', body)
  if (mock.warning) process.stderr.write(`Warning: ${mock.warning}\n`)
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
  const file = text === '-' ? '-' : text.startsWith('@') ? text.slice(1) : undefined
  const json = file === undefined ? text : await readText(file, '--data')
  try {
    const value = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Reported below.
  }
  throw new InputError(
    `--data is not a JSON object. Write it as '{"rating":1}', as @FILE, or as - for stdin.`,
  )
}

function parseCopies(text: string): number {
  const copies = Number(text)
  if (!/^\d+$/.test(text) || copies < 1 || copies > 10) {
    throw new InvalidArgumentError('Use a number from 1 to 10.')
  }
  return copies
}
