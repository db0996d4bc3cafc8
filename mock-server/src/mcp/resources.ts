/** What a client can read: the documents, the guides, and what the integration sent. */
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js'
import { stringify } from 'yaml'
import type { Page } from './docs.ts'
import type { Documents } from './documents.ts'
import { success } from './result.ts'
import type { Sandbox } from './sandbox.ts'

export interface Resources {
  list: Resource[]
  /** @returns undefined for an unknown URI */
  read(uri: string): Promise<ReadResourceResult | undefined>
}

interface Served {
  resource: Resource
  text: () => string | Promise<string>
}

export function resourcesOf(
  { contract, control }: Documents,
  pages: readonly Page[],
  sandbox: Sandbox,
): Resources {
  const served: Served[] = [
    {
      resource: {
        uri: 'sandbox:///openapi.yaml',
        name: 'openapi.yaml',
        title: 'The contract of the API',
        mimeType: 'application/yaml',
      },
      text: () => contract.text,
    },
    {
      resource: {
        uri: 'sandbox:///control.yaml',
        name: 'control.yaml',
        title: 'The control API of the sandbox',
        mimeType: 'application/yaml',
      },
      text: () => stringify(control.description.document),
    },
    {
      resource: {
        uri: 'sandbox:///requests',
        name: 'requests',
        title: 'The latest requests of your program',
        description: 'With their responses, and why one was refused. Secrets are left out.',
        mimeType: 'application/json',
      },
      text: () => requestLog(sandbox),
    },
    ...pages.map(({ path, title, text }) => ({
      resource: {
        uri: `docs:///${path}`,
        name: path,
        title,
        mimeType: path.endsWith('.md') ? 'text/markdown' : 'text/plain',
      },
      text: () => text,
    })),
  ]
  const byUri = new Map(served.map((one) => [one.resource.uri, one]))
  return {
    list: served.map(({ resource }) => resource),
    async read(uri) {
      const one = byUri.get(uri)
      if (!one) return undefined
      return { contents: [{ uri, mimeType: one.resource.mimeType, text: await one.text() }] }
    },
  }
}

async function requestLog(sandbox: Sandbox): Promise<string> {
  const response = await sandbox.send('/_mock/requests')
  const rest = () => 'Call sandbox_listRequests with a filter for the others.'
  const { structuredContent } = success({ body: await response.json() }, { skip: 0, rest })
  return JSON.stringify(structuredContent)
}
