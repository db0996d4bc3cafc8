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
import { type Offers, PREFIX } from './offers.ts'
import type { Prompts } from './prompts.ts'
import { ArgumentError } from './request.ts'
import { failure, refusal } from './result.ts'
import { Refused } from './sandbox.ts'

/**
 * What makes a server for each connection.
 *
 * @param isHeard Whether a connection takes messages that respond to none.
 */
export async function serversFor(offers: Offers, url: string, isHeard: boolean) {
  const { title } = await offers.current()

  return (): Server => {
    const server = new Server(
      { name: 'support-chat-mock', title: `${title}, sandbox`, version: packageVersion() },
      {
        capabilities: { tools: { listChanged: isHeard }, resources: {}, prompts: {} },
        instructions: `A sandbox of ${title} runs at ${url}. Nothing in it is real. The tools without a prefix call the API. Those with ${PREFIX} act as the visitor and the agents, move the clock, send events and say why deliveries fail. Programs reach the sandbox with its URL and a test key.`,
      },
    )
    server.setRequestHandler(ListToolsRequestSchema, async () => {
      const { tools } = await offers.current()
      return { tools: [...tools.values()].map(({ definition }) => definition) }
    })
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const { tools } = await offers.current()
      const tool = tools.get(params.name)
      if (!tool)
        throw new McpError(
          ErrorCode.InvalidParams,
          `There is no tool ${params.name}. List the tools.`,
        )
      return tool.call(params.arguments ?? {}).catch(explained)
    })
    server.setRequestHandler(ListResourcesRequestSchema, async () => {
      const { resources } = await offers.current()
      return { resources: resources.list }
    })
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
      const { resources } = await offers.current()
      const found = await resources.read(params.uri)
      if (found) return found
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no resource ${params.uri}. List the resources.`,
      )
    })
    server.setRequestHandler(ListPromptsRequestSchema, async () => {
      const { prompts } = await offers.current()
      return { prompts: prompts.list }
    })
    server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
      const { prompts } = await offers.current()
      const text = promptText(prompts, params.name, params.arguments ?? {})
      return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
    })
    return server
  }
}

function promptText(prompts: Prompts, name: string, given: Record<string, string>): string {
  try {
    const text = prompts.get(name, given)
    if (text !== undefined) return text
  } catch (error) {
    throw new McpError(ErrorCode.InvalidParams, (error as Error).message)
  }
  throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${name}. List the prompts.`)
}

/** Why a tool failed, for the model that called it. */
function explained(error: unknown) {
  if (error instanceof ArgumentError) return failure(error.message)
  if (error instanceof Refused) return refusal(error.status, error.body)
  return failure(`The sandbox does not respond: ${(error as Error).message}. Check that it runs.`)
}
