import { cp } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { programs } from '../../scripts/toolchain/languages/ruby.ts'
import { unusedAddress } from './addresses.ts'
import { BODY, delivery, responseOf, SECRET } from './delivery.ts'
import { buildGem, installGem } from './install-ruby.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, run, start } from './processes.ts'
import { shownIn } from './readme.ts'
import { receiveAsShown } from './receive.ts'
import { ownSandbox } from './sandboxes.ts'

const example = path.join(repository, 'examples/ruby')
const readme = path.join(example, 'README.md')
const shown = await shownIn(readme)
const ruby = [programs.ruby, '-w', 'main.rb']

// The example in a folder of its own, and the environment in which Ruby finds one gem, ours.
let shop: string
let gems: Record<string, string>

beforeAll(async () => {
  const folder = await temporaryFolder()
  shop = path.join(folder, 'shop')
  await cp(example, shop, { recursive: true })
  gems = await installGem(await buildGem(folder), path.join(folder, 'gems'))
  return () => removeFolder(folder)
})

test('the example runs from the installed gem and prints what its README shows, and again', async () => {
  const env = environment()
  for (let times = 0; times < 2; times++) {
    const { status, stdout, stderr } = await run(ruby, { cwd: shop, env })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toBe(shown.get('ruby main.rb'))
  }
})

test('the receiver handles and refuses what its README shows', async () => {
  const command = [programs.ruby, '-w', 'rehearse.rb']
  const { status, stdout, stderr } = await run(command, { cwd: shop, env: gems })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toBe(shown.get('ruby rehearse.rb'))
})

test('the receiver gets events from the mock server as its README shows', async (context) => {
  const PATH = [path.dirname(programs.ruby), process.env.PATH].join(path.delimiter)
  await receiveAsShown(readme, { cwd: shop, env: { ...gemsAndSystem(), PATH } }, context)
})

test('the receiver accepts deliveries over HTTP', async ({ onTestFinished }) => {
  const address = await unusedAddress()
  const puma = [programs.ruby, '-S', 'puma', '--bind', address.replace('http:', 'tcp:')]
  const env = { ...gemsAndSystem(), SUPPORT_CHAT_WEBHOOK_SECRET: SECRET, RACK_ENV: 'production' }
  const server = await start(puma, { cwd: shop, env })
  onTestFinished(async () => {
    await server.stop()
  })

  const url = `${address}/webhooks`
  const get = () => responseOf(url, { method: 'GET' })
  await expect.poll(get, { timeout: 60_000 }).toEqual([405, ''])
  expect(await responseOf(url, delivery())).toEqual([204, ''])
  expect(await responseOf(url, delivery())).toEqual([204, ''])
  expect(await responseOf(url, { ...delivery(), body: `${BODY} ` })).toEqual([401, ''])
})

test('without a base URL the example fails and names the command that starts the mock', async () => {
  const env = { ...gems, SUPPORT_CHAT_API_KEY: 'sk_test_demo' }
  const { status, stderr } = await run(ruby, { cwd: shop, env })
  expect(status).toBe(1)
  expect(stderr).toContain('support-chat-mock serve')
})

test('where nothing listens the example fails and says that nothing was sent', async () => {
  const env = environment(await unusedAddress())
  const { status, stdout, stderr } = await run(ruby, { cwd: shop, env })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('(outcome: not_sent)')
})

test('the signatures of the installed gem are found, and valid', async () => {
  const env = gemsAndSystem()
  const rbs = [programs.rbs, '-r', 'date', '-r', 'support_chat']
  await output([...rbs, 'validate', '--silent'], { cwd: shop, env })
  const reader = [...rbs, 'method', 'SupportChat::Conversation', 'created_at']
  expect(await output(reader, { cwd: shop, env })).toContain('() -> ::Time')
})

test('RuboCop finds nothing in the programs', async () => {
  await output([programs.rubocop, '--cache', 'false', '.', '../test/sandbox/ruby'], {
    cwd: example,
  })
})

/** With the gems of the machine; an empty entry stands for those. */
function gemsAndSystem(): Record<string, string> {
  return { ...gems, GEM_PATH: `${gems.GEM_PATH}${path.delimiter}` }
}

function environment(baseURL?: string): Record<string, string> {
  return { ...gems, ...ownSandbox(baseURL) }
}
