import path from 'node:path'
import { inject, type TestContext } from 'vitest'
import { unusedAddress } from './addresses.ts'
import { output, type RunOptions, start } from './processes.ts'
import { codeIn, shownIn } from './readme.ts'
import { ownSandbox } from './sandboxes.ts'

const PATIENCE = { timeout: 60_000 }

/** What the receiver says while the example's own program runs, which posts and adds a source. */
const OF_THE_PROGRAM = [
  'evt_…: counted conversation.message',
  'evt_…: the assistant knows Shipping',
]

/**
 * Does in a copy of an example what its README says of receiving events: forwards them to the
 * receiver, starts that, sends an event, and sends it again. Then runs the example's own program.
 */
export async function receiveAsShown(
  readme: string,
  { cwd, env = {} }: RunOptions,
  { expect, onTestFinished }: Pick<TestContext, 'expect' | 'onTestFinished'>,
): Promise<void> {
  const address = await unusedAddress()
  const { program, listen, receive, trigger, deliveries, replay } = await read(readme, address)
  const PATH = [path.dirname(process.execPath), env.PATH ?? process.env.PATH].join(path.delimiter)
  const PORT = new URL(address).port
  const options = { cwd, env: { ...env, ...ownSandbox(), PATH, PORT } }
  const print = (command: string) => output(['sh', '-ec', command], options)
  const begin = async (command: string) => {
    const begun = await start(['sh', '-ec', command], options)
    onTestFinished(async () => {
      await begun.stop()
    })
    return begun
  }

  const listener = await begin(listen.command)
  await expect.poll(() => listener.lines.map(masked), PATIENCE).toEqual(linesOf(listen.printed))
  const secret = listener.firstLine.replace('Signing secret: ', '')
  const receiver = await begin(receive.command.replace('whsec_…', secret))
  const [first, ...lines] = linesOf(receive.printed)
  expect(receiver.firstLine).toBe(first)
  const status = async () => (await fetch(`${address}/webhooks`)).status
  await expect.poll(status, PATIENCE).toBe(405)

  const event = (await print(trigger)).trim()
  await expect.poll(() => print(deliveries), PATIENCE).toContain(' succeeded ')
  const [id = ''] = /^dlv_\d+/m.exec(await print(deliveries)) ?? []
  await print(replay.replace('dlv_…', id))
  const forwarded = expect.stringContaining(` ${event} → 204 `)
  await expect.poll(() => listener.lines.slice(2), PATIENCE).toEqual([forwarded, forwarded])

  expect(await print(program.command)).toBe(program.printed)
  const events = () => receiver.lines.filter(isEvent).map(masked)
  await expect.poll(events, PATIENCE).toEqual([...lines.filter(isEvent), ...OF_THE_PROGRAM])
}

/** The commands of a README, with the receiver at another address and the packed mock server. */
async function read(readme: string, address: string) {
  const mock = path.join(inject('project'), 'node_modules/.bin/support-chat-mock')
  const here = (text: string) =>
    text
      .replaceAll('127.0.0.1:8080', new URL(address).host)
      .replaceAll('npx support-chat-mock', mock)
  const shown = Array.from(await shownIn(readme), ([command, printed]) => {
    return { command: here(command), printed: here(printed) }
  })
  const [program] = shown
  const [listen, receive] = shown.slice(-2)
  const lines = linesOf(here((await codeIn(readme, 'sh')).at(-1) ?? ''))
  const [trigger, deliveries, replay] = lines
  if (!(program && listen && receive && trigger && deliveries && replay)) {
    throw new Error(`${readme} shows too little.`)
  }
  return { program, listen, receive, trigger, deliveries, replay }
}

/** What was printed, with what differs from run to run as READMEs have it. */
function masked(text: string): string {
  return text.replace(/\b(evt|whsec)_[\w-]+/g, '$1_…')
}

function isEvent(line: string): boolean {
  return line.startsWith('evt_')
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n')
}
