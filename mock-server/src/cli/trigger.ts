import { Argument, Command } from 'commander'
import { EXIT } from './exit.ts'
import { InputError, readText } from './inputs.ts'
import { KINDS } from './kinds.ts'
import { Mock, type MockOptions, withMock } from './mock.ts'
import { print } from './output.ts'
import { told } from './told.ts'

interface Options extends MockOptions {
  data?: string
  scenario?: string
}

/** The command that makes events happen. */
export function triggerCommand(exit: (code: number) => void): Command {
  const command = new Command('trigger')
    .description('Send an event, or play a whole scenario.')
    .addArgument(new Argument('[kind]', 'the kind of event').choices(KINDS))
    .option('--data <json>', "what its data shall differ in from the contract's example; @FILE")
    .option('--scenario <file>', 'steps in YAML or JSON, as scenario.schema.json describes them')
  return withMock(command)
    .addHelpText(
      'after',
      `
An event of a kind is the contract's example, for nothing that happened: no state changes. A
scenario drives a conversation as its visitor and its team would, and each step emits its event:
open, say, answer, handoff, resolve, rate; trigger, advance (the sandbox's clock) and wait.

Examples:
  $ support-chat-mock trigger conversation.handoff
  $ support-chat-mock trigger conversation.csat --data '{"rating":1,"comment":"Slow."}'
  $ support-chat-mock trigger --scenario handoff.yaml

handoff.yaml:
  steps:
    - open: { text: Where is my parcel?, name: Ada Moreau }
    - handoff: The visitor asked for a human.
    - answer: A new one leaves today.
    - advance: PT1H
    - resolve:
    - rate: { rating: 5 }`,
    )
    .action((kind: string | undefined, options: Options) =>
      told(command, exit, async () => {
        await trigger(kind, options)
        exit(EXIT.ok)
      }),
    )
}

async function trigger(kind: string | undefined, options: Options): Promise<void> {
  const { scenario, data, json } = options
  if ((kind === undefined) === (scenario === undefined)) {
    throw new InputError(`Name a kind (${KINDS.join(', ')}), or a file with --scenario.`)
  }
  const mock = new Mock(options)
  if (scenario !== undefined) {
    if (data !== undefined) throw new InputError('--data goes with a kind, not with --scenario.')
    return playFile(mock, scenario, json)
  }
  const body = { kind, ...(data !== undefined && { data: await readData(data) }) }
  const event = await mock.post<{ event: string; id: string }>('/_mock/trigger', body)
  if (json) return print(JSON.stringify(event))
  print(`${event.event} ${event.id}`)
  const { data: endpoints } = await mock.get<{ data: object[] }>('/_mock/endpoints')
  if (endpoints.length === 0) {
    print('Nobody receives it: `support-chat-mock listen --forward-to URL` does.')
  }
}

async function playFile(mock: Mock, file: string, json: true | undefined): Promise<void> {
  // Loaded here, since the other commands do without.
  const [{ readScenario }, { play }] = await Promise.all([
    import('./scenario-file.ts'),
    import('./scenario.ts'),
  ])
  await play(mock, await readScenario(file), (progress) => {
    const { step, of, action, result } = progress
    print(json ? JSON.stringify(progress) : `${step}/${of} ${action} ${result}`)
  })
}

/** @throws {InputError} for what is no JSON object */
async function readData(text: string): Promise<object> {
  const json = text.startsWith('@') ? await readText(text.slice(1), '--data') : text
  try {
    const value = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Told below.
  }
  throw new InputError(`--data: it is no JSON object. Write it as '{"rating":1}', or as @FILE.`)
}
