/** An MCP server for a sandbox: its API and its control API as tools, with guides and prompts. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { packageVersion } from '../assets.ts'
import { readPages } from './docs.ts'
import { documentsOf } from './documents.ts'
import { kitOf } from './kit.ts'
import { promptsOf } from './prompts.ts'
import { ArgumentError } from './request.ts'
import { resourcesOf } from './resources.ts'
import { failure, refusal } from './result.ts'
import { Refused, type Sandbox } from './sandbox.ts'
import { type Tool, toolsOf } from './tools.ts'

/** Keeps the tools of the control API apart from those of the contract. */
const PREFIX = 'sandbox_'

/** Reads what a sandbox has. @returns what makes a server for each connection */
export async function serversFor(sandbox: Sandbox): Promise<() => Server> {
  const [documents, pages] = await Promise.all([documentsOf(sandbox), readPages()])
  const kit = kitOf(sandbox, pages)
  const taken = new Set(kit.map(({ definition }) => definition.name))
  const tools = new Map<string, Tool>(
    [
      ...kit,
      ...toolsOf(documents.control, PREFIX, sandbox, taken),
      ...toolsOf(documents.contract, '', sandbox, taken),
    ].map((tool) => [tool.definition.name, tool]),
  )
  const resources = resourcesOf(documents, pages, sandbox)
  const prompts = promptsOf(pages, sandbox)
  const { title } = documents.contract.description

  return () => {
    const server = new Server(
      { name: 'support-chat-mock', title: `${title}, sandbox`, version: packageVersion() },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: `A sandbox of ${title} runs at ${sandbox.url}. Nothing in it is real. The tools without a prefix call the API. Those with ${PREFIX} act as the visitor and the agents, move the clock, send events and say why deliveries fail. Programs reach the sandbox with its URL and a test key.`,
      },
    )
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [...tools.values()].map(({ definition }) => definition),
    }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const tool = tools.get(params.name)
      if (!tool)
        throw new McpError(
          ErrorCode.InvalidParams,
          `There is no tool ${params.name}. List the tools.`,
        )
      return tool.call(params.arguments ?? {}).catch(explained)
    })
    server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resources.list }))
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
      const found = await resources.read(params.uri)
      if (found) return found
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no resource ${params.uri}. List the resources.`,
      )
    })
    server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: prompts.list }))
    server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
      const text = promptText(params.name, params.arguments ?? {})
      return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
    })
    return server
  }

  function promptText(name: string, given: Record<string, string>): string {
    try {
      const text = prompts.get(name, given)
      if (text !== undefined) return text
    } catch (error) {
      throw new McpError(ErrorCode.InvalidParams, (error as Error).message)
    }
    throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${name}. List the prompts.`)
  }
}

/** Why a tool failed, for the model that called it. */
function explained(error: unknown) {
  if (error instanceof ArgumentError) return failure(error.message)
  if (error instanceof Refused) return refusal(error.status, error.body)
  return failure(`The sandbox does not respond: ${(error as Error).message}. Check that it runs.`)
}
