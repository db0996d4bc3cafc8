import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { linksOf } from './guide-programs.ts'
import { repository } from './packages.ts'
import { output, run } from './processes.ts'
import { codeIn } from './readme.ts'

const npm = inject('project')
const page = path.join(repository, 'docs/agents.md')
const folder = path.join(npm, 'agents')
const installed = path.join(npm, 'node_modules/@support-chat/mock-server')
const agents = path.join(installed, 'AGENTS.md')
const env = { PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter) }
await mkdir(folder)

test.each([page, path.join(repository, 'AGENTS.md')])('%s links to what exists', async (file) => {
  const { links, broken } = await linksOf(file)
  expect(links.length).toBeGreaterThan(0)
  expect(broken).toEqual([])
})

test('the configuration of the page starts tools over MCP', async () => {
  const [json = ''] = await codeIn(page, 'json')
  const { mcpServers } = JSON.parse(json) as { mcpServers: Record<string, Server> }
  const [{ command = '', args = [] } = {}] = Object.values(mcpServers)
  const [response = ''] = await initialized([command, ...args].join(' '))
  expect(JSON.parse(response).result.capabilities).toHaveProperty('tools')
})

test('the skill of the package is copied by the commands of the page, and has what skills need', async () => {
  const [copy = ''] = await codeIn(page, 'sh')
  await output(['sh', '-ec', copy.replaceAll('.claude', 'agents/.claude')], { cwd: npm, env })
  const [, file = ''] = /(\.claude\S+\/)\n/.exec(copy) ?? []
  const skill = await readFile(path.join(folder, file, 'SKILL.md'), 'utf8')
  const [, name, description = ''] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(skill) ?? []
  expect(name).toBe(path.basename(file))
  expect(name).toMatch(/^[a-z0-9-]{1,64}$/)
  expect(description.length).toBeGreaterThan(40)
  expect(description.length).toBeLessThan(1_024)
})

test("the mock server's page for agents shows a program that runs", async () => {
  const [program = ''] = await codeIn(agents)
  await writeFile(path.join(folder, 'main.ts'), program)
  expect(await output([process.execPath, 'main.ts'], { cwd: folder, env })).toBe('')
})

test('the commands for agents exist', async () => {
  const pages = [agents, path.join(installed, 'skill/SKILL.md'), page]
  const texts = await Promise.all(pages.map((one) => readFile(one, 'utf8')))
  const named = texts.join('\n').matchAll(/npx --no support-chat-mock ([a-z-]+)/g)
  const commands = new Set(Array.from(named, ([, command = '']) => command))
  expect(commands.size).toBeGreaterThan(3)
  for (const command of commands) {
    const help = ['npx', '--no', 'support-chat-mock', command, '--help']
    const { status, stdout } = await run(help, { cwd: npm, env })
    expect([command, status]).toEqual([command, 0])
    expect(stdout).toContain(`support-chat-mock ${command}`)
  }
})

interface Server {
  command: string
  args: string[]
}

/** What a server of MCP responds to the first request; it ends with its input. */
async function initialized(command: string): Promise<string[]> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  await writeFile(path.join(folder, 'request.jsonl'), `${request}\n`)
  const printed = await output(['sh', '-c', `${command} < agents/request.jsonl`], { cwd: npm, env })
  return printed.split('\n')
}
