/** What a hosted server refuses as too many requests, a client sends again after the time told, or raises. */
import { randomBytes } from 'node:crypto'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { languages, type Runner } from './languages.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, start } from './processes.ts'

const SOURCES = path.join(repository, 'examples/test/sandbox')
const TOKEN = randomBytes(24).toString('hex')
let folder: string
let url: string
let runners: ReadonlyMap<string, Runner>

beforeAll(async () => {
  folder = await temporaryFolder()
  const project = inject('project')
  const bin = path.join(project, 'node_modules/.bin/support-chat-mock')
  const serve = [process.execPath, bin, 'serve', '--port', '0', '--hosted']
  const mock = await start([...serve, '--limit', 'requests_per_second=0.5'], {
    cwd: folder,
    env: {
      DATABASE_URL: process.env.TEST_POSTGRES_URL ?? '',
      SUPPORT_CHAT_MOCK_ADMIN_TOKEN: TOKEN,
      SUPPORT_CHAT_MOCK_PUBLIC_URL: 'http://sandbox.test',
    },
  })
  url = mock.firstLine.replace('Listening on ', '')
  await cp(SOURCES, folder, { recursive: true })
  const prepared = languages.map(async ({ name, sandbox }) => {
    return [name, await sandbox(SOURCES, folder, project)] as const
  })
  runners = new Map(await Promise.all(prepared))
  return async () => {
    await mock.stop()
    await removeFolder(folder)
  }
})

async function issue(name: string): Promise<string> {
  const response = await fetch(`${url}/_mock/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const { key } = (await response.json()) as { key: string }
  return key
}

test.for(languages)('$name: waits for the time told, or raises it', async ({ name }) => {
  const { command, env } = runners.get(name) as Runner
  const settings = { SUPPORT_CHAT_API_KEY: await issue(name), SUPPORT_CHAT_BASE_URL: url }
  const printed = await output(command('limited'), { cwd: folder, env: { ...env, ...settings } })
  const [first, second, third] = printed.trim().split('\n')
  expect([first, second]).toEqual(['succeeded', 'succeeded after a wait'])
  // Where the machine was slow, a part of the two seconds has passed.
  expect(third).toMatch(/^refused: [12]$/)
})
