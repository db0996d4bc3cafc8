/** The command as users run it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { Commands } from '../command.ts'
import { type Running, right, running, SECRET, wrong } from './receivers.ts'

let commands: Commands
beforeAll(() => {
  commands = new Commands()
})
afterAll(() => commands.close())

const ENV = { SUPPORT_CHAT_WEBHOOK_SECRET: SECRET }

async function started(making: Promise<Running>): Promise<Running> {
  const receiver = await making
  onTestFinished(receiver.close)
  return receiver
}

const certify = (args: readonly string[], env: Record<string, string> = ENV) =>
  commands.run(['certify', ...args], env)

it('prints a line for each check and the score, without colours in a pipe', async () => {
  const { url, effects } = await started(right())
  const { code, stdout, stderr } = await certify(['--receiver', url, '--effects', effects])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^pass +Accepts a genuine event of every kind \[accepts-every-kind\]$/m)
  expect(stdout).toMatch(/^Score: 100 % \(\d+ of \d+ points\)\./m)
  expect(stdout).not.toContain('\u001b')
})

it('writes a page and a badge, prints JSON, and exits with 1 for findings', async () => {
  const { url } = await started(wrong(0))
  const files = ['--html', 'report.html', '--badge', 'badge.svg']
  const { code, stdout } = await certify(['--receiver', url, '--json', ...files])
  expect(code).toBe(1)
  const { score } = JSON.parse(stdout)
  const [page, badge] = ['report.html', 'badge.svg'].map((name) =>
    readFileSync(join(commands.folder, name), 'utf8'),
  )
  expect(page).toContain(`${score.percent} %`)
  expect(badge).toContain(`receiver check: ${score.percent} %`)
})

it('a score that is enough exits with 0', async () => {
  const { url } = await started(wrong(0))
  expect((await certify(['--receiver', url, '--min-score', '10'])).code).toBe(0)
})

it('where nothing listens, the report says so, and the exit code is 1', async () => {
  const receiver = await running(() => {})
  await receiver.close()
  const { code, stdout } = await certify(['--receiver', receiver.url])
  expect(code).toBe(1)
  expect(stdout).toContain('nothing listens at this address')
})

it.each([
  [['--receiver', 'nowhere'], ENV, '--receiver: the URL cannot be called'],
  [['--receiver', 'http://93.184.216.34/'], ENV, '--allow-public'],
  [['--receiver', 'http://127.0.0.1:9/'], {}, 'is not set'],
  [['--receiver', 'http://127.0.0.1:9/'], { SUPPORT_CHAT_WEBHOOK_SECRET: ' ' }, 'is blank'],
  [['--receiver', 'http://127.0.0.1:9/', '--min-score', '101'], ENV, 'from 0 to 100'],
  [['--receiver', 'http://127.0.0.1:9/', '--secret', SECRET], ENV, 'on the command line'],
  [['--receiver', 'http://127.0.0.1:9/', '--effects', 'x'], ENV, '--effects: the URL'],
  [['--receiver', 'http://127.0.0.1:9/', '--effects', 'http://127.0.0.1:9/'], ENV, '--effects:'],
  [[], ENV, '--receiver'],
])('%j with %j is wrong usage', async (args, env, message) => {
  const { code, stdout, stderr } = await certify(args, env)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).not.toContain(SECRET)
})

it('effects that are no list are refused', async () => {
  const { url } = await started(right())
  const { effects } = await started(running(() => {}, 'text' as never))
  const { code, stderr } = await certify(['--receiver', url, '--effects', effects])
  expect(code).toBe(2)
  expect(stderr).toContain('neither a list of event IDs nor an object')
})

it('the commands of the guide run as they stand', async () => {
  const guide = readFileSync(new URL('../../../docs/certify.md', import.meta.url), 'utf8')
  const { url, effects } = await started(right())
  const lines = [...guide.matchAll(/^npx support-chat-mock (.*)$/gm)].map(([, line = '']) => line)
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) {
    const here = line
      .replace('http://127.0.0.1:3000/webhooks', url)
      .replace('http://127.0.0.1:3000/handled', effects)
    expect(await commands.run(here.split(' '), ENV)).toMatchObject({ code: 0, stderr: '' })
  }
})
