/** Terminals in which a reader types what a guide shows, one command after the other. */
import type { TestContext } from 'vitest'
import { unusedAddress } from './addresses.ts'
import { shown } from './guide-programs.ts'
import { output, type Started, start } from './processes.ts'

/** Where guides have the mock server, and where their receivers. */
const MOCK = '4010'
const PORTS = [MOCK, '4011', '4020', '8080', '8081']
/** What goes on until it is stopped. */
const STAYS = / serve( |$)| listen | node receiver/
const PATIENCE = { timeout: 60_000 }

export interface Terminals {
  /** Types a command, which has to print what is shown. */
  type(command: string, printed: string): Promise<void>
  /** Waits until one of the terminals shows some lines. */
  see(lines: string): Promise<void>
}

/** @param cwd Where commands are typed. */
export async function openTerminals(
  { expect, onTestFinished }: Pick<TestContext, 'expect' | 'onTestFinished'>,
  cwd: string,
): Promise<Terminals> {
  const addresses = new Map<string, string>()
  for (const port of PORTS) addresses.set(port, new URL(await unusedAddress()).port)
  const running: Started[] = []
  const exports: string[] = []

  /** What a guide says, with the ports of this run and the secret that `listen` has printed. */
  function here(text: string): string {
    const secret = /whsec_\S+/.exec(running.flatMap(({ lines }) => lines).join('\n'))?.[0]
    const moved = text.replace(/\b\d{4}\b/g, (number) => addresses.get(number) ?? number)
    return secret ? moved.replaceAll('whsec_…', secret) : moved
  }

  async function see(lines: string): Promise<void> {
    await expect
      .poll(() => running.map((program) => program.lines.join('\n')), PATIENCE)
      .toContainEqual(expect.stringMatching(shown(here(lines), 'm')))
  }

  /** Starts what stays, in a terminal of its own. */
  async function open(command: string): Promise<void> {
    const started = command.endsWith(' serve') ? `${command} --port ${MOCK}` : command
    // Receivers print nothing at first.
    const lines = [...exports, 'echo', here(started)]
    const program = await start(['sh', '-c', lines.join('\n')], { cwd })
    running.push(program)
    onTestFinished(async () => {
      await program.stop()
    })
    const port = /PORT=(\d+)/.exec(here(command))?.[1]
    if (port === undefined) return
    const responds = () => fetch(`http://127.0.0.1:${port}/`).then(() => true)
    await expect.poll(() => responds().catch(() => false), PATIENCE).toBe(true)
  }

  /** Waits for deliveries on their way, as readers do by being slow. */
  async function settle(): Promise<void> {
    if (running.length === 0) return
    const headers = { 'content-type': 'application/json' }
    const clock = `http://127.0.0.1:${addresses.get(MOCK)}/_mock/clock`
    await fetch(clock, { method: 'POST', headers, body: '{"advance":"PT0S"}' })
  }

  async function type(command: string, printed: string): Promise<void> {
    if (command.startsWith('export ')) {
      exports.push(here(command))
    } else if (STAYS.test(command)) {
      await open(command)
      if (printed) await see(printed)
    } else {
      await settle()
      const typed = await output(['sh', '-c', [...exports, here(command)].join('\n')], { cwd })
      expect(typed.trim()).toMatch(shown(here(printed)))
    }
  }

  return { type, see }
}
