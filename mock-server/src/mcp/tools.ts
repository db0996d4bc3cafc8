/** Tools made from OpenAPI documents: one for each operation, with nothing in them about any of these. */
import type { CallToolResult, Tool as Definition } from '@modelcontextprotocol/sdk/types.js'
import { object } from '../contract/document.ts'
import type { Contract } from '../contract/load.ts'
import { type Callable, callables, inputSchema, isJson, SKIP } from './operations.ts'
import { type Arguments, requestOf } from './request.ts'
import { failure, refusal, success } from './result.ts'
import type { Sandbox } from './sandbox.ts'

export interface Tool {
  definition: Definition
  call(given: Arguments): Promise<CallToolResult>
}

const CAREFUL = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

/** What a method promises (RFC 9110 §9.2). An operation says more with `x-tool`. */
const HINTS: Readonly<Record<string, object>> = {
  GET: { readOnlyHint: true, idempotentHint: true },
  HEAD: { readOnlyHint: true, idempotentHint: true },
  OPTIONS: { readOnlyHint: true, idempotentHint: true },
  PUT: { destructiveHint: true, idempotentHint: true },
  PATCH: { destructiveHint: true },
  DELETE: { destructiveHint: true, idempotentHint: true },
}

/**
 * The tools of a document.
 *
 * @param prefix Keeps the names of two documents apart.
 * @param taken The names that other tools have. The new ones are added.
 */
export function toolsOf(
  contract: Contract,
  prefix: string,
  sandbox: Sandbox,
  taken: Set<string>,
): Tool[] {
  const usable = callables(contract).filter(({ tool }) => tool !== false)
  return usable.map((operation) => ({
    definition: {
      name: nameOf(operation, prefix, taken),
      title: operation.title,
      description: describe(operation),
      inputSchema: inputSchema(operation, contract) as Definition['inputSchema'],
      annotations: {
        title: operation.title,
        ...CAREFUL,
        ...HINTS[operation.method],
        ...object(operation.tool),
      },
    },
    call: (given) => call(operation, given, sandbox),
  }))
}

/** The operation's ID, or what identifies it else, in the characters that all clients take. */
function nameOf({ id, method, path }: Callable, prefix: string, taken: Set<string>): string {
  const usable = (text: string) =>
    (prefix + text)
      .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/_+$/, '')
      .slice(0, MOST_NAME)
  const names = [...(id ? [usable(id)] : []), usable(`${method.toLowerCase()}${path}`)]
  for (let number = 2; names.every((name) => taken.has(name)); number++) {
    names.push(`${names.at(-1)?.slice(0, MOST_NAME - 4)}_${number}`)
  }
  const name = names.find((name) => !taken.has(name)) ?? ''
  taken.add(name)
  return name
}

const MOST_NAME = 64

function describe({ title, description, method, path }: Callable): string {
  return [`${title}.`.replace(/\.\.$/, '.'), description, `${method} ${path}`]
    .filter(Boolean)
    .join('\n\n')
}

async function call(
  operation: Callable,
  given: Arguments,
  sandbox: Sandbox,
): Promise<CallToolResult> {
  const { path, init } = requestOf(operation, given, sandbox.key)
  let response: Response
  let body: unknown
  try {
    response = await sandbox.send(path, init)
    body = await bodyOf(response)
  } catch (error) {
    const { code = (error as Error).message } = ((error as Error).cause ??
      error) as NodeJS.ErrnoException
    return failure(
      `No complete response: ${code}. Next: call sandbox_listFaults to see whether a fault rule breaks connections, and check that the sandbox at ${sandbox.url} runs.`,
    )
  }
  const { status, headers } = response
  if (status >= 400) return refusal(status, body)
  // The contract may call an ID otherwise.
  const id = headers.get('x-mock-id')
  const warning = decodeURIComponent(headers.get('x-mock-warning') ?? '')
  const content = { status, ...(id !== null && { id }), ...(body !== undefined && { body }) }
  const skip = Number(given[SKIP] ?? 0)
  const rest = (next: number) =>
    operation.isPaged ? 'Ask for a smaller page.' : `Call again with ${SKIP}: ${next}.`
  return success(content, { skip, rest }, warning ? [warning] : [])
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  return isJson(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
}
