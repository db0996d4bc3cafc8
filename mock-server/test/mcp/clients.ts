/** The official client, connected to the built command as an agent's program connects to it. */
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

export const BIN = fileURLToPath(new URL('../../bin.js', import.meta.url))

export interface Agent {
  client: Client
  /** Calls a tool. @returns its structured content, with `isError` and `said`, the text */
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  call(name: string, given?: Record<string, unknown>): Promise<any>
  stderr: () => string
  close(): Promise<void>
}

export async function agent(args: string[] = [], env: Record<string, string> = {}): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...args],
    env,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return { ...(await connected(transport)), stderr: () => stderr }
}

export async function connected(transport: Parameters<Client['connect']>[0]): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return {
    client,
    async call(name, given = {}) {
      const result = (await client.callTool({ name, arguments: given })) as CallToolResult
      const said = result.content.map((one) => (one.type === 'text' ? one.text : '')).join('\n')
      return { ...result.structuredContent, isError: result.isError === true, said }
    },
    stderr: () => '',
    close: () => client.close(),
  }
}
