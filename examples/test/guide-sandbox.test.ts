import { readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { SupportChat } from '@support-chat/sdk'
import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { type Block, blocksOf, commandsOf, linksOf } from './guide-programs.ts'
import { openTerminals } from './guide-terminals.ts'
import { fences, languages, type Project } from './languages.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, run, type Started, start } from './processes.ts'
import { written } from './projects.ts'
import { printedBy } from './readme.ts'

const pages = ['sandbox.md', 'sandbox/tests.md', 'sandbox/failures.md', 'sandbox/upgrades.md'].map(
  (name) => path.join(repository, 'docs', name),
)
const text = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).join('\n')
const blocks = (await Promise.all(pages.map(blocksOf))).flat()
const wrapper = blocks.find(({ fence }) => fence === 'sh')
const npm = inject('project')

const folder = await temporaryFolder()
let mock: Started
let url: string

beforeAll(async () => {
  const bin = path.join(npm, 'node_modules/.bin/support-chat-mock')
  mock = await start([process.execPath, bin, 'serve', '--port', '0', '--memory'], { cwd: npm })
  url = mock.firstLine.replace('Listening on ', '')
})
afterAll(async () => {
  await mock.stop()
  await removeFolder(folder)
})

describe.each(languages)('the guide to the sandbox in $name', ({ fence, guide: { create } }) => {
  const own = blocks.filter((block) => block.fence === fence)
  const programs = own.filter(({ use }) => use === 'run')
  if (fence === 'ts') programs.push(forVitest(own))
  // That of TypeScript has the mock server in its own process.
  const shared = fence === 'ts' ? [] : programs.filter(({ file }) => file?.includes('test'))
  let project: Project
  let env: Record<string, string>

  beforeAll(async () => {
    project = await create(filesOf([...own, ...programs]), { folder, npm, name: 'sandbox' })
    if (shared.length > 0) await withMock(project.folder)
    env = { ...project.env, PATH: nodeBefore(project.env.PATH) }
  })

  test('is accepted by what checks the language', async () => {
    await project.check()
  })

  test.for(programs)('$file passes, and prints what it says', async (program, { expect }) => {
    const { command = '', code } = program
    const settings = { SUPPORT_CHAT_BASE_URL: url, SUPPORT_CHAT_API_KEY: `sk_test_${fence}` }
    const options = { cwd: project.folder, env: { ...env, ...settings } }
    const printed = await output(['sh', '-c', command], options)
    expect(printed.split('\n')).toEqual(expect.arrayContaining(printedBy(code)))
  })

  test.for(shared)('$file passes with a mock server that runs', async ({ command = '' }) => {
    const words = command.split(' ')
    await output(['sh', wrapper?.file ?? '', ...words], { cwd: project.folder, env })
  })
})

test('the script lends a command the mock server, and ends like that', async ({ expect }) => {
  const place = await written(path.join(folder, 'script'), {})
  await withMock(place)
  const ask = 'echo "$SUPPORT_CHAT_MOCK"; curl -sf "$SUPPORT_CHAT_BASE_URL/_mock/health"; exit 3'
  const command = ['sh', wrapper?.file ?? '', 'sh', '-c', ask]
  const env = { PATH: nodeBefore(process.env.PATH) }
  const { status, stdout } = await run(command, { cwd: place, env })
  const [address = '', health = ''] = stdout.split('\n')
  expect(status).toBe(3)
  expect(JSON.parse(health)).toMatchObject({ status: 'ok' })
  const stopped = () =>
    fetch(address).then(
      () => false,
      () => true,
    )
  await expect.poll(stopped, { timeout: 60_000 }).toBe(true)
})

test('the commands of the guide print what it shows', async (context) => {
  const receivers = await blocksOf(path.join(repository, 'docs/webhooks.md'))
  const given = receivers.filter(({ file }) => file === 'receiver.ts' || file === 'shop.ts')
  const files = filesOf([...given, ...blocks.filter(({ fence }) => fence === 'yaml')])
  const place = await written(path.join(npm, 'sandbox-commands'), files)
  const terminals = await openTerminals(context, place)
  for (const { fence, code } of blocks) {
    if (fence === 'text') await terminals.see(code)
    if (fence !== 'console') continue
    for (const { command, printed } of commandsOf(code)) await terminals.type(command, printed)
  }
})

test('the guide says what clients raise', async ({ expect }) => {
  const rows = text.matchAll(/^\| `(x-mock-fault|Prefer): (\S*)` \|.*?\|.*?`(\w+Error)`/gm)
  const client = new SupportChat({ baseURL: url, apiKey: 'sk_test_raised' })
  const id = 'conv_01J2Z8M3VN'
  const raised = await Promise.all(
    Array.from(rows, async ([, name = '', value = '', error]) => {
      const isLate = value.startsWith('delay')
      const options = { headers: { [name]: value }, ...(isLate && { timeout: 500 }) }
      const made = client.conversations.messages.create(id, { text: 'Hello' }, options)
      return [value, error, await made.then(String, ({ name }) => name)]
    }),
  )
  expect(raised).toHaveLength(5)
  expect(raised).toEqual(raised.map(([value, error]) => [value, error, error]))
})

test('no block of the guide is left out', ({ expect }) => {
  const isRun = ({ fence, file, use }: Block) => {
    if (['console', 'text'].includes(fence)) return true
    if (fence === 'sh' || fence === 'yaml') return file !== undefined
    // The one of TypeScript that is no file is a line for Vitest.
    return fences.includes(fence) && (use === 'run' || file?.startsWith('reply.') || fence === 'ts')
  }
  expect(blocks.filter((block) => !isRun(block))).toEqual([])
  for (const fence of fences) {
    expect(
      blocks.filter((block) => block.fence === fence && block.use === 'run').length,
    ).toBeGreaterThan(1)
  }
})

test.for(pages)('%s links to what exists', async (page, { expect }) => {
  const { links, broken } = await linksOf(page)
  expect(links.length).toBeGreaterThan(0)
  expect(broken).toEqual([])
})

/** Puts what a shop has that is not written in JavaScript: the script, and what npm installs. */
async function withMock(place: string): Promise<void> {
  await written(place, filesOf(blocks.filter(({ fence }) => fence === 'sh')))
  await symlink(path.join(npm, 'node_modules'), path.join(place, 'node_modules'))
}

/** Where programs are found: the Node of these tests first, as one of the machine may be too old. */
function nodeBefore(others = ''): string {
  return [path.dirname(process.execPath), others].join(path.delimiter)
}

/** The test of TypeScript with the line that the guide has for Vitest. */
function forVitest(own: readonly Block[]): Block {
  const line = own.find(({ file }) => file === undefined)?.code ?? ''
  const test = own.find(({ file }) => file?.endsWith('.test.ts'))?.code ?? ''
  const code = test.replace(/^import .* from 'node:test'\n/m, () => line)
  const file = 'vitest.test.ts'
  return { fence: 'ts', file, code, use: 'run', command: `npx --no vitest run ${file}` }
}

/** The blocks that are files, by their names. */
function filesOf(some: readonly Block[]): Record<string, string> {
  const files = some.flatMap(({ file, code }) => (file === undefined ? [] : [[file, code]]))
  return Object.fromEntries(files)
}
