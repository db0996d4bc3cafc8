import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { CONTRACT } from './assets.ts'
import { loadContract } from './contract/load.ts'
import { listen } from './door/listener.ts'
import type { Log } from './door/log.ts'
import type { Handler } from './door/message.ts'

export interface ServerOptions {
  /** 0 for any free one. */
  port: number
  host: string
  /** The path of an OpenAPI document; undefined for the one of this package. */
  contract: string | undefined
  log: Log
}

export interface Server {
  /** The base URL, without a version or a trailing slash. */
  url: string
  handler: Handler
  /** Lets the running requests end. */
  close(): Promise<void>
}

/**
 * Loads the contract and starts to listen.
 *
 * @throws {ContractError} for a contract that cannot be served; what node:net reports otherwise.
 */
export async function startServer({ port, host, contract, log }: ServerOptions): Promise<Server> {
  const handler = createApp(await load(contract), log)
  const listener = await listen(handler, port, host)
  return {
    url: `http://${authority(host)}:${listener.port}`,
    handler,
    close: () => listener.close(),
  }
}

async function load(file: string | undefined) {
  // The shipped contract was checked when the package was built.
  if (file === undefined) {
    return loadContract(fileURLToPath(CONTRACT), await readFile(CONTRACT, 'utf8'))
  }
  const { loadCheckedContract } = await import('./contract/check.ts')
  return loadCheckedContract(file)
}

/** The host as a client names it. */
function authority(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
