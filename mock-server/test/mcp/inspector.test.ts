/** The official inspector, an MCP client of others, lists the tools and calls them. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { fileOf } from '../../../scripts/toolchain/packages.ts'
import { BIN } from './clients.ts'

const INSPECTOR = fileOf('@modelcontextprotocol/inspector/clients/launcher/build/index.js')
const execute = promisify(execFile)

async function inspect(...args: string[]) {
  const server = ['--cli', process.execPath, BIN, 'mcp']
  const { stdout } = await execute(process.execPath, [INSPECTOR, ...server, ...args])
  return JSON.parse(stdout)
}

it('lists the tools, resources and prompts', async () => {
  const { tools } = await inspect('--method', 'tools/list')
  const names = tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['sandbox_settled', 'listConversations']))
  const { resources } = await inspect('--method', 'resources/list')
  expect(resources).toContainEqual(expect.objectContaining({ uri: 'sandbox:///openapi.yaml' }))
  const { prompts } = await inspect('--method', 'prompts/list')
  expect(prompts).toContainEqual(expect.objectContaining({ name: 'write-receiver' }))
})

it('calls a tool with arguments', async () => {
  const call = ['--method', 'tools/call', '--tool-name', 'listConversations']
  const { structuredContent, isError } = await inspect(...call, '--tool-arg', 'limit=1')
  expect(isError ?? false).toBe(false)
  expect(structuredContent).toMatchObject({ status: 200, body: { data: [{}] } })
})
