/** Which sandbox the tools act on: one of several revisions, one behind a token, and one whose contract is edited. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Commands } from '../command.ts'
import { documentOf, NEW, OLD } from '../revisions/pairs.ts'
import { type Agent, agent, connected } from './clients.ts'

/** What the edited contract has besides. */
const ADDED = 'getTeam'

let commands: Commands
let open: Agent[]
beforeEach(() => {
  commands = new Commands()
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()))
  commands.close()
})

async function start(args: string[], env: Record<string, string> = {}): Promise<Agent> {
  const mcp = await agent(args, env)
  open.push(mcp)
  return mcp
}

function save(file: string, name: string, version = OLD): string {
  const path = join(commands.folder, file)
  writeFileSync(path, JSON.stringify(documentOf(name, version)))
  return path
}

async function hasAdded({ client }: Agent): Promise<boolean> {
  const { tools } = await client.listTools()
  return tools.some(({ name }) => name === ADDED)
}

/** Resolves when the server says that its tools have changed. */
function told({ client }: Agent): Promise<void> {
  return new Promise((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())
  })
}

it('has the tools of the revision that it is given', async () => {
  const contracts = [save('old.json', 'nothing'), save('new.json', 'a new endpoint', NEW)]
  const files = contracts.flatMap((file) => ['--contract', file])
  const { url } = await commands.serve(['--memory', ...files])
  expect(await hasAdded(await start(['--url', url]))).toBe(false)
  const mcp = await start(['--url', url, '--revision', NEW])
  expect(await hasAdded(mcp)).toBe(true)
  expect(await mcp.call(ADDED, { team: '1' })).toMatchObject({ body: { name: 'Support' } })

  const wrong = await commands.run(['mcp', '--url', url, '--revision', '9'])
  expect([wrong.code, wrong.stdout]).toEqual([1, ''])
  expect(wrong.stderr).toContain('There is no revision "9".')
})

it('acts behind a control token, which it never repeats', async () => {
  const env = { TOKEN: 'a-token-that-is-long-enough' }
  const token = ['--control-token-env', 'TOKEN']
  const { url } = await commands.serve(['--memory', ...token], env)
  const mcp = await start(['--url', url, ...token], env)
  const created = await mcp.call('sandbox_createConversation', { body: { text: 'Hello' } })
  expect(created).toMatchObject({ isError: false, status: 201 })

  const wrong = { TOKEN: 'another-token-that-is-long' }
  for (const [args, given] of [
    [[], env],
    [token, wrong],
  ] as const) {
    const { code, stdout, stderr } = await commands.run(['mcp', '--url', url, ...args], given)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/token/)
    expect(stderr).not.toContain(given.TOKEN)
  }
})

describe('after an edit of the contract', () => {
  it('tells its client, and has the new tools', async () => {
    const file = save('openapi.json', 'nothing')
    const mcp = await start(['--contract', file, '--watch'])
    expect(mcp.client.getServerCapabilities()?.tools).toEqual({ listChanged: true })
    expect(await hasAdded(mcp)).toBe(false)
    const changed = told(mcp)
    save('openapi.json', 'a new endpoint')
    await changed
    expect(await hasAdded(mcp)).toBe(true)
    expect(await mcp.call(ADDED, { team: '1' })).toMatchObject({ body: { name: 'Support' } })
    const { contents } = await mcp.client.readResource({ uri: 'sandbox:///openapi.yaml' })
    expect(JSON.stringify(contents)).toContain(ADDED)
  })

  it('follows a running server, and keeps what it has while that is away', async () => {
    const file = save('openapi.json', 'nothing')
    const run = await commands.serve(['--contract', file, '--watch', '--memory'])
    const mcp = await start(['--url', run.url])
    const changed = told(mcp)
    save('openapi.json', 'a new endpoint')
    await changed
    expect(await hasAdded(mcp)).toBe(true)
    await run.stop()
    expect(await hasAdded(mcp)).toBe(true)
    expect((await mcp.call(ADDED, { team: '1' })).said).toContain('No complete response')
  })

  it('lists the new tools over HTTP, where it can tell nobody', async () => {
    const file = save('openapi.json', 'nothing')
    const server = await commands.serve(['--contract', file, '--watch', '--memory'])
    const run = commands.start(['mcp', '--url', server.url, '--http', '0'])
    await run.prints('The sandbox is at')
    const url = new URL(/^Listening on (\S+)\n/.exec(run.stdout())?.[1] ?? '')
    const mcp = await connected(new StreamableHTTPClientTransport(url) as never)
    open.push(mcp)
    expect(mcp.client.getServerCapabilities()?.tools).toEqual({ listChanged: false })
    expect(await hasAdded(mcp)).toBe(false)
    save('openapi.json', 'a new endpoint')
    await expect.poll(() => hasAdded(mcp)).toBe(true)
  })

  it('refuses to follow what nobody can edit', async () => {
    const { code, stderr } = await commands.run(['mcp', '--watch'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--watch has nothing to watch')])
  })
})

it('refuses a message over HTTP that is too large, in the words of the API', async () => {
  const run = commands.start(['mcp', '--http', '0'])
  await run.prints('The sandbox is at')
  const url = /^Listening on (\S+)\n/.exec(run.stdout())?.[1] ?? ''
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024) }),
  })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ code: 'content_too_large' })
})
