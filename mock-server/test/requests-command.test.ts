/** The command that shows the requests to the API. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MockServer } from '../src/index.ts'
import { Commands } from './command.ts'
import { createMockServer } from './mock.ts'
import { SEEDED } from './sandboxed.ts'
import { AUTH } from './support.ts'

const execute = promisify(execFile)

let commands: Commands
let mock: MockServer
beforeAll(() => {
  commands = new Commands()
})
beforeEach(async () => {
  mock = await createMockServer()
})
afterEach(() => mock.close())
afterAll(() => commands.close())

const at = () => ({ SUPPORT_CHAT_BASE_URL: mock.url, SUPPORT_CHAT_API_KEY: 'sk_test_demo' })
const run = (...args: string[]) => commands.run(['requests', ...args], at())
const messages = `/v1/conversations/${SEEDED.open}/messages`
const post = (text: string, id = 'req_1') =>
  mock.fetch(messages, {
    method: 'POST',
    headers: { ...AUTH, 'content-type': 'application/json', 'x-request-id': id },
    body: JSON.stringify({ text }),
  })

it('lists requests, with the reasons of refusals', async () => {
  expect((await run()).stdout).toMatch(/^No requests yet\. /)
  await post('Hello.')
  await post('')
  const { code, stdout } = await run()
  expect([code, stdout.split('\n')[0]]).toEqual([
    0,
    expect.stringMatching(/^TIME +STATUS +METHOD +PATH +TOOK +ID +NOTE$/),
  ])
  expect(stdout).toMatch(/ 422 +POST +\/v1\S+ .*req_1 .*text/)
  expect((await run('--status', '5xx')).stdout).toBe(
    'No requests match. Leave out --status to list all.\n',
  )
  const [one] = await commands.json(['requests', '--status', '2xx'], at())
  expect(one).toMatchObject({ id: 'req_1', response: { status: 201 } })
})

it('shows one request, also as a curl command that makes it again', async () => {
  await post("It's “here”, $HOME.")
  const shown = await run('req_1')
  expect(shown.stdout).toContain('authorization: [redacted]')
  expect(shown.stdout).toMatch(/Response: 201\n/)
  const { stdout } = await run('req_1', '--curl')
  expect(stdout).not.toContain('sk_test_demo')
  const env = { ...process.env, ...at() }
  const again = await execute('sh', ['-c', stdout.replace('curl', 'curl -s')], { env })
  expect(JSON.parse(again.stdout)).toMatchObject({ text: "It's “here”, $HOME." })
  const none = await run('req_none')
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no request req_none')])
})

it('shows requests as programs, and says which have none', async () => {
  await post('Hello.')
  const one = await run('req_1', '--as', 'python')
  expect(one.stdout).toContain('client.conversations.messages.create(')
  await fetch(mock.url + messages, {
    method: 'POST',
    body: '{"text":"Hi."}',
    headers: { 'x-request-id': 'req_cut' },
  })
  const all = await run('--as', 'go')
  expect([all.code, all.stdout.match(/^package main$/gm)]).toEqual([0, ['package main']])
  expect(all.stderr).toMatch(/^req_cut: The log does not have the whole body/)
  expect((await run('--curl')).stdout).toBe((await run('--as', 'curl')).stdout)
  const both = await run('req_1', '--as', 'go', '--json')
  expect([both.code, (await run('--as', 'cobol')).code]).toEqual([2, 2])
})

it('follows new requests', async () => {
  await post('Before.', 'req_0')
  const following = commands.start(['requests', '--follow'], at())
  await expect.poll(following.stderr, { timeout: 60_000 }).toContain('Waiting for requests')
  await post('After.')
  await following.prints('req_1')
  expect(following.stdout()).not.toContain('req_0')
  expect(await following.stop()).toBe(0)
})

it('writes a HAR file', async () => {
  await post('Hello.')
  const { stdout } = await run('--har', 'traffic.har')
  expect(stdout).toBe('Wrote 1 requests to traffic.har.\n')
  const { log } = JSON.parse(readFileSync(join(commands.folder, 'traffic.har'), 'utf8'))
  expect(log.entries).toHaveLength(1)
  const wrong = await run('--har', 'none/traffic.har')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Name another file.')])
  expect((await run('req_1', '--follow')).code).toBe(2)
})
