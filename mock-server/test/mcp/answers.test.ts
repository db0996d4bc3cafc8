/** What the tools, resources and prompts say. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../scripts/languages.ts'
import { object } from '../../src/contract/document.ts'
import { type Agent, agent } from './clients.ts'

const NAMES = LANGUAGES.map(({ name }) => name)

let mcp: Agent
beforeAll(async () => {
  mcp = await agent()
})
afterAll(() => mcp.close())

const textIn = (content: unknown) => String(object(content).text)
const textOf = async (uri: string) => {
  const { contents } = await mcp.client.readResource({ uri })
  return textIn(contents[0])
}
const promptOf = async (name: string, given: Record<string, string> = {}) => {
  const { messages } = await mcp.client.getPrompt({ name, arguments: given })
  return textIn(messages[0]?.content)
}

describe('a tool', () => {
  it('returns the status and the body', async () => {
    const found = await mcp.call('listConversations', { limit: 1 })
    expect(found).toMatchObject({ isError: false, status: 200, body: { data: [{}] } })
  })

  it('explains a refusal, and says what to do next', async () => {
    const refused = await mcp.call('listConversations', { limit: 1000 })
    expect(refused).toMatchObject({
      isError: true,
      status: 422,
      body: { code: 'validation_failed' },
    })
    expect(refused.said).toMatch(/^422 Unprocessable Content: .*\n- limit must .*\nNext: correct/)
  })

  it('refuses arguments that the operation does not have, and names those that it has', async () => {
    const refused = await mcp.call('getConversation', { conversation: 'a' })
    expect(refused).toMatchObject({ isError: true })
    expect(refused.said).toMatch(/^conversation: no such argument\. Use: id/)
    expect((await mcp.call('getConversation')).said).toBe('id is required. Pass it.')
  })

  it('explains a broken connection', async () => {
    await mcp.call('sandbox_addFault', { body: { reset: true, times: 1 } })
    const broken = await mcp.call('getAnalytics')
    expect(broken.isError).toBe(true)
    expect(broken.said).toContain('sandbox_listFaults')
  })

  it('cuts a long list, and returns the rest when asked', async () => {
    for (let number = 0; number < 30; number++) {
      const text = `${number} ${'x'.repeat(1500)}`
      await mcp.call('sandbox_createConversation', { body: { text } })
    }
    const ids: string[] = []
    let next: number | undefined = 0
    let pages = 0
    while (next !== undefined) {
      const { body, said }: { body: { data: { id: string }[] }; said: string } = await mcp.call(
        'sandbox_listEvents',
        { skip_items: next },
      )
      ids.push(...body.data.map(({ id }) => id))
      expect(said.length).toBeLessThan(30_000)
      const [, more] = /skip_items: (\d+)/.exec(said) ?? []
      next = more === undefined ? undefined : Number(more)
      pages += 1
    }
    expect(pages).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(60)
  })

  it('finds sections of the guides', async () => {
    const { results } = await mcp.call('search_docs', { query: 'verify signature in Express' })
    expect(results.map(({ path }: { path: string }) => path)).toContain('docs/webhooks/express.md')
    expect(await mcp.call('search_docs', { query: 'qqzzx' })).toMatchObject({ isError: true })
  })

  it('that does not exist is an error of the protocol', async () => {
    await expect(mcp.call('nothing')).rejects.toThrow('There is no tool nothing')
  })
})

describe('a resource', () => {
  it('is the contract as it was written', async () => {
    const file = new URL('../../../openapi.yaml', import.meta.url)
    expect(await textOf('sandbox:///openapi.yaml')).toBe(readFileSync(file, 'utf8'))
  })

  it('is the control API', async () => {
    expect(await textOf('sandbox:///control.yaml')).toContain('operationId: advanceClock')
  })

  it('is the log of the requests of a program, with the reasons of refusals', async () => {
    await mcp.call('listConversations', { limit: 1000 })
    const { body } = JSON.parse(await textOf('sandbox:///requests'))
    expect(body.data[0]).toMatchObject({ path: '/v1/conversations', reason: expect.any(String) })
  })

  it('is each guide, README and example', async () => {
    const { resources } = await mcp.client.listResources()
    const uris = resources.map(({ uri }) => uri)
    const readmes = NAMES.flatMap((name) => [
      `sdks/${name}/README.md`,
      `examples/${name}/README.md`,
    ])
    for (const path of ['docs/webhooks.md', ...readmes]) {
      expect(uris).toContain(`docs:///${path}`)
      const file = new URL(`../../../${path}`, import.meta.url)
      expect(await textOf(`docs:///${path}`)).toBe(readFileSync(file, 'utf8'))
    }
    await expect(textOf('docs:///etc/passwd')).rejects.toThrow('There is no resource')
  })
})

describe('a prompt', () => {
  it('names only tools that exist', async () => {
    const { tools } = await mcp.client.listTools()
    const { prompts } = await mcp.client.listPrompts()
    for (const { name } of prompts) {
      const text = await promptOf(name, { target: 'express' })
      const named = text.match(/sandbox_\w+/g) ?? []
      expect(named.length).toBeGreaterThan(0)
      for (const one of named) expect(tools.map((tool) => tool.name)).toContain(one)
    }
  })

  it('has code for every language and framework of the guides', async () => {
    const { prompts } = await mcp.client.listPrompts()
    const [argument] = prompts.find(({ name }) => name === 'write-receiver')?.arguments ?? []
    const targets = argument?.description?.replace(/^One of: |\.$/g, '').split(', ') ?? []
    expect(targets).toEqual(expect.arrayContaining([...NAMES, 'express']))
    for (const target of targets)
      expect(await promptOf('write-receiver', { target })).toContain('```')
    await expect(promptOf('write-receiver', { target: 'cobol' })).rejects.toThrow('Use one of: ')
  })
})
