import { cp } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { programs } from '../../scripts/toolchain/programs.ts'
import { unusedAddress } from './addresses.ts'
import { buildGem, installGem } from './install-ruby.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, run } from './processes.ts'
import { shownIn } from './readme.ts'

const example = path.join(repository, 'examples/ruby')
const shown = await shownIn(path.join(example, 'README.md'))
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

test('the example runs from the installed gem and prints what its README shows', async () => {
  const { status, stdout, stderr } = await run(ruby, { cwd: shop, env: environment() })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toBe(shown.get('ruby main.rb'))
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
  // An empty entry stands for the gems that come with Ruby.
  const env = { ...gems, GEM_PATH: `${gems.GEM_PATH}${path.delimiter}` }
  const rbs = [programs.rbs, '-r', 'date', '-r', 'support_chat']
  await output([...rbs, 'validate', '--silent'], { cwd: shop, env })
  const reader = [...rbs, 'method', 'SupportChat::Conversation', 'created_at']
  expect(await output(reader, { cwd: shop, env })).toContain('() -> ::Time')
})

test('RuboCop finds nothing in the example', async () => {
  await output([programs.rubocop, '--cache', 'false', '.'], { cwd: example })
})

function environment(baseURL = inject('baseURL')): Record<string, string> {
  return { ...gems, SUPPORT_CHAT_API_KEY: 'sk_test_demo', SUPPORT_CHAT_BASE_URL: baseURL }
}
